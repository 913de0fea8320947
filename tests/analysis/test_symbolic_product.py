"""Symbolic machines against each other: the published verdicts, and the same answers as letter by letter."""

import dataclasses
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.symbolic_products import shortest_difference
from tests.shared import REFERENCE
from tests.strategies.sfsm_pairs import pairs

from fullproof.analysis.conformance import RelationViolation
from fullproof.analysis.symbolic.common_scope import Pairing
from fullproof.analysis.symbolic.product import Differing, NoDifference, ProductUndecided, counterexample
from fullproof.artefacts.request import Relation
from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.language.compile import compile_expression
from fullproof.language.parser import parse_expression
from fullproof.language.scope import Scope
from fullproof.language.types import IntType, RealType, Value, Variable
from fullproof.model import Sfsm
from fullproof.model.common import Constant, Description
from fullproof.model.sfsm import SfsmTransition

RELATIONS = [Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION, Relation.STRONG_REDUCTION]


def answer(model: Sfsm, other: Sfsm, relation: Relation = Relation.EQUIVALENCE, *, timeout: float = 10.0):
    return counterexample(Pairing(model, timeout=timeout).paired(other), relation)


@pytest.mark.parametrize(
    ("model", "other", "relation", "length"),
    [
        ("brake/brake", "brake/brake", Relation.EQUIVALENCE, None),
        ("brake/brake", "brake/ibrake", Relation.EQUIVALENCE, 2),
        ("brake/brake", "brake/ibrake1", Relation.REDUCTION, 3),
        ("brake/brake", "brake/ibrake2", Relation.QUASI_REDUCTION, 2),
        ("alarm/alarm", "alarm/late-alarm", Relation.EQUIVALENCE, 2),
        ("alarm/alarm", "alarm/early-alarm", Relation.REDUCTION, 1),
        ("alarm/alarm", "alarm/eager-warning", Relation.EQUIVALENCE, 2),
        ("alarm/alarm", "alarm/eager-warning", Relation.REDUCTION, None),
        ("alarm/alarm", "alarm/eager-warning", Relation.QUASI_REDUCTION, None),
        ("alarm/alarm8", "alarm/alarm8", Relation.EQUIVALENCE, None),
    ],
)
def test_published_machines(model: str, other: str, relation: Relation, length: int | None) -> None:
    found = answer(read_model(REFERENCE / f"{model}.yaml"), read_model(REFERENCE / f"{other}.yaml"), relation)
    if length is None:
        assert found == NoDifference()
    else:
        assert isinstance(found, Differing)
        assert len(found.trace) + 1 == length


def states_after(machine: Sfsm, trace: list[Mapping[str, Value]]) -> set[str]:
    scope = Scope(machine.inputs + machine.outputs, {c.name: c.value for c in machine.description.constants})
    states = {machine.initial}
    for values in trace:
        states = {
            t.target
            for t in machine.transitions
            if t.source in states
            and compile_expression(t.guard, scope)(values)
            and compile_expression(t.output, scope)(values)
        }
    return states


@settings(max_examples=80, deadline=None)
@given(pairs(), st.sampled_from(RELATIONS))
def test_as_letter_by_letter(machines: tuple[Sfsm, Sfsm], relation: Relation) -> None:
    model, other = machines
    found = answer(model, other, relation)
    length = shortest_difference(model, other, relation)
    if length is None:
        assert found == NoDifference()
        return
    assert isinstance(found, Differing)
    assert len(found.trace) + 1 == length
    common = [{**letter.inputs, **letter.outputs} for letter in found.trace]
    assert states_after(model, common) == found.states
    assert states_after(other, common)
    whole = [*common, {**found.last.inputs, **found.last.outputs}]
    allowed, given_ = bool(states_after(model, whole)), bool(states_after(other, whole))
    assert (allowed, given_) == ((False, True) if found.violation is RelationViolation.OUTPUT else (True, False))


X, Y = Variable(name="x", type=RealType()), Variable(name="y", type=RealType())


def machine(*labels: tuple[str, str], x: Variable = X, y: Variable = Y, **constants: Value) -> Sfsm:
    transitions = tuple(
        SfsmTransition(source="s", guard=parse_expression(guard), output=parse_expression(output), target="s")
        for guard, output in labels
    )
    named = tuple(Constant(name=name, value=value) for name, value in constants.items())
    description = Description(constants=named)
    return Sfsm(
        name="m",
        initial="s",
        states=("s",),
        inputs=(x,),
        outputs=(y,),
        transitions=transitions,
        description=description,
    )


def test_constants_are_each_machines_own() -> None:
    model = machine(("x < k", "y == 1"), ("x >= k", "y == k"), k=5)
    assert answer(model, machine(("x < 5", "y == 1"), ("x >= 5", "y == 5"))) == NoDifference()
    assert isinstance(answer(model, machine(("x < k", "y == 1"), ("x >= k", "y == k"), k=6)), Differing)
    renamed = machine(("x < limit", "y == 1"), ("x >= limit", "y == limit"), limit=5)
    assert answer(model, renamed) == NoDifference()


def test_ranges_may_differ_and_types_may_not() -> None:
    narrow = dataclasses.replace(X, type=RealType(0, 10))
    positive = dataclasses.replace(Y, type=RealType(0, None))
    model = machine(("true", "y == x"), x=narrow)
    assert answer(model, machine(("true", "y == x"))) == NoDifference()  # inputs are those of the model
    assert answer(model, machine(("true", "y == x"), x=narrow, y=positive)) == NoDifference()
    wide = answer(machine(("true", "y == x")), model)
    assert isinstance(wide, Differing)
    assert wide.violation is RelationViolation.REFUSED
    negative = answer(machine(("true", "y == x")), machine(("true", "y == x"), y=positive))
    assert isinstance(negative, Differing)
    assert negative.last.inputs["x"] < 0
    with pytest.raises(UserError, match=r"real 0..10 in the model and int in the other machine"):
        answer(model, machine(("true", "y == x"), x=Variable(name="x", type=IntType()), y=Y))
    with pytest.raises(UserError, match="different outputs: y and z"):
        answer(model, machine(("true", "z == x"), y=Variable(name="z", type=RealType())))


def test_an_answer_that_exists_for_some_inputs_only() -> None:
    """Quasi-reduction asks whether an answer exists, which takes a quantifier where outputs have ranges."""
    small = dataclasses.replace(Y, type=RealType(0, 1))
    model = machine(("0 <= x <= 2", "0 <= y <= 1"))
    other = machine(("0 <= x <= 2", "y == x / 2"), y=small)
    assert answer(model, other, Relation.QUASI_REDUCTION) == NoDifference()
    halved = answer(model, machine(("0 <= x <= 2", "y == x"), y=small), Relation.QUASI_REDUCTION)
    assert isinstance(halved, Differing)
    assert halved.violation is RelationViolation.REFUSED
    assert halved.last.inputs["x"] > 1


def test_what_the_solver_cannot_tell_is_open() -> None:
    whole = Variable(name="x", type=IntType(1, None))
    model = machine(("true", "y == 0"), x=whole)
    hard = "x ** 3 + (x + 1) ** 3 == floor(y) ** 3 and y > 0 and y == floor(y)"
    found = answer(model, machine(("true", "y == 0"), ("true", hard), x=whole), timeout=0.2)
    assert isinstance(found, ProductUndecided)
    assert "x ** 3" in found.question.formula
    # A difference elsewhere is a difference all the same.
    both = machine(("true", "y == 0"), ("true", hard), ("x == 7", "y == 8"), x=whole)
    assert isinstance(answer(model, both, timeout=0.2), Differing)
