"""Symbolic ioco against its definition, on all values of small systems."""

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from tests.oracles.ioco import DELTA, LeftRange, shortest_difference, shows_difference
from tests.strategies.small_sts import INPUTS, OUTPUTS, changed, small_sts

from fullproof.analysis.ioco import Conforms, Differs, Undecided, ioco
from fullproof.artefacts.conversation import Event, Silence
from fullproof.core.errors import UserError
from fullproof.model.sts import INTERNAL

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
        case Conforms(depth=None):
            assert expected is None
            assert shortest_difference(model, other, depth + 3)[0] is None
        case Conforms():
            assert expected is None
        case Undecided():
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
