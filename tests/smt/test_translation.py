"""The solver's arithmetic is the evaluator's: on thousands of random expressions and valuations."""

from fractions import Fraction
from functools import cache, reduce
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies.expressions import SCOPE, typed_expressions, valuations

from fullproof.language import Scope, evaluate, literal, parse_expression, substitute
from fullproof.language.syntax import Binary, Comparison, Expression, Name, Unary
from fullproof.language.types import IntType, RealType, Value, Variable
from fullproof.smt import Sat, Solver, Unsat, open_solver


def _equal(expression: Expression, value: Value) -> Expression:
    return Comparison((expression, literal(value)), ("==",))


def _all(conditions: list[Expression]) -> Expression:
    return reduce(lambda left, right: Binary("and", left, right), conditions)


@given(st.lists(typed_expressions(), min_size=12, max_size=12), valuations)
@settings(max_examples=250)
def test_ground_terms(expressions: list[Expression], values: dict[str, Value]) -> None:
    """Numbers are substituted, so that z3's simplifier computes; 3000 pairs, twelve in one question."""
    numbers = {name: literal(value) for name, value in values.items() if not isinstance(value, str)}
    facts = [_equal(substitute(e, numbers), evaluate(e, SCOPE, values)) for e in expressions]
    solver = open_solver(SCOPE)
    solver.add(*(_equal(Name(name), value) for name, value in values.items() if isinstance(value, str)))
    assert solver.check_assuming(Unary("not", _all(facts))) == Unsat()


@given(st.lists(typed_expressions(depth=3), min_size=8, max_size=8), valuations)
@settings(max_examples=150)
def test_terms_with_variables(expressions: list[Expression], values: dict[str, Value]) -> None:
    """Variables keep their names and are pinned by equations, so that z3's theories compute."""
    solver = open_solver(SCOPE)
    solver.add(*(_equal(Name(name), value) for name, value in values.items()))
    facts = _all([_equal(e, evaluate(e, SCOPE, values)) for e in expressions])
    assert solver.check_assuming(facts) == Sat(values)
    assert solver.check_assuming(Unary("not", facts)) == Unsat()


NUMBERS: list[int | Fraction] = [-3, -2, -1, 0, 1, 2, 3, Fraction(-5, 2), Fraction(0), Fraction(1, 3), Fraction(2)]


@pytest.mark.parametrize(
    "text", ["a / b", "a % b", "a ** -2 + b", "floor(a / b)", "floor(a) % floor(b)", "a % (b * b)"]
)
def test_division_and_remainder_of_variables(text: str) -> None:
    """Nothing is left open: not what a divisor of zero yields, nor the sign of a remainder."""
    expression = parse_expression(text)
    for a, b in product(NUMBERS, NUMBERS):
        values: dict[str, Value] = {"a": a, "b": b}
        types = {name: IntType() if isinstance(value, int) else RealType() for name, value in values.items()}
        scope = Scope(tuple(Variable(name=name, type=type_) for name, type_ in types.items()))
        fact = _equal(expression, evaluate(expression, scope, values))
        solver = _solver(scope)
        assert solver.check_assuming(_equal(Name("a"), a), _equal(Name("b"), b), Unary("not", fact)) == Unsat()


@cache
def _solver(scope: Scope) -> Solver:
    return open_solver(scope)
