"""Symbolic ioco against its definition, on all values of small systems."""

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from tests.oracles.ioco import DELTA, LeftRange, shortest_difference, shows_difference
from tests.strategies.small_sts import INPUTS, OUTPUTS, VARIABLES, changed, parsed, small_sts

from fullproof.analysis.ioco import Differs, IocoConforms, IocoUndecided, ioco
from fullproof.artefacts.execution import Event, Silence
from fullproof.core.errors import UserError
from fullproof.model import Sts
from fullproof.model.sts import INTERNAL, Assignment, Switch

PLAIN = tuple(gate for gate in INPUTS + OUTPUTS if gate.name != "z")
"""Gates from whose guards parameters can be eliminated: nothing may stay open."""


HIDING = (*PLAIN, INTERNAL, INTERNAL, INTERNAL)


def label(event: Event):
    return DELTA if isinstance(event, Silence) else (event.gate, event.values)


def agrees(model, other, depth: int) -> None:
    try:
        expected, _ = shortest_difference(model, other, depth)
    except LeftRange:
        assume(False)
    try:
        found = ioco(model, other, depth=depth, timeout=60)
    except UserError:
        pytest.fail("no variable leaves its range within the depth")
    event(type(found).__name__)
    match found:
        case Differs():
            assert expected == len(found.trace) + 1
            assert shows_difference(model, other, [label(e) for e in found.trace], label(found.observed))
        case IocoConforms(depth=None):
            assert expected is None
            assert shortest_difference(model, other, depth + 3)[0] is None
        case IocoConforms():
            assert expected is None
        case IocoUndecided():
            assert any("quantifiers" in reason for reason in found.reasons)
            assert expected is None or expected > found.depth


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(st.data())
def test_changed_systems(data):
    model = data.draw(small_sts(gates=PLAIN))
    agrees(model, data.draw(changed(model, gates=PLAIN)), 3)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(small_sts(gates=PLAIN), small_sts(gates=PLAIN))
def test_unrelated_systems(model, other):
    agrees(model, other, 4)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(st.data())
def test_outputs_whose_parameters_cannot_be_eliminated(data):
    model = data.draw(small_sts())
    agrees(model, data.draw(changed(model)), 2)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(st.data())
def test_changed_systems_with_internal_steps(data):
    model = data.draw(small_sts(gates=HIDING))
    agrees(model, data.draw(changed(model, gates=HIDING)), 3)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(small_sts(gates=HIDING), small_sts(gates=HIDING))
def test_unrelated_systems_with_internal_steps(model, other):
    agrees(model, other, 3)


def test_internal_steps_that_write_the_same_value_in_ever_longer_ways():
    """``if f then c else green`` again and again is one of two values, and there are four of ``n``."""
    switches = [
        ("l0", "tau", "n == 0 or k < 3", {}, "l0"),
        ("l0", "e", "not f", {"n": "0", "f": "d == c", "c": "d"}, "l1"),
        ("l1", "tau", "f", {"n": "min(n + 1, 3)", "c": "if f then c else green"}, "l1"),
        ("l1", "x", "q == n", {}, "l0"),
    ]
    model = Sts(
        name="again",
        initial="l0",
        states=("l0", "l1"),
        variables=VARIABLES,
        inputs=INPUTS,
        outputs=OUTPUTS,
        transitions=tuple(
            Switch(
                source=source,
                gate=gate,
                guard=parsed(guard),
                assignments=tuple(Assignment(variable=v, expression=parsed(e)) for v, e in updates.items()),
                target=target,
            )
            for source, gate, guard, updates, target in switches
        ),
    )
    assert ioco(model, model, depth=6, timeout=60) == IocoConforms(depth=None)
