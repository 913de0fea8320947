"""What expressions mean: examples by hand, then evaluator against closure on random ones."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from tests.strategies.expressions import SCOPE, typed_expressions, valuations

from fullproof.core.errors import UserError
from fullproof.language import Scope, compile_expression, evaluate, infer, literal, parse_expression, substitute
from fullproof.language.limits import MAX_DEPTH
from fullproof.language.syntax import Expression
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Value, Variable

VALUES = {
    "p": True,
    "X": False,
    "i": -7,
    "j": 2,
    "r": Fraction(5, 2),
    "s": Fraction(-1, 3),
    "light": "W",
    "mode": "W",
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i + j * 3", -1),
        ("i / j", Fraction(-7, 2)),
        ("i / 0", Fraction(0)),
        ("r / (j - 2)", Fraction(0)),
        ("4 / 2", Fraction(2)),
        ("i % j", 1),
        ("i % -2", -1),
        ("-i % -j", -1),
        ("i % 0", -7),
        ("r % 0", Fraction(5, 2)),
        ("r % 2", Fraction(1, 2)),
        ("-r % 2", Fraction(3, 2)),
        ("r % -2", Fraction(-3, 2)),
        ("r ** 2", Fraction(25, 4)),
        ("j ** -2", Fraction(1, 4)),
        ("zero ** -2", Fraction(0)),
        ("zero ** 0", 1),
        ("0.0 ** 0", Fraction(1)),
        ("-j ** 2", -4),
        ("2 ** 3 ** 2", 512),
        ("floor(r)", 2),
        ("floor(-r)", -3),
        ("floor(i)", -7),
        ("abs(s)", Fraction(1, 3)),
        ("min(j, r, 1)", Fraction(1)),
        ("max(i, j)", 2),
        ("if p then j else r", Fraction(2)),
        ("if X then 1 else 2", 2),
        ("-6 <= j < 3 > 2 != 4", True),
        ("1 < j < 2", False),
        ("light == W", True),
        ("light < A", True),
        ("mode < O", True),
        ("light < O", False),
        ("O < light <= W", True),
        ("light == (if p then W else A)", True),
        ("p == (j > 1)", True),
        ("p -> X", False),
        ("X -> p", True),
        ("p and not X or X", True),
        ("0.1 + 0.2 == 0.3", True),
        ("third * 3 == 1", True),
        ("r", Fraction(5, 2)),
        ("light", "W"),
        ("W", "W"),
        ("yes", True),
        ("zero", 0),
    ],
)
def test_values(text: str, value: Value) -> None:
    expression = parse_expression(text)
    for result in (evaluate(expression, SCOPE, VALUES), compile_expression(expression, SCOPE)(VALUES)):
        assert result == value
        assert type(result) is type(value)


@given(typed_expressions(), valuations)
@settings(max_examples=400)
def test_closures_do_what_the_evaluator_does(expression: Expression, values: dict[str, Value]) -> None:
    expected = evaluate(expression, SCOPE, values)
    found = compile_expression(expression, SCOPE)(values)
    assert found == expected
    assert type(found) is type(expected)


@given(typed_expressions(), valuations)
@settings(max_examples=200)
def test_values_have_the_inferred_type(expression: Expression, values: dict[str, Value]) -> None:
    value = evaluate(expression, SCOPE, values)
    try:
        type_ = infer(expression, SCOPE)
    except UserError as error:
        assert "several enum types" in error.message
        assert isinstance(value, str)
        return
    kind = {BoolType: bool, IntType: int, RealType: Fraction, EnumType: str}[type(type_)]
    assert type(value) is kind


@given(typed_expressions(), valuations)
@settings(max_examples=200)
def test_substituting_values_evaluates(expression: Expression, values: dict[str, Value]) -> None:
    # Enum variables stay: where two enum types share a value, only the variable says which order is meant.
    numbers = {name: literal(value) for name, value in values.items() if not isinstance(value, str)}
    closed = substitute(expression, numbers)
    lights = {name: value for name, value in values.items() if isinstance(value, str)}
    assert evaluate(closed, SCOPE, lights) == evaluate(expression, SCOPE, values)


def test_substitution_happens_at_once() -> None:
    swapped = substitute(parse_expression("x - y"), {"x": parse_expression("y + 1"), "y": parse_expression("x")})
    assert swapped == parse_expression("y + 1 - x")


def test_the_deepest_trees_fit_the_stack() -> None:
    scope = Scope((Variable(name="x", type=RealType()), Variable(name="b", type=BoolType())))
    deep = MAX_DEPTH - 2
    for text in (
        "+".join(["x"] * deep) + " > 0",
        "- " * deep + "x > 0",
        "not " * (deep + 1) + "b",
        " or ".join(["b"] * deep),
        " -> ".join(["b"] * deep),
        "(" + "if b then x else " * deep + "x) > 0",
        "abs(" * deep + "x" + ")" * deep + "> 0",
        "(" * deep + "b" + " == b)" * deep,
    ):
        expression = parse_expression(text)
        assert hash(expression) == hash(parse_expression(text))
        assert expression == parse_expression(text)
        assert repr(expression)
        values: dict[str, Value] = {"x": Fraction(1), "b": True}
        assert compile_expression(expression, scope)(values) == evaluate(expression, scope, values)
