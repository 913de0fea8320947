"""From Lark's reductions to syntax trees: called bottom-up by the parser, so that deep text needs no recursion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from json import loads
from typing import Any, Protocol, cast

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.language.literals import number_literal
from fullproof.language.shallow_trees import joined_as_written
from fullproof.language.strings import text_of
from fullproof.language.syntax import (
    Binary,
    BinaryOperator,
    Boolean,
    Call,
    Comparison,
    ComparisonOperator,
    Conditional,
    Expression,
    Function,
    Name,
    Quoted,
    Temporal,
    TemporalOperator,
    Unary,
)


class Token(Protocol):
    """The attributes of a Lark token that are used; Lark itself is imported when the first text is parsed."""

    type: str
    value: str
    start_pos: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """A parsed but not yet interpreted declaration: which type, and its expressions."""

    word: str
    low: Expression | None = None
    high: Expression | None = None
    values: tuple[Name, ...] = ()
    initial: Expression | None = None
    tolerance: Expression | None = None
    element: Declaration | None = None
    most: Expression | None = None


class Builder:
    """The callbacks of the grammar's rules, one method each."""

    def __init__(self) -> None:
        self.place: Callable[[int], Place] = lambda _: NOWHERE

    def _at(self, token: Token) -> Place:
        return self.place(token.start_pos)

    def formula(self, children: list[Expression]) -> Expression:
        """Return the tree unchanged."""
        return children[0]

    def group(self, children: list[Any]) -> Expression:
        """Parentheses leave no trace."""
        return cast("Expression", children[1])

    def assignment(self, children: list[Any]) -> tuple[Name, Expression]:
        """``m = x / 2``"""
        return self.name(children[:1]), children[2]

    def number(self, children: list[Token]) -> Expression:
        """Read a literal exactly, or refuse one that stands for too many digits."""
        (token,) = children
        return number_literal(token.value, at=self._at(token))

    def quoted(self, children: list[Token]) -> Quoted:
        """A string, with the escapes of JSON."""
        (token,) = children
        try:
            return Quoted(text_of(loads(token.value)), at=self._at(token))
        except ValueError as error:
            reason = str(error).split(":")[0].lower()
            raise UserError(f"a string is written as in JSON: {reason}", at=self._at(token)) from None

    def name(self, children: list[Token]) -> Name:
        """A variable, a constant or an enum value."""
        return Name(children[0].value, at=self._at(children[0]))

    enum_value = name

    def active(self, children: list[Token]) -> Name:
        """``in(state)``: a truth value that has the state in its name (``model.chart.is_active``)."""
        state = children[0].value.partition("(")[2].rstrip(")").strip().strip('"')
        return Name(f"in({state})", at=self._at(children[0]))

    def boolean(self, children: list[Token]) -> Boolean:
        """``true`` or ``false``"""
        return Boolean(children[0].type == "TRUE", at=self._at(children[0]))

    def unary(self, children: list[Any]) -> Unary:
        """``-x`` or ``not x``"""
        return Unary(children[0].value, children[1], at=self._at(children[0]))

    def binary(self, children: list[Any]) -> Binary:
        """Arithmetic or implication."""
        left, operator, right = children
        return Binary(cast("BinaryOperator", operator.value), left, right, at=left.at)

    def junction(self, children: list[Any]) -> Expression:
        """A chain of ``and`` or of ``or``."""
        return joined_as_written(children[1].value, children[::2])

    def chain(self, children: list[Any]) -> Comparison:
        """``B0 <= y <= B1``"""
        operators = cast("Sequence[ComparisonOperator]", [token.value for token in children[1::2]])
        return Comparison(tuple(children[::2]), tuple(operators), at=children[0].at)

    def call(self, children: list[Any]) -> Call:
        """A function and its arguments, between parentheses."""
        return Call(cast("Function", children[0].value), tuple(children[2:-1]), at=self._at(children[0]))

    def list_literal(self, children: list[Any]) -> Call:
        """``[1, 2]``"""
        return Call("list", tuple(children[1:-1]), at=self._at(children[0]))

    def index(self, children: list[Any]) -> Call:
        """``p[i]``; the place is that of the list."""
        return Call("at", (children[0], children[2]), at=children[0].at)

    def membership(self, children: list[Any]) -> Call:
        """``x in p``; the place is that of the element."""
        return Call("in", (children[0], children[2]), at=children[0].at)

    def conditional(self, children: list[Any]) -> Conditional:
        """``if c then a else b``"""
        return Conditional(*children[1::2], at=self._at(children[0]))

    def temporal_unary(self, children: list[Any]) -> Temporal:
        """``X p``, ``F p``, ``G p``; the place is the operator's."""
        operator = cast("TemporalOperator", children[0].value)
        return Temporal(operator, (children[1],), at=self._at(children[0]))

    def temporal_binary(self, children: list[Any]) -> Temporal:
        """``p U q``, ``p W q``, ``p R q``; the place is the operator's."""
        left, operator, right = children
        return Temporal(cast("TemporalOperator", operator.value), (left, right), at=self._at(operator))

    def bool_declaration(self, children: list[Any]) -> Declaration:
        """``bool = true``"""
        return Declaration(word="bool", **dict(children[1:]))

    def string_declaration(self, children: list[Any]) -> Declaration:
        """``string = "none"``"""
        return Declaration(word="string", **dict(children[1:]))

    def number_declaration(self, children: list[Any]) -> Declaration:
        """``real 0..400 = 3 ~ 1e-6``"""
        parts: dict[str, Any] = {}
        for part in children[1:]:
            parts.update(part if isinstance(part, dict) else [part])
        return Declaration(word=children[0].value, **parts)

    def enum_declaration(self, children: list[Any]) -> Declaration:
        """``enum O, W, A = O``"""
        values = tuple(child for child in children[1:] if isinstance(child, Name))
        return Declaration(word="enum", values=values, **dict(children[1 + len(values) :]))

    def list_declaration(self, children: list[Any]) -> Declaration:
        """``list of int 0..3 max 4 = [1]``"""
        _, _, element, _, most, *initial = children
        return Declaration(word="list", element=element, most=most, **dict(initial))

    def range(self, children: list[Any]) -> dict[str, Expression]:
        """``0..400``, ``0..``, ``..400`` or ``..``"""
        return dict(child for child in children if isinstance(child, tuple))

    def low(self, children: list[Expression]) -> tuple[str, Expression]:
        """The least value."""
        return "low", children[0]

    def high(self, children: list[Expression]) -> tuple[str, Expression]:
        """The greatest value."""
        return "high", children[0]

    def initial(self, children: list[Any]) -> tuple[str, Expression]:
        """``= 3``"""
        return "initial", children[1]

    def tolerance(self, children: list[Any]) -> tuple[str, Expression]:
        """``~ 1e-6``"""
        return "tolerance", children[1]
