"""Properties of symbolic machines: the published verdicts, and the same answers as with all values tried out."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.symbolic_products import Explicit
from tests.shared import REFERENCE
from tests.strategies.sfsms import INPUTS, OUTPUTS, sfsms

from fullproof.analysis.symbolic.common_scope import Pairing
from fullproof.analysis.symbolic.properties import PropertyHolds, PropertyViolated, satisfies
from fullproof.formats import read_model
from fullproof.language.compile import compile_expression
from fullproof.language.parser import parse_expression, parse_formula
from fullproof.language.scope import Scope
from fullproof.model import Sfsm


@pytest.mark.parametrize(
    ("model", "other", "name", "inputs"),
    [
        ("brake/brake", "brake/brake", "R1", None),
        ("brake/brake", "brake/brake", "R2", None),
        ("brake/brake", "brake/ibrake", "R1", None),
        ("brake/brake", "brake/ibrake", "R2", [201, 190]),
        ("alarm/alarm", "alarm/alarm", "R1", None),
        ("alarm/alarm", "alarm/early-alarm", "R1", [100]),
        ("alarm/alarm", "alarm/late-alarm", "R1", None),
        ("alarm/alarm8", "alarm/alarm8", "R1", None),
    ],
)
def test_published_machines(model: str, other: str, name: str, inputs: list[int] | None) -> None:
    reference = read_model(REFERENCE / f"{model}.yaml")
    formula = next(p.formula for p in reference.description.properties if p.name == name)
    found = satisfies(Pairing(reference).paired(read_model(REFERENCE / f"{other}.yaml")), formula)
    if inputs is None:
        assert found == PropertyHolds()
    else:
        assert isinstance(found, PropertyViolated)
        assert [letter.inputs["x"] for letter in found.trace] == inputs


BAD = -1
# What a formula still demands, as a number; each function says what is left after a letter where p and q hold or not.
SHAPES: dict[str, Callable[[int, bool, bool], int]] = {
    "G({p})": lambda _, p, q: 0 if p else BAD,
    "({p}) W ({q})": lambda left, p, q: left if left == 1 else 1 if q else 0 if p else BAD,
    "G(({p}) -> X({q}))": lambda due, p, q: BAD if due == 1 and not q else 1 if p else 0,
    "X(({p}) or ({q}))": lambda at, p, q: 1 if at == 0 else BAD if at == 1 and not (p or q) else 2,
}
atoms = st.sampled_from(["y < 10", "x > 2", "b", "e == A", "y == x", "e < A", "y > 4"])


def shortest_violation(model: Sfsm, shape: str, p: str, q: str) -> int | None:
    explicit = Explicit(model)
    scope = Scope(INPUTS + OUTPUTS)
    holds = [compile_expression(parse_expression(text), scope) for text in (p, q)]
    level = {(model.initial, 0)}
    seen, length = set(level), 0
    while level:
        length += 1
        following = set()
        for state, demand in level:
            for (x, y), targets in explicit.after[state].items():
                values = {**dict(x), **dict(y)}
                left = SHAPES[shape](demand, *(bool(test(values)) for test in holds))
                if left == BAD:
                    return length
                following |= {(target, left) for target in targets}
        level = following - seen
        seen |= level
    return None


@settings(max_examples=50, deadline=None)
@given(sfsms(), st.sampled_from(list(SHAPES)), atoms, atoms)
def test_as_with_all_values(model: Sfsm, shape: str, p: str, q: str) -> None:
    found = satisfies(Pairing(model).paired(model), parse_formula(shape.format(p=p, q=q)))
    length = shortest_violation(model, shape, p, q)
    if length is None:
        assert found == PropertyHolds()
    else:
        assert isinstance(found, PropertyViolated)
        assert len(found.trace) == length


def test_a_property_that_nothing_satisfies() -> None:
    model = read_model(REFERENCE / "alarm/alarm.yaml")
    found = satisfies(Pairing(model).paired(model), parse_formula("G(x < 5 and x > 6)"))
    assert found == PropertyViolated(())
