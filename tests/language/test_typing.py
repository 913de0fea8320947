"""Types and their errors."""

from fractions import Fraction

import pytest
from hypothesis import given
from tests.strategies.expressions import trees

from fullproof.core.errors import Place, UserError
from fullproof.language import Scope, expect_boolean, expect_type, infer, parse_expression, parse_formula
from fullproof.language.scope import EnumValue
from fullproof.language.syntax import Expression
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Type, Variable

OWA, WO = EnumType(("O", "W", "A")), EnumType(("W", "O"))
SCOPE = Scope(
    (
        Variable(name="x", type=RealType(Fraction(0), Fraction(400))),
        Variable(name="n", type=IntType()),
        Variable(name="b", type=BoolType()),
        Variable(name="y", type=OWA),
        Variable(name="z", type=WO),
    ),
    {"max": 100, "B": Fraction(9, 10), "on": True},
)


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("x", RealType(Fraction(0), Fraction(400))),
        ("x + n", RealType()),
        ("n + max", IntType()),
        ("n / 2", RealType()),
        ("n % 3", IntType()),
        ("n % B", RealType()),
        ("floor(x)", IntType()),
        ("abs(n)", IntType()),
        ("min(n, 2, x)", RealType()),
        ("n ** 2", IntType()),
        ("n ** -1", RealType()),
        ("n ** (max - 98)", IntType()),
        ("2.0", RealType()),
        ("if b then 1 else 2.5", RealType()),
        ("if b then W else y", OWA),
        ("A", OWA),
        ("b == (x > 3)", BoolType()),
        ("on", BoolType()),
        ("W == O", BoolType()),
        ("y == W", BoolType()),
        ("0 <= x < n <= 3.5", BoolType()),
    ],
)
def test_types(text: str, type_: Type) -> None:
    assert infer(parse_expression(text), SCOPE) == type_


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("b and x == W", 18, "x is real, cannot be compared with enum value W"),
        ("y == 3", 12, "y is enum O, W, A, cannot be compared with int 3"),
        ("y == z", 12, "y is enum O, W, A, cannot be compared with enum z"),
        ("0 <= x == b", 17, "x is real, cannot be compared with bool b"),
        ("W < O", 12, "W belongs to several enum types, so < has no meaning"),
        ("W", 12, "W belongs to several enum types; compare it with a variable"),
        ("b < on", 12, "b is bool, truth values have no order: < cannot compare them"),
        ("1 + b", 16, "b is bool, + needs a number"),
        ("-y", 13, "y is enum O, W, A, - needs a number"),
        ("min(x, A)", 19, "A is an enum value, min needs a number"),
        ("abs(1, 2)", 12, "abs takes one argument, not 2"),
        ("not n", 16, "n is int, expected a condition (bool)"),
        ("b or x + 1", 17, "x + 1 is real, expected a condition (bool)"),
        ("if n then 1 else 2", 15, "n is int, expected a condition (bool)"),
        ("if b then 1 else y", 12, "1 is int, but after 'else' there is enum y"),
        ("x ** n", 17, "the exponent of ** must be an integer constant"),
        ("x ** 0.5", 17, "the exponent of ** must be an integer constant"),
        ("x ** 257", 17, "the exponent of ** must lie between -256 and 256"),
        ("2 ** 2 ** 2 ** 2 ** 2", 17, "the exponent of ** must lie between -256 and 256"),
        ("(x ** 20 + 1) ** 20", 13, "the exponents of nested ** multiply to more than 256"),
        ("xx", 12, "unknown name 'xx'; did you mean 'x'?"),
        ("TRUE", 12, "unknown name 'TRUE'; did you mean 'true'?"),
    ],
)
def test_errors(text: str, column: int, message: str) -> None:
    expression = parse_expression(text, at=Place(line=12, column=12))
    with pytest.raises(UserError) as caught:
        infer(expression, SCOPE)
    assert (caught.value.at.line, caught.value.at.column, caught.value.message) == (12, column, message)


@pytest.mark.parametrize(
    ("text", "expected", "message"),
    [
        ("n", RealType(), None),
        ("x", RealType(), None),
        ("n + 1", IntType(0, 3), None),
        ("W", OWA, None),
        ("W", WO, None),
        ("y", OWA, None),
        ("if b then W else O", WO, None),
        ("x / 2", IntType(), "x / 2 is real, but m is int; use floor(...)"),
        ("b", IntType(), "b is bool, but m is int"),
        ("n", BoolType(), "n is int, but m is bool"),
        ("y", WO, "y is enum O, W, A, but m is enum W, O"),
        ("A", WO, "A is an enum value, but m is enum W, O"),
    ],
)
def test_what_may_be_assigned(text: str, expected: Type, message: str | None) -> None:
    expression = parse_expression(text)
    if message is None:
        expect_type(expression, SCOPE, expected, what="m")
        return
    with pytest.raises(UserError) as caught:
        expect_type(expression, SCOPE, expected, what="m")
    assert caught.value.message == message


def test_conditions() -> None:
    expect_boolean(parse_formula("G(y == W -> X(b))"), SCOPE)
    with pytest.raises(UserError, match=r"x is real, expected a condition"):
        expect_boolean(parse_formula("G(x)"), SCOPE)


@given(trees)
def test_any_tree_has_a_type_or_a_user_error(tree: Expression) -> None:
    names = ("x", "y", "X", "F", "U", "max", "real", "ß")
    types = (RealType(), IntType(), BoolType(), OWA, WO, IntType(), RealType(), BoolType())
    scope = Scope(tuple(Variable(name=n, type=t) for n, t in zip(names, types, strict=True)), {"G": 2, "R": True})
    try:
        infer(tree, scope)
    except UserError as error:
        assert error.message


def test_no_name_has_two_meanings() -> None:
    x = Variable(name="x", type=RealType())
    for variables, constants, message in (
        ((x, x), {}, "'x' is a variable and also another variable"),
        ((x,), {"x": 3}, "'x' is a variable and also a constant"),
        ((x, Variable(name="y", type=EnumType(("x", "b")))), {}, "'x' is a value of 'y' and also a variable"),
        ((Variable(name="y", type=OWA),), {"A": 3}, "'A' is a value of 'y' and also a constant"),
        ((Variable(name="A", type=OWA),), {}, "'A' is a value of 'A' and also a variable"),
        ((), {"c": "W"}, "constant 'c' must be a bool, an int or a real"),
    ):
        with pytest.raises(UserError) as caught:
            Scope(variables, constants)
        assert caught.value.message == message


def test_scopes_are_values() -> None:
    x = Variable(name="x", type=RealType())
    assert Scope((x,), {"a": 1, "b": 2}) == Scope((x,), {"b": 2, "a": 1})
    assert hash(Scope((x,), {"a": 1, "b": 2})) == hash(Scope((x,), {"b": 2, "a": 1}))
    assert Scope((), {"a": 1}) != Scope((), {"a": True})
    assert Scope((x,)) != Scope()
    assert SCOPE.lookup("W") == EnumValue("W", (OWA, WO))
    with pytest.raises(TypeError):
        SCOPE.constants["max"] = 3  # type: ignore[index]
