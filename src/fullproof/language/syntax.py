"""Syntax trees of expressions and LTL formulas: frozen, compared without their positions."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

from fullproof.core.errors import NOWHERE, Place

BinaryOperator: TypeAlias = Literal["+", "-", "*", "/", "%", "**", "and", "or", "->"]
ComparisonOperator: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]
OPPOSITE: dict[ComparisonOperator, ComparisonOperator] = {
    "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
}  # fmt: skip
"""What holds where a comparison does not."""
MIRRORED: dict[ComparisonOperator, ComparisonOperator] = {
    "==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<=",
}  # fmt: skip
"""The same comparison with its sides exchanged."""
Function: TypeAlias = Literal["abs", "min", "max", "floor", "list", "at", "in", "len", "append", "rest"]
LIST_FUNCTIONS = frozenset({"list", "at", "in", "len", "append", "rest"})
TemporalOperator: TypeAlias = Literal["X", "F", "G", "U", "W", "R"]


@dataclass(frozen=True, slots=True)
class SyntaxNode:
    """What every tree node has: where it stood in the source, ignored by equality and hash."""

    at: Place = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Boolean(SyntaxNode):
    """``true`` or ``false``"""

    value: bool


@dataclass(frozen=True, slots=True)
class Integer(SyntaxNode):
    """A literal without a decimal point; never negative (``-1`` is a Unary)."""

    value: int


@dataclass(frozen=True, slots=True)
class Quoted(Integer):
    """A string in double quotes; its value is a ``StringValue``, the number that stands for it."""


@dataclass(frozen=True, slots=True)
class Decimal(SyntaxNode):
    """A literal with a decimal point or exponent, kept exact; its type is real even where it is whole."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Name(SyntaxNode):
    """A variable, a constant or an enum value: the scope says which."""

    name: str


@dataclass(frozen=True, slots=True)
class Unary(SyntaxNode):
    """Negation of a number or of a truth value."""

    operator: Literal["-", "not"]
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary(SyntaxNode):
    """Arithmetic, conjunction, disjunction, implication."""

    operator: BinaryOperator
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Comparison(SyntaxNode):
    """A chain such as ``B0 <= y <= B1``: one operator fewer than operands."""

    operands: tuple[Expression, ...]
    operators: tuple[ComparisonOperator, ...]


@dataclass(frozen=True, slots=True)
class Call(SyntaxNode):
    """``abs(x)``, ``min(a, b, ...)``, ``max(a, b, ...)``, ``floor(x)``, and all that is done with lists.

    Those are ``[a, b]`` (list), ``p[i]`` (at), ``x in p`` (in), ``len(p)``, ``append(p, x)`` and ``rest(p)``. A third
    argument of ``at`` is what it gives where p has no element i (``list_functions.with_defaults``).
    """

    function: Function
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Conditional(SyntaxNode):
    """``if c then a else b``"""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Temporal(SyntaxNode):
    """An LTL operator: X, F, G take one operand, U, W, R two."""

    operator: TemporalOperator
    operands: tuple[Expression, ...]


Expression: TypeAlias = Boolean | Integer | Decimal | Name | Unary | Binary | Comparison | Call | Conditional | Temporal

TRUE = Boolean(True)
