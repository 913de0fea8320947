"""The solver's arithmetic is the evaluator's: on thousands of random expressions and valuations."""

from functools import reduce

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies.expressions import SCOPE, typed_expressions, valuations

from fullproof.language import evaluate, literal, substitute
from fullproof.language.syntax import Binary, Comparison, Expression, Name, Unary
from fullproof.language.types import Value
from fullproof.smt import Sat, Unsat, open_solver


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


@given(st.lists(typed_expressions(depth=3), min_size=4, max_size=4), valuations)
@settings(max_examples=100)
def test_terms_with_variables(expressions: list[Expression], values: dict[str, Value]) -> None:
    """Variables keep their names and are pinned by equations, so that z3's theories compute."""
    solver = open_solver(SCOPE)
    solver.add(*(_equal(Name(name), value) for name, value in values.items()))
    solver.add(*(_equal(e, evaluate(e, SCOPE, values)) for e in expressions))
    assert solver.check() == Sat(values)
