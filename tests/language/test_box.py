from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies.expressions import LIGHT, MODE, SCOPE, conditions, valuations

from fullproof.language.box import Box, Choices, Interval, box_of
from fullproof.language.evaluate import evaluate
from fullproof.language.parser import parse_expression
from fullproof.language.syntax import Binary, Comparison, Integer, Name, Unary
from fullproof.language.values import in_range

VALUES = {"p": True, "X": False, "i": 2, "j": 3, "r": Fraction(1, 2), "s": Fraction(5), "light": "W", "mode": "W"}


def box(text: str, *names: str):
    unknowns = tuple(v for v in SCOPE.variables if v.name in names)
    known = {name: value for name, value in VALUES.items() if name not in names}
    return box_of(parse_expression(text), SCOPE, known, unknowns)


@pytest.mark.parametrize(
    ("text", "name", "side"),
    [
        ("r == i / 4", "r", Interval(low=Fraction(1, 2), high=Fraction(1, 2))),
        ("0 <= r < i and r < 1.5", "r", Interval(low=Fraction(0), high=Fraction(3, 2), high_open=True)),
        ("not (r > 3 or r <= 1) or false", "r", None),
        ("1 < i <= 4.5", "i", Interval(low=Fraction(2), high=Fraction(4), whole=True)),
        ("j > -100", "j", Interval(low=Fraction(-6), high=Fraction(6), whole=True)),
        ("s != 7", "s", Interval(low=Fraction(-6), high=Fraction(6))),
        ("s != 5", "s", None),
        ("r * 2 == 1", "r", None),
        ("light < A", "light", Choices(("O", "W"))),
        ("mode < U", "mode", Choices(("W", "O"))),
        ("O < W <= light", "light", Choices(("W", "A"))),
        ("O < W <= mode", "mode", Choices(())),
        ("light != W", "light", Choices(("O", "A"))),
        ("p and i == 2", "p", Choices((True,))),
        ("not p", "p", Choices((False,))),
        ("p == (i > 5)", "p", Choices((False,))),
        ("i > 5 and r == 1", "r", Choices(())),
    ],
)
def test_sides(text, name, side):
    found = box(text, name)
    assert found == (None if side is None else Box({name: side}))


def test_sides_do_not_depend_on_each_other():
    found = box("r <= i and light == A", "r", "light")
    assert found.sides == {"r": Interval(high=Fraction(2)), "light": Choices(("A",))}
    assert box("r == s", "r", "s") is None


operands = st.sampled_from([Name(n) for n in ("i", "j", "r", "s", "k", "third")]) | st.integers(0, 9).map(Integer)
numeric = st.builds(
    lambda parts, signs: Comparison(tuple(parts), tuple(signs[: len(parts) - 1])),
    st.lists(operands, min_size=2, max_size=3),
    st.lists(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), min_size=2, max_size=2),
)
lights = st.builds(
    lambda value, sign, turned: Comparison((value, Name("light")) if turned else (Name("light"), value), (sign,)),
    st.sampled_from([Name(n) for n in LIGHT.values]),
    st.sampled_from(["==", "!=", "<", ">="]),
    st.booleans(),
)
atoms = numeric | lights | st.sampled_from([Name("p"), Name("X")])
conjunctions = st.recursive(
    atoms,
    lambda inner: (
        st.builds(Binary, st.sampled_from(["and", "and", "or"]), inner, inner) | st.builds(Unary, st.just("not"), inner)
    ),
)


@given(conjunctions | conditions(), valuations, valuations, st.sets(st.sampled_from(sorted(VALUES))))
def test_a_box_holds_exactly_what_satisfies_the_expression(expression, known, tried, names):
    unknowns = tuple(v for v in SCOPE.variables if v.name in names)
    found = box_of(expression, SCOPE, {n: v for n, v in known.items() if n not in names}, unknowns)
    if found is None:
        return
    candidate = {v.name: tried[v.name] for v in unknowns}
    assert all(in_range(candidate[v.name], v.type) for v in unknowns)
    inside = not found.contradiction and all(candidate[name] in found.sides[name] for name in candidate)
    assert inside == evaluate(expression, SCOPE, known | candidate)
    assert not (inside and found.is_empty())


def test_the_enums_of_these_tests_share_values_in_another_order():
    assert LIGHT.values.index("O") < LIGHT.values.index("W")
    assert MODE.values.index("O") > MODE.values.index("W")
