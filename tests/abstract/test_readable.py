"""Formulas of classes mean what the sign vectors say, and read as a person would write them."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.valuations import every
from tests.shared import REFERENCE
from tests.strategies.symbolic import models, wild_models

from fullproof.abstract.alphabet import alphabet_of, scope_of
from fullproof.abstract.classes import io_classes
from fullproof.abstract.number_sets import NumberSet
from fullproof.abstract.polynomials import polynomial_of, solutions, sum_of
from fullproof.abstract.readable import Formula, readable_formulas
from fullproof.abstract.set_text import numbers_text
from fullproof.artefacts.abstraction import IoClasses
from fullproof.formats import read_model
from fullproof.language.evaluate import evaluate
from fullproof.language.parser import parse_declaration, parse_expression
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import conjunction
from fullproof.language.syntax import Binary, Unary
from fullproof.language.types import IntType, RealType, Variable
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition
from fullproof.smt import Sat, open_solver

BRAKE = """\
x == 200 and y == 0
x == 200 and y in [0.9, 1.1]
x == 200 and y == 2
x == 200 and y in (0, 0.9)
x == 200 and y >= 1.9 and y != 2
x == 200 and y in (1.1, 1.9)
x == 190 and y == 0
x == 190 and y in [0.9, 1.1]
x == 190 and y == 1.9
x == 190 and y == 3
x == 190 and y in (0, 0.9)
x == 190 and y > 1.9 and y != 3
x == 190 and y in (1.1, 1.9)
x in (190, 200) and y == 0
x in (190, 200) and y in [0.9, 1.1]
x in (190, 200) and y == x / 100
x in (190, 200) and y == 2 + (x - 200) ** 2 / 100
x in (190, 200) and y in (0, 0.9)
x in (190, 200) and y >= 1.9 and y != x / 100 and y != 2 + (x - 200) ** 2 / 100
x in (190, 200) and y in (1.1, 1.9)
x == 0 and y == 0
x in (0, 190) and y == 0
x in [90, 110] and y == x / 100
x in [0, 190) and y in [0.9, 1.1] and y != x / 100
x in (0, 90) and y == x / 100
x in (110, 190) and y == x / 100
x in [0, 190) and y == 2 + (x - 200) ** 2 / 100
x in [0, 190) and y in (0, 0.9) and y != x / 100
x in [0, 190) and y >= 1.9 and y != 2 + (x - 200) ** 2 / 100
x in [0, 190) and y in (1.1, 1.9) and y != x / 100
x in (200, 400] and y == 0
x in (200, 400] and y in [0.9, 1.1]
x == 201 and y == 2.01
x in (200, 400] and x != 201 and y == x / 100
x in (200, 400] and x != 201 and y == 2 + (x - 200) ** 2 / 100
x in (200, 400] and y in (0, 0.9)
x in (200, 400] and y >= 1.9 and y != x / 100 and y != 2 + (x - 200) ** 2 / 100
x in (200, 400] and y in (1.1, 1.9)
"""
"""Table 2.3 with its errata mended, in the order of our ids."""


def formulas(model: Sfsm) -> tuple[IoClasses, list[Formula]]:
    classes = io_classes(model, alphabet_of(model, properties=model.description.properties))
    return classes, list(readable_formulas(model, classes))


def test_brakes_classes_read_as_in_the_paper() -> None:
    _, found = formulas(read_model(REFERENCE / "brake/brake.yaml"))
    assert "".join(f"{formula.text}\n" for formula in found) == BRAKE


@settings(max_examples=25, deadline=None)
@given(st.one_of(models(), wild_models()))
def test_conditions_hold_where_the_signs_say(model: Sfsm) -> None:
    classes, found = formulas(model)
    scope = scope_of(model)
    by_signs = {c.signs: formula for c, formula in zip(classes.classes, found, strict=True)}
    for values in every(scope.variables):
        signs = tuple(evaluate(e, scope, values) for e in classes.alphabet.expressions)
        for other, formula in by_signs.items():
            assert evaluate(formula.condition, scope, values) == (other == signs), formula.text


@settings(max_examples=15, deadline=None)
@given(models(reals=True, most=3))
def test_conditions_on_reals_are_equivalent_to_the_signs(model: Sfsm) -> None:
    classes, found = formulas(model)
    solver = open_solver(scope_of(model))
    for c, formula in zip(classes.classes, found, strict=True):
        literals = [
            e if sign else Unary("not", e) for e, sign in zip(classes.alphabet.expressions, c.signs, strict=True)
        ]
        one, other = conjunction(literals), formula.condition
        assert not isinstance(solver.check_assuming(one, Unary("not", other)), Sat)
        assert not isinstance(solver.check_assuming(other, Unary("not", one)), Sat), formula.text


@settings(max_examples=15, deadline=None)
@given(st.one_of(models(), models(reals=True, most=3)))
def test_texts_say_what_the_conditions_say(model: Sfsm) -> None:
    """The text is read by a reader of its own: sets become comparisons, the rest is an expression."""
    classes, found = formulas(model)
    scope = scope_of(model)
    for formula in found:
        read = parse_expression(_without_sets(formula.text))
        for c in classes.classes:
            assert evaluate(read, scope, c.witness) == evaluate(formula.condition, scope, c.witness), formula.text


def _without_sets(text: str) -> str:
    """``x in (190, 200)`` as ``(x > 190 and x < 200)``."""
    while " in " in text:
        before, _, after = text.partition(" in ")
        name = before.split()[-1].lstrip("(")
        head = before[: len(before) - len(name)]
        if after[0] == "{":
            members, _, rest = after[1:].partition("}")
            inside = " or ".join(f"{name} == {member}" for member in members.split(", "))
        elif after[0] in "[(":
            end = min(k for k, sign in enumerate(after) if sign in "])" and k)
            low, high = after[1:end].split(", ")
            first, last = (">=" if after[0] == "[" else ">"), ("<=" if after[end] == "]" else "<")
            inside = f"{name} {first} {low} and {name} {last} {high}"
            rest = after[end + 1 :]
        else:
            span, _, rest = after.partition(" ")
            closing = ")" * (len(span) - len(span.rstrip(")")))
            low, high = span.rstrip(")").split("..")
            inside, rest = f"{name} >= {low} and {name} <= {high}", closing + (f" {rest}" if rest else "")
        text = f"{head}({inside}){rest}"
    return text


REAL = NumberSet.within(None, None, whole=False)


@pytest.mark.parametrize(
    ("declared", "condition", "text"),
    [
        ("real", "x > 1", "x > 1"),
        ("real 0..", "not (0.9 <= x <= 1.1)", "(x in [0, 0.9) or x > 1.1)"),
        ("real", "not (x == 1 or x == 2)", "x != 1 and x != 2"),
        ("real 0..5", "x > 1 and x != 3", "x in (1, 5] and x != 3"),
        ("real", "x == 1 or x == 3", "x in {1, 3}"),
        ("real", "x * x < 4", "x in (-2, 2)"),
        ("real", "x * x >= 4", "(x <= -2 or x >= 2)"),
        ("real", "3 * x == 1", "x == 1/3"),
        ("int", "2 < x < 7.5", "x in 3..7"),
        ("int", "x < 3.2", "x <= 3"),
        ("int 0..9", "x != 4", "x != 4"),
        ("int 0..4", "x == 1 or x == 2 or x == 4", "x in {1, 2, 4}"),
        ("int 0..99", "x > 2 -> x > 7", "(x in 0..2 or x in 8..99)"),
        ("int 0..4", "x >= 0", "true"),
        ("int 0..9", "x % 3 == 0", "x % 3 == 0"),
        ("bool", "not x", "not x"),
        ("enum O, W, A, B", "x < A", "x in {O, W}"),
        ("enum O, W, A", "x != W", "x != W"),
        ("enum O, W, A", "x == W", "x == W"),
    ],
)
def test_sets_of_values(declared: str, condition: str, text: str) -> None:
    variable = parse_declaration(declared, name="x", constants={})
    step = SfsmTransition(source="s", guard=parse_expression(condition), output=parse_expression("true"), target="s")
    model = Sfsm(name="m", initial="s", states=("s",), inputs=(variable,), outputs=(), transitions=(step,))
    _, found = formulas(model)
    assert found[0].text == text


def _one(output: str, **declared: str) -> str:
    """The formula of the class in which an output expression holds."""
    variables = {name: parse_declaration(text, name=name, constants={}) for name, text in declared.items()}
    step = SfsmTransition(source="s", guard=parse_expression("true"), output=parse_expression(output), target="s")
    inputs = tuple(v for name, v in variables.items() if name in "xzb")
    outputs = tuple(v for name, v in variables.items() if name not in "xzb")
    _, found = formulas(Sfsm(name="m", initial="s", states=("s",), inputs=inputs, outputs=outputs, transitions=(step,)))
    return found[0].text


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("2 * y == x + 4", "y == x / 2 + 2"),
        ("x == 3 and y == 2 * x + z", "x == 3 and y == z + 6"),
        ("3 * x - y > z", "y < 3 * x - z"),
        ("y == x and y > 3 and y < x + 1", "x > 3 and y == x"),
        ("y == x * z", "y == x * z"),
        ("x == 2 and z == 3 and y == x * z", "x == 2 and z == 3 and y == 6"),
        ("y == x or y == z", "(y == x or y == z)"),
        ("if b then y == 1 else y == x", "(if b then y == 1 else y == x)"),
        ("b and (if b then y == 1 else y == x)", "b and y == 1"),
        ("y == x and w == y + 1", "y == x and w == x + 1"),
    ],
)
def test_equations(output: str, text: str) -> None:
    assert _one(output, x="real", z="real", b="bool", y="real", w="real") == text


_numbers = st.fractions(-3, 3, max_denominator=4)
_operators = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
_sets = st.recursive(
    st.tuples(_operators, _numbers),
    lambda inner: st.one_of(st.tuples(st.just("not"), inner), st.tuples(st.sampled_from(["and", "or"]), inner, inner)),
    max_leaves=6,
)


def _built(tree: tuple, whole: bool) -> NumberSet:
    match tree:
        case ("not", inner):
            return _built(inner, whole).complement()
        case ("and", left, right):
            return _built(left, whole) & _built(right, whole)
        case ("or", left, right):
            return _built(left, whole) | _built(right, whole)
        case (operator, value):
            return NumberSet.related(operator, value, whole=whole)


def _member(tree: tuple, value: Fraction) -> bool:
    match tree:
        case ("not", inner):
            return not _member(inner, value)
        case ("and", left, right):
            return _member(left, value) and _member(right, value)
        case ("or", left, right):
            return _member(left, value) or _member(right, value)
        case (operator, bound):
            return bool(evaluate(parse_expression(f"x {operator} ({bound})"), _scope(RealType()), {"x": value}))


def _scope(type_: IntType | RealType) -> Scope:
    return Scope((Variable(name="x", type=type_),))


@settings(max_examples=50, deadline=None)
@given(_sets, st.booleans())
def test_sets_of_numbers(tree: tuple, whole: bool) -> None:
    numbers = _built(tree, whole)
    condition = numbers.condition("x")
    for k in range(-48, 49):
        value = Fraction(k, 12)
        if whole and value.denominator != 1:
            continue
        shown = int(value) if whole else value
        assert evaluate(condition, _scope(IntType() if whole else RealType()), {"x": shown}) == _member(tree, value)
    assert numbers.complement().complement() == numbers
    if not numbers.is_empty() and not numbers.complement().is_empty():
        universe = NumberSet.within(None, None, whole=whole)
        read = parse_expression(_without_sets(" and ".join(numbers_text("x", numbers, universe))))
        for k in range(-8, 9):
            value = k if whole else Fraction(k, 2)
            assert evaluate(read, _scope(IntType() if whole else RealType()), {"x": value}) == _member(
                tree, Fraction(value)
            )


@settings(max_examples=50, deadline=None)
@given(_numbers, _numbers, _numbers, _operators, st.booleans())
def test_quadratics(a: Fraction, b: Fraction, c: Fraction, operator: str, whole: bool) -> None:
    scope = _scope(IntType() if whole else RealType())
    text = f"({a}) * x ** 2 + ({b}) * x + ({c})"
    difference = polynomial_of(parse_expression(text), scope)
    assert difference is not None
    if not difference.variables:
        return
    numbers = solutions(difference, operator, whole=whole)
    if numbers is None:
        return
    for k in range(-24, 25):
        value = k if whole else Fraction(k, 4)
        expected = evaluate(parse_expression(f"{text} {operator} 0"), scope, {"x": value})
        assert evaluate(numbers.condition("x"), scope, {"x": value}) == expected


@settings(max_examples=40, deadline=None)
@given(_numbers, _numbers, st.integers(-3, 3))
def test_sums_keep_their_value(a: Fraction, c: Fraction, value: int) -> None:
    scope = _scope(RealType())
    term = parse_expression(f"({a}) * x + ({c}) - x / 3")
    polynomial = polynomial_of(term, scope)
    assert polynomial is not None
    at = {"x": Fraction(value, 2)}
    assert evaluate(Binary("-", sum_of(polynomial), term), scope, at) == 0
