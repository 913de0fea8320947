"""Declarations of variables, and values from outside."""

import json
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullproof.core.errors import Place, UserError
from fullproof.language import in_range, parse_declaration, value_from_json
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Type, Value, Variable

CONSTANTS = {"max": 100, "B": Fraction(9, 10), "on": True}


@pytest.mark.parametrize(
    ("text", "type_", "initial", "tolerance"),
    [
        ("bool", BoolType(), None, None),
        ("bool = true", BoolType(), True, None),
        ("bool = on and not on", BoolType(), False, None),
        ("int", IntType(), None, None),
        ("int = -3", IntType(), -3, None),
        ("int 0..10", IntType(0, 10), None, None),
        ("int -5 .. -2 = -3", IntType(-5, -2), -3, None),
        ("int 0..max = max", IntType(0, 100), 100, None),
        ("int 0..floor(max / 3)", IntType(0, 33), None, None),
        ("int 0..", IntType(0, None), None, None),
        ("int ..5", IntType(None, 5), None, None),
        ("int 3..3", IntType(3, 3), None, None),
        ("real", RealType(), None, None),
        ("real 0..400 = 3 ~ 1e-6", RealType(Fraction(0), Fraction(400)), Fraction(3), Fraction(1, 10**6)),
        ("real B..max/3", RealType(Fraction(9, 10), Fraction(100, 3)), None, None),
        ("real ..0.5", RealType(None, Fraction(1, 2)), None, None),
        ("real = 20/3", RealType(), Fraction(20, 3), None),
        ("real ~ 0", RealType(), None, Fraction(0)),
        ("enum O, W, A", EnumType(("O", "W", "A")), None, None),
        ("enum O,W,A=W", EnumType(("O", "W", "A")), "W", None),
        ("enum X, max = max", EnumType(("X", "max")), "max", None),
        ("enum only", EnumType(("only",)), None, None),
    ],
)
def test_declarations(text: str, type_: Type, initial: Value | None, tolerance: Fraction | None) -> None:
    variable = parse_declaration(text, name="v", constants=CONSTANTS)
    assert variable == Variable(name="v", type=type_, initial=initial, tolerance=tolerance)
    assert type(variable.initial) is type(initial)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 10, "the text is empty; expected bool, int, real, enum, string or list"),
        ("float", 10, "unknown type 'float'; did you mean 'real'?"),
        ("Int 0..3", 10, "unknown type 'Int'; did you mean 'int'?"),
        ("rael", 10, "unknown type 'rael'; did you mean 'real'?"),
        ("vector", 10, "unknown type 'vector'; expected one of bool, enum, int, list, real, string"),
        ("0..10", 10, "unknown type '0'; expected one of bool, enum, int, list, real, string"),
        ("real 5..3", 15, "the range 5..3 is empty"),
        ("int max..B", 19, "B is real, but the bound is int; use floor(...)"),
        ("int 0..true", 17, "true is bool, but the bound is int"),
        ("int 0..maxx", 17, "unknown name 'maxx'; did you mean 'max'?"),
        ("int 0 10", 16, "unexpected '10'; expected a range such as 0..10"),
        ("real 0...5", 18, "unexpected '.'; a number has digits on both sides of its point, as in 0.5 and 5.0"),
        ("bool 0..1", 15, "unexpected '0'; expected '=' or the end"),
        ("bool = 1", 17, "1 is int, but v is bool"),
        ("int = 2.5", 16, "2.5 is real, but v is int; use floor(...)"),
        ("int 0..3 = 7", 21, "initial value 7 lies outside int 0..3"),
        ("int 0..3 == 2", 19, "unexpected '=='; did you mean =?"),
        ("real 0..3 =", 21, "the text ends too early; expected a value"),
        ("real ~ -1", 17, "a tolerance must be >= 0, got -1"),
        ("int ~ 1", 16, "only a real has a tolerance"),
        ("enum", 14, "the text ends too early; expected a name"),
        ("enum A B", 17, "unexpected 'B'; expected ',', '=' or the end"),
        ("enum A, A", 18, "enum value 'A' is listed twice"),
        ("enum A, true", 18, "'true' is a word of the language and cannot be a name"),
        ("enum 1, 2", 15, "unexpected '1'; expected a name"),
        ("enum On, Off = On2", 25, "initial value 'On2' is not in enum On, Off; did you mean 'On'?"),
        ("enum On, Off = 1 + 2", 25, "initial value '1 + 2' is not in enum On, Off"),
    ],
)
def test_errors(text: str, column: int, message: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_declaration(text, name="v", constants=CONSTANTS, at=Place(file="m", line=3, column=10))
    assert (caught.value.at.column, caught.value.message) == (column, message)


@pytest.mark.parametrize("name", ["", "if", "true", "a b", "1a", "x@1", "a-b"])
def test_names_must_be_readable(name: str) -> None:
    with pytest.raises(UserError, match="name"):
        parse_declaration("int", name=name, constants={})


LIGHT = EnumType(("O", "W", "A"))


@pytest.mark.parametrize(
    ("raw", "type_", "value"),
    [
        (True, BoolType(), True),
        (3, IntType(), 3),
        (3.0, IntType(), 3),
        ("3", IntType(), 3),
        (3, RealType(), Fraction(3)),
        (0.1, RealType(), Fraction(1, 10)),
        (1e-7, RealType(), Fraction(1, 10**7)),
        ("20/3", RealType(), Fraction(20, 3)),
        ("-20 / 3", RealType(), Fraction(-20, 3)),
        ("1e-3", RealType(), Fraction(1, 1000)),
        (Decimal("0.30"), RealType(), Fraction(3, 10)),
        (Fraction(1, 3), RealType(), Fraction(1, 3)),
        ("W", LIGHT, "W"),
    ],
)
def test_values_from_outside(raw: object, type_: Type, value: Value) -> None:
    found = value_from_json(raw, type_)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("raw", "type_"),
    [
        (1, BoolType()),
        ("true", BoolType()),
        (None, BoolType()),
        (True, IntType()),
        (2.5, IntType()),
        ("2.5", IntType()),
        ("", IntType()),
        ("٣", IntType()),
        ("1_000", IntType()),
        (False, RealType()),
        (float("nan"), RealType()),
        (float("-inf"), RealType()),
        (Decimal("NaN"), RealType()),
        ("inf", RealType()),
        ("1/0", RealType()),
        ("1e999999999", RealType()),
        ("1e9999999999999999", RealType()),
        ("1" * 2000, RealType()),
        (10**2000, RealType()),
        ([1], RealType()),
        ({}, LIGHT),
        ("w", LIGHT),
        (1, LIGHT),
    ],
)
def test_values_that_are_none(raw: object, type_: Type) -> None:
    with pytest.raises(UserError):
        value_from_json(raw, type_)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda inner: st.lists(inner, max_size=2)
)


@given(json_values, st.sampled_from([BoolType(), IntType(), RealType(), LIGHT]))
def test_any_json_is_a_value_of_the_type_or_a_user_error(raw: object, type_: Type) -> None:
    try:
        value = value_from_json(json.loads(json.dumps(raw)), type_)
    except UserError as error:
        assert error.message
    else:
        assert in_range(value, type_)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_count_as_written(raw: float) -> None:
    value = value_from_json(raw, RealType())
    assert value == Fraction(repr(raw))
    assert isinstance(value, Fraction)
    assert float(value) == raw


def test_ranges() -> None:
    assert in_range(3, IntType(3, 3))
    assert not in_range(4, IntType(3, 3))
    assert not in_range(True, IntType())
    assert not in_range(Fraction(3), IntType())
    assert in_range(3, RealType(Fraction(0)))
    assert not in_range(Fraction(-1, 3), RealType(Fraction(0)))
    assert in_range("W", LIGHT)
    assert not in_range("w", LIGHT)
    assert not in_range("3", RealType())
    assert not in_range(1, BoolType())
