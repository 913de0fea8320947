"""The formula without outputs holds exactly where some output exists."""

import time

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles.symbolic import valuations

from fullproof.language.compile import compile_expression
from fullproof.language.elimination import eliminated
from fullproof.language.formulas import conjunction
from fullproof.language.parser import parse_expression
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal, substitute
from fullproof.language.traversal import free_names
from fullproof.language.types import IntType, RealType, Variable
from fullproof.smt import Sat, open_solver

X = Variable(name="x", type=IntType(-3, 3))
operators = st.sampled_from(["<", "<=", "==", ">", ">="])
terms = st.one_of(st.integers(-4, 25).map(str), st.sampled_from(["x", "-x", "2 * x + 1", "x / 2", "x * x", "k - x"]))
sides = st.sampled_from(["y", "-y", "y + x", "x - y", "2 * y", "y * -3", "y / k", "1 - (y - x)", "y - z", "z + y"])
comparisons = st.builds("{} {} {}".format, sides, operators, terms) | st.builds(
    "{} {} {}".format, terms, operators, sides
)
formulas = st.lists(comparisons, min_size=1, max_size=3).map(lambda parts: " and ".join(parts))


@given(formulas)
@settings(max_examples=150)
def test_whole_outputs(text):
    outputs = (Variable(name="y", type=IntType(-20, 20)), Variable(name="z", type=IntType(0, 18)))
    scope = Scope((X, *outputs), {"k": 2})
    formula = parse_expression(text)
    rest = eliminated(outputs, formula, scope)
    assume(rest is not None)
    assert not free_names(rest) & {"y", "z"}
    holds, remains = compile_expression(formula, scope), compile_expression(rest, scope)
    for x in valuations([X]):
        assert remains(x) == any(holds(x | y) for y in valuations(outputs))


@given(formulas, st.sampled_from([RealType(), RealType(0, None), RealType(-2, 2), IntType(), IntType(1, None)]))
@settings(max_examples=80)
def test_unbounded_and_real_outputs(text, type_):
    outputs = (Variable(name="y", type=type_), Variable(name="z", type=RealType()))
    scope = Scope((X, *outputs), {"k": 2})
    formula = parse_expression(text)
    rest = eliminated(outputs, formula, scope)
    assume(rest is not None)
    remains = compile_expression(rest, scope)
    solver = open_solver(scope)
    for x in valuations([X]):
        at_x = substitute(formula, {name: literal(value) for name, value in x.items()})
        assert remains(x) == isinstance(solver.check_assuming(at_x), Sat)


def test_values_are_not_tried_out_without_end():
    outputs = tuple(Variable(name=f"y{k}", type=IntType(0, 15)) for k in range(8))
    scope = Scope((X, *outputs))
    total = parse_expression(" + ".join(variable.name for variable in outputs) + " == x or x > 1")
    begin = time.perf_counter()
    assert eliminated(outputs, total, scope) is None
    assert time.perf_counter() - begin < 5


def test_what_no_rule_fits_is_left_alone():
    outputs = (Variable(name="y", type=RealType()),)
    scope = Scope((X, *outputs))
    for text in ("y * y == x", "y != x", "y == x or y > 3", "y < y + x"):
        assert eliminated(outputs, parse_expression(text), scope) is None
    assert eliminated(outputs, parse_expression("x > 2"), scope) == parse_expression("x > 2")
    assert eliminated((), conjunction([]), scope) == conjunction([])
