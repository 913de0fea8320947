"""Random expressions: well-typed ones over a scope of every type, and arbitrary trees that text can have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from hypothesis import strategies as st

from fullproof.language.scope import Scope
from fullproof.language.syntax import (
    Binary,
    BinaryOperator,
    Boolean,
    Call,
    Comparison,
    ComparisonOperator,
    Conditional,
    Decimal,
    Expression,
    Integer,
    Name,
    Temporal,
    Unary,
)
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Value, Variable

T = TypeVar("T")

LIGHT = EnumType(("O", "W", "A"))
MODE = EnumType(("W", "O", "U"))  # shares two values with LIGHT, in the other order
SCOPE = Scope(
    (
        Variable(name="p", type=BoolType()),
        Variable(name="X", type=BoolType()),
        Variable(name="i", type=IntType()),
        Variable(name="j", type=IntType(-6, 6)),
        Variable(name="r", type=RealType()),
        Variable(name="s", type=RealType(Fraction(-6), Fraction(6))),
        Variable(name="light", type=LIGHT),
        Variable(name="mode", type=MODE),
    ),
    {"k": 3, "zero": 0, "minus": -2, "third": Fraction(1, 3), "yes": True},
)
_NAMES = {"bool": ("p", "X", "yes"), "int": ("i", "j", "k", "zero", "minus"), "real": ("r", "s", "third")}

small_integers = st.integers(-6, 6)
small_rationals = st.builds(Fraction, st.integers(-12, 12), st.sampled_from([1, 1, 2, 3, 5]))
valuations: st.SearchStrategy[dict[str, Value]] = st.fixed_dictionaries(
    {
        "p": st.booleans(),
        "X": st.booleans(),
        "i": small_integers,
        "j": small_integers,
        "r": small_rationals,
        "s": small_rationals.filter(lambda value: abs(value) <= 6),
        "light": st.sampled_from(LIGHT.values),
        "mode": st.sampled_from(MODE.values),
    }
)


class _Choices:
    """Choices read off bytes: one draw per tree, so that thousands of trees are cheap and still shrink."""

    def __init__(self, data: bytes) -> None:
        self._data = iter(data)

    def below(self, bound: int) -> int:
        """Return a number; 0 once the bytes are used up, which ends every recursion."""
        return next(self._data, 0) % bound

    def of(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]


_EQUALITIES: tuple[ComparisonOperator, ...] = ("==", "!=")
_ORDERINGS: tuple[ComparisonOperator, ...] = ("==", "!=", "<", "<=", ">", ">=")
_POINTS = [Decimal(Fraction(text)) for text in ("0.0", "0.5", "1.25", "2.0", "1e-3", "1e20")]


def _number(choices: _Choices, kind: str, depth: int) -> Expression:
    """An expression of type int or real; where a real is wanted, an int will do for one of two operands."""
    form = choices.below(10) if depth else 0
    if form < 2:
        literals: list[Expression] = [Integer(choices.below(7))] if kind == "int" else [choices.of(_POINTS)]
        return choices.of([*(Name(name) for name in _NAMES[kind]), *literals])
    below = _number(choices, kind, depth - 1)
    other_kind = kind if kind == "int" else choices.of(["int", "real"])
    match form:
        case 2 | 3:
            other = _number(choices, other_kind, depth - 1)
            operator: BinaryOperator = choices.of(["+", "-", "*", "%"] if kind == "int" else ["+", "-", "*", "/", "%"])
            return Binary(operator, other, below) if choices.below(2) else Binary(operator, below, other)
        case 4:
            exponent = choices.below(4) if kind == "int" else choices.below(7) - 3
            return Binary("**", below, Integer(exponent) if exponent >= 0 else Unary("-", Integer(-exponent)))
        case 5:
            return Unary("-", below)
        case 6:
            return Call("abs", (below,))
        case 7:
            others = [_number(choices, other_kind, depth - 1) for _ in range(choices.below(3))]
            return Call(choices.of(["min", "max"]), (below, *others))
        case 8:
            return Conditional(_condition(choices, depth - 1), below, _number(choices, other_kind, depth - 1))
    if kind == "int":
        return Call("floor", (_number(choices, "real", depth - 1),))
    return Binary("/", _number(choices, "int", depth - 1), _number(choices, "int", depth - 1))


def _enum(choices: _Choices, type_: EnumType, depth: int) -> Expression:
    if depth and choices.below(3) == 1:
        condition = _condition(choices, depth - 1)
        return Conditional(condition, _enum(choices, type_, depth - 1), _enum(choices, type_, depth - 1))
    return Name(choices.of(["light" if type_ == LIGHT else "mode", *type_.values]))


def _chain(choices: _Choices, depth: int) -> Expression:
    count = 2 + choices.below(3)
    form, operators = choices.below(5), _ORDERINGS
    match form:
        case 0 | 1:
            operands = [_number(choices, choices.of(["int", "real"]), depth) for _ in range(count)]
        case 2:
            operators = _EQUALITIES
            operands = [_condition(choices, depth) for _ in range(count)]
        case _:
            type_ = LIGHT if form == 3 else MODE
            operands = [_enum(choices, type_, depth) for _ in range(count)]
            # One operand must say which enum is meant.
            operands[choices.below(count)] = Name("light" if form == 3 else "mode")
    return Comparison(tuple(operands), tuple(choices.of(operators) for _ in range(count - 1)))


def _condition(choices: _Choices, depth: int) -> Expression:
    form = choices.below(7) if depth else 0
    match form:
        case 0:
            return choices.of([Name("p"), Name("X"), Name("yes"), Boolean(True), Boolean(False)])
        case 1:
            return Unary("not", _condition(choices, depth - 1))
        case 2:
            parts = [_condition(choices, depth - 1) for _ in range(3)]
            return Conditional(*parts)
        case 3 | 4:
            operator: BinaryOperator = choices.of(["and", "or", "->"])
            return Binary(operator, _condition(choices, depth - 1), _condition(choices, depth - 1))
        case _:
            return _chain(choices, depth - 1)


def _typed(data: bytes, depth: int) -> Expression:
    choices = _Choices(data)
    match choices.below(4):
        case 0:
            return _condition(choices, depth)
        case 1:
            return _number(choices, "int", depth)
        case 2:
            return _number(choices, "real", depth)
        case _:
            return _enum(choices, LIGHT, depth)


def typed_expressions(*, depth: int = 4) -> st.SearchStrategy[Expression]:
    """Any well-typed expression over SCOPE."""
    return st.binary(min_size=50, max_size=50).map(lambda data: _typed(data, depth))


def conditions(*, depth: int = 4) -> st.SearchStrategy[Expression]:
    """Any expression over SCOPE whose type is bool."""
    return st.binary(min_size=50, max_size=50).map(lambda data: _condition(_Choices(data), depth))


_WORDS = ["x", "y", "X", "F", "G", "U", "W", "R", "max", "min", "abs", "real", "int", "andy", "ß", "_1"]
_INFIX: list[BinaryOperator] = ["+", "-", "*", "/", "%", "**", "and", "or", "->"]


def _tree(choices: _Choices, depth: int) -> Expression:
    form = choices.below(10) if depth else choices.below(4)
    parts = [_tree(choices, depth - 1) for _ in range([0, 0, 0, 0, 2, 2, 1, 2 + choices.below(3), 3, 3][form])]
    match form:
        case 0:
            return Name(choices.of(_WORDS))
        case 1:
            return Boolean(bool(choices.below(2)))
        case 2:
            return Integer(choices.below(256) ** choices.below(8))
        case 3:
            exponent = choices.of([0, 1, 5, 20, 60]) * choices.of([1, -1])
            return Decimal(choices.below(256) * Fraction(10) ** exponent)
        case 4 | 5:
            return Binary(choices.of(_INFIX), *parts)
        case 6:
            return Unary(choices.of(["-", "not"]), *parts)
        case 7:
            return Comparison(tuple(parts), tuple(choices.of(_ORDERINGS) for _ in parts[1:]))
        case 8:
            return Call(choices.of(["abs", "min", "max", "floor"]), tuple(parts))
        case _:
            return Conditional(*parts)


trees: st.SearchStrategy[Expression] = st.binary(min_size=50, max_size=50).map(lambda data: _tree(_Choices(data), 5))
"""Whatever the grammar can produce, well typed or not."""


def _formula(choices: _Choices, depth: int, state: Callable[[_Choices], Expression]) -> Expression:
    form = choices.below(8) if depth else 0
    match form:
        case 0:
            return state(choices)
        case 1 | 2:
            return Temporal(choices.of(["X", "F", "G"]), (_formula(choices, depth - 1, state),))
        case 7:
            return Unary("not", _formula(choices, depth - 1, state))
    left, right = _formula(choices, depth - 1, state), _formula(choices, depth - 1, state)
    if form < 5:
        return Temporal(choices.of(["U", "W", "R"]), (left, right))
    return Binary(choices.of(["and", "or", "->"]), left, right)


formulas: st.SearchStrategy[Expression] = st.binary(min_size=50, max_size=50).map(
    lambda data: _formula(_Choices(data), 4, lambda choices: _tree(choices, 2))
)
"""LTL over whatever the grammar takes for a state formula."""

propositional_formulas: st.SearchStrategy[Expression] = st.binary(min_size=25, max_size=25).map(
    lambda data: _formula(_Choices(data), 4, lambda choices: Name(choices.of(["a", "b"])))
)
"""LTL over two propositions a and b."""
