"""Text that parses back: expressions, formulas, values, declarations."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies.expressions import formulas, trees, typed_expressions

from fullproof.language import (
    Scope,
    conjunction,
    declaration_text,
    disjunction,
    evaluate,
    free_names,
    literal,
    parse_declaration,
    parse_expression,
    parse_formula,
    to_text,
    value_to_text,
)
from fullproof.language.syntax import Binary, Expression, Name
from fullproof.language.traversal import depth
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Type, Value, Variable


@given(trees | typed_expressions())
@settings(max_examples=500)
def test_expressions_parse_back(tree: Expression) -> None:
    assert parse_expression(to_text(tree)) == tree


@given(formulas)
@settings(max_examples=300)
def test_formulas_parse_back(tree: Expression) -> None:
    assert parse_formula(to_text(tree)) == tree


@pytest.mark.parametrize(
    "text",
    [
        "a or b and not c",
        "(a or b) and c",
        "a -> b -> c",
        "(a -> b) -> c",
        "x - (y - 1) - z",
        "x * (y / z) % 2",
        "-x ** 2",
        "(-x) ** 2",
        "(x ** 2) ** 3",
        "x ** 2 ** 3",
        "x ** -2",
        "B0 <= y <= B1",
        "(a == b) == c",
        "y == B2 + (x - vmax) ** 2 / c",
        "y == (if x > 0 then 1 else 2)",
        "if a then if b then 1 else 2 else 3",
        "max(1, if a then b else c)",
        "not (a and b)",
        "1.5e-20",
        "0.000001",
        "1e20",
        "100000.0",
    ],
)
def test_no_parentheses_more_than_needed(text: str) -> None:
    assert to_text(parse_expression(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "(y <= B1) W (x > vmax)",
        "G(y >= 1.9 -> X(y >= 1.9 or x < 190))",
        "a U (b U c)",
        "(a and b) U c -> d",
        "G(a) and b",
        "not F(a)",
    ],
)
def test_formulas_look_as_one_would_write_them(text: str) -> None:
    assert to_text(parse_formula(text)) == text


rationals = st.fractions() | st.builds(Fraction, st.integers(), st.integers(1, 10**6))
values: st.SearchStrategy[Value] = st.booleans() | st.integers() | rationals


@given(values)
def test_values_are_written_exactly(value: Value) -> None:
    expression = parse_expression(value_to_text(value))
    assert evaluate(expression, Scope(), {}) == value
    assert evaluate(literal(value), Scope(), {}) == value
    assert evaluate(parse_expression(to_text(literal(value))), Scope(), {}) == value


def test_long_chains_stay_shallow_and_parse_back() -> None:
    for size in (2, 31, 32, 33, 34, 63, 64, 65, 100, 1000, 5000):
        for word, join in (("and", conjunction), ("or", disjunction)):
            tree = parse_expression(f" {word} ".join(f"x{i}" for i in range(size)))
            assert depth(tree) <= 33
            assert parse_expression(to_text(tree)) == tree
            balanced = join(Name(f"x{i}") for i in range(size))
            assert depth(balanced) <= 14
            assert parse_expression(to_text(balanced)) == balanced
            assert free_names(tree) == free_names(balanced)


def test_chains_nested_to_the_left_come_back_as_they_are() -> None:
    for size in (32, 33, 34, 100):
        tree: Expression = Name("x")
        for i in range(size):
            tree = Binary("or", tree, Name(f"x{i}"))
        assert parse_expression(to_text(tree)) == tree


def test_values_look_as_one_would_write_them() -> None:
    written = [Fraction(20, 3), Fraction(-1, 4), Fraction(3), Fraction(1, 10**6), Fraction(10**30), 10**5, True, "O"]
    assert [value_to_text(v) for v in written] == [
        "20/3", "-0.25", "3", "0.000001", "1e30", "100000", "true", "O",
    ]  # fmt: skip


def _bounded(low: Fraction | None, high: Fraction | None) -> RealType:
    return RealType(low, high) if low is None or high is None or low <= high else RealType(high, low)


types: st.SearchStrategy[Type] = st.one_of(
    st.just(BoolType()),
    st.builds(_bounded, st.none() | rationals, st.none() | rationals),
    st.builds(
        lambda low, size: IntType(low, None if size is None else low + size),
        st.integers(),
        st.none() | st.integers(0, 100),
    ),
    st.builds(lambda high: IntType(None, high), st.none() | st.integers()),
    st.lists(st.sampled_from(["O", "W", "X", "F", "max", "real", "ß"]), min_size=1, unique=True).map(
        lambda names: EnumType(tuple(names))
    ),
)


@st.composite
def variables(draw: st.DrawFn) -> Variable:
    type_ = draw(types)
    initial: Value | None = None
    if draw(st.booleans()):
        match type_:
            case BoolType():
                initial = draw(st.booleans())
            case EnumType():
                initial = draw(st.sampled_from(type_.values))
            case IntType():
                initial = draw(st.integers(type_.low, type_.high))
            case RealType():
                initial = draw(st.fractions(type_.low, type_.high))
    tolerance = draw(st.none() | rationals.map(abs)) if isinstance(type_, RealType) else None
    return Variable(name="v", type=type_, initial=initial, tolerance=tolerance)


@given(variables())
@settings(max_examples=300)
def test_declarations_parse_back(variable: Variable) -> None:
    again = parse_declaration(declaration_text(variable), name="v", constants={})
    assert again == variable
    assert type(again.initial) is type(variable.initial)
