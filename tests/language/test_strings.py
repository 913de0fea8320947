"""Strings as numbers, and what expressions may do with them."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullproof.core.errors import UserError
from fullproof.language.compile import compile_expression
from fullproof.language.evaluate import evaluate
from fullproof.language.parser import parse_declaration, parse_expression
from fullproof.language.printer import declaration_text, to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.strings import LONGEST, StringValue, quoted, text_at, text_of
from fullproof.language.substitute import literal
from fullproof.language.syntax import Integer
from fullproof.language.type_inference import expect_boolean
from fullproof.language.types import IntType, StringType, Variable
from fullproof.language.values import coerce, in_range, value_from_json
from fullproof.smt import Sat, Unsat, open_solver

STRINGS = st.text(st.characters(exclude_categories=()), max_size=LONGEST + 40)
SCOPE = Scope(
    (
        Variable(name="a", type=StringType()),
        Variable(name="b", type=StringType()),
        Variable(name="n", type=IntType()),
    )
)


@given(STRINGS)
def test_a_string_has_one_number_and_that_stands_for_it(text):
    value = text_of(text)
    assert value.text == text
    assert text_at(int(value)).text == text
    assert text_of(text) == value
    assert pickle.loads(pickle.dumps(value)).text == text


@given(STRINGS, STRINGS)
def test_different_strings_have_different_numbers(one, two):
    assert (text_of(one) == text_of(two)) == (one == two)


@given(st.integers(-(10**60), 10**60))
def test_a_number_stands_for_one_string(number):
    assert int(text_at(number)) == number


@given(st.integers(10**500, 10**510), st.sampled_from([1, -1]))
def test_numbers_beyond_the_short_strings_stand_for_different_strings(number, sign):
    found = {text_at(sign * number).text, text_at(sign * number + 1).text, text_at(-sign * number).text}
    assert len(found) == 3
    assert all(text_at(int(text_of(text))).text == text for text in found)


def test_small_numbers_are_readable():
    assert [text_at(number).text for number in (0, -1, 1, -2, 2)] == ["", "a", "b", "c", "d"]


@pytest.mark.parametrize(
    "text", ["\ud800", "x" * 100_000, "y" * (LONGEST + 1), "\x00" * LONGEST, "\U0010ffff" * LONGEST]
)
def test_extremes(text):
    assert text_at(int(text_of(text))).text == text


@given(STRINGS)
def test_a_quoted_string_is_read_as_the_same(text):
    printed = quoted(text)
    assert "\n" not in printed
    assert parse_expression(printed) == literal(text_of(text))
    assert to_text(parse_expression(f"a == {printed}")) == f"a == {printed}"


@given(STRINGS, STRINGS)
def test_evaluation_compilation_and_solver_agree(one, two):
    values = {"a": text_of(one), "b": text_of(two), "n": 0}
    formula = parse_expression(f"(a == b or a != {quoted(two)}) and not b == {quoted(one)}")
    expect_boolean(formula, SCOPE)
    expected = (one == two or one != two) and two != one
    assert evaluate(formula, SCOPE, values) is expected
    assert compile_expression(formula, SCOPE)(values) is expected
    solver = open_solver(SCOPE)
    known = [parse_expression(f"a == {quoted(one)}"), parse_expression(f"b == {quoted(two)}")]
    answer = solver.check_assuming(formula, *known)
    assert isinstance(answer, Sat if expected else Unsat)
    if isinstance(answer, Sat):
        assert (answer.model["a"].text, answer.model["b"].text) == (one, two)


def test_the_solver_finds_other_strings_than_long_ones():
    long = "x" * 200
    answer = open_solver(SCOPE).check_assuming(
        parse_expression(f"a == {quoted(long)} and b != a and b != {quoted('y' * 300)}")
    )
    assert isinstance(answer, Sat)
    assert answer.model["a"].text == long
    assert answer.model["b"].text not in (long, "y" * 300)


def test_a_string_is_no_number_and_a_number_no_string():
    assert not in_range(text_of("a"), IntType())
    assert not in_range(1, StringType())
    assert in_range(coerce(1, StringType()), StringType())
    assert literal(text_of("b")) != Integer(1)
    with pytest.raises(UserError, match="3 is not a value of type string"):
        value_from_json(3, StringType())
    assert value_from_json("3", StringType()).text == "3"
    with pytest.raises(UserError, match="is not a value of type int"):
        value_from_json("a", IntType())


def test_declarations():
    variable = parse_declaration('string = "a \\"b\\" (c"', name="v", constants={})
    assert isinstance(variable.initial, StringValue)
    assert variable.initial.text == 'a "b" (c'
    assert declaration_text(variable) == 'string = "a \\"b\\" (c"'
    assert value_to_text(variable.initial) == '"a \\"b\\" (c"'


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ('a < "x"', 1, "a is string, strings have no order: < cannot compare them"),
        ('n == 0 and "a" >= b', 12, '"a" is string, strings have no order: >= cannot compare them'),
        ('a + "x" == b', 1, "a is string, + needs a number"),
        ("max(a, b) == a", 5, "a is string, max needs a number"),
        ("-a == b", 2, "a is string, - needs a number"),
        ("a == 3", 1, "a is string, cannot be compared with int 3"),
        ("n == a", 1, "n is int, cannot be compared with string a"),
        ("a == (if n > 0 then 3 else b)", 7, "3 is int, but after 'else' there is string b"),
        ("a", 1, "a is string, expected a condition (bool)"),
        ("a == 'x'", 6, 'unexpected "\'"; strings stand in double quotes'),
        ('a == "x', 6, "the string is never closed"),
        ('a == "\\q"', 6, "a string is written as in JSON: invalid \\escape"),
        ('a == "x\ny"', 6, "a string is written as in JSON: invalid control character at"),
        ('a == "(" and (b == ")"', 14, "'(' is never closed"),
    ],
)
def test_what_strings_cannot_do_is_said(text, column, message):
    with pytest.raises(UserError) as caught:
        expect_boolean(parse_expression(text), SCOPE)
    assert (caught.value.at.column, caught.value.message) == (column, message)
