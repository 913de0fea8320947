"""Derived faults: typical ones are there, each is a condition of its own, and the cap is kept."""

from hypothesis import given, settings
from tests.oracles.symbolic import valuations
from tests.shared import REFERENCE
from tests.strategies.sfsms import sfsms

from fullproof.formats import read_model
from fullproof.language.compile import compile_expression
from fullproof.language.parser import parse_expression
from fullproof.language.scope import Scope
from fullproof.language.type_inference import expect_boolean
from fullproof.language.types import EnumType, IntType, RealType, Variable
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition
from fullproof.mutate.expressions import derived_guards, derived_outputs


def machine(*labels: tuple[str, str], inputs: tuple[Variable, ...], outputs: tuple[Variable, ...]) -> Sfsm:
    transitions = tuple(
        SfsmTransition(source="s", guard=parse_expression(guard), output=parse_expression(output), target="s")
        for guard, output in labels
    )
    return Sfsm(name="m", initial="s", states=("s",), inputs=inputs, outputs=outputs, transitions=transitions)


X, Y = Variable(name="x", type=IntType(0, 9)), Variable(name="y", type=IntType(0, 9))


def test_the_typical_faults_of_a_brake() -> None:
    model = read_model(REFERENCE / "brake/brake.yaml")
    guards = {fault.why for fault in derived_guards(model, cap=100)}
    assert "x >= vmax instead of x > vmax" in guards
    assert "x > vmax - delta instead of x >= vmax - delta" in guards
    assert "x <= vmax + 0.1 instead of x <= vmax" in guards  # a hundredth of delta, the distance of the two boundaries
    assert "x < vmax + delta instead of x < vmax - delta" in guards
    assert "x <= delta instead of x <= vmax" in guards
    outputs = {fault.why for fault in derived_outputs(model, cap=100)}
    assert "B0 <= y < B1 instead of B0 <= y <= B1" in outputs
    assert "y == B2 - (x - vmax) / c instead of y == B2 + (x - vmax) / c" in outputs
    assert not any("y <= 0" in why or "y != 0" in why for why in outputs)  # equations stay equations


def test_whole_numbers_move_by_one() -> None:
    model = machine(("x < 4", "y == 1"), inputs=(X,), outputs=(Y,))
    texts = [fault.why for fault in derived_guards(model, cap=100)]
    assert texts[:2] == ["x <= 4 instead of x < 4", "x < 3 instead of x < 4"]  # x < 5 is x <= 4, and so is left out


def test_a_zero_boundary_moves_too() -> None:
    real = Variable(name="x", type=RealType())
    model = machine(("x < 0.0", "y == 1"), inputs=(real,), outputs=(Y,))
    assert "x < 0.01 instead of x < 0.0" in {fault.why for fault in derived_guards(model, cap=10)}


def test_one_of_several_outputs_is_exchanged() -> None:
    e = Variable(name="e", type=EnumType(("on", "off")))
    model = machine(("x < 4", "y == 1 and e == on"), ("x >= 4", "y == x and e == off"), inputs=(X,), outputs=(Y, e))
    derived = {fault.expression for fault in derived_outputs(model, cap=100)}
    assert parse_expression("y == x and e == on") in derived
    assert parse_expression("y == 1 and e == off") in derived
    assert parse_expression("y == 1 or e == on") not in derived  # would leave an output open


def test_the_cap_is_kept_and_what_it_left_out_is_counted() -> None:
    model = read_model(REFERENCE / "brake/brake.yaml")
    few, many = derived_guards(model, cap=3), derived_guards(model, cap=1000)
    assert tuple(few) == many.faults[:3]
    assert few.left_out >= len(many) - 3 > 0
    assert many.left_out == 0


@settings(max_examples=25, deadline=None)
@given(sfsms())
def test_each_is_a_condition_of_its_own(model: Sfsm) -> None:
    for derive, known, variables in (
        (derived_guards, [t.guard for t in model.transitions], model.inputs),
        (derived_outputs, [t.output for t in model.transitions], model.inputs + model.outputs),
    ):
        derived = derive(model, cap=8)
        scope = Scope(variables)
        points = list(valuations(variables))

        def meaning(expression, scope=scope, points=points) -> frozenset[int]:
            expect_boolean(expression, scope)
            holds = compile_expression(expression, scope)
            return frozenset(k for k, point in enumerate(points) if holds(point))

        meanings = [meaning(fault.expression) for fault in derived]
        assert all(meanings)
        assert len(set(meanings)) == len(meanings)
        assert not set(meanings) & {meaning(expression) for expression in known}
