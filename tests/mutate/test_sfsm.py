"""Mutants of symbolic machines: all kinds, each once, inside the alphabets and the bound on states."""

import pytest
from tests.shared import REFERENCE

from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.model import Sfsm
from fullproof.mutate import mutants_of
from fullproof.mutate.sfsm import SfsmOperator, fault_alphabet, sfsm_faults


@pytest.fixture(scope="module")
def brake() -> Sfsm:
    return read_model(REFERENCE / "brake/brake.yaml")


def sfsm_mutants(model: Sfsm, alphabet, *, extra_states: int = 0, **options):
    return mutants_of(model, sfsm_faults(model, alphabet, extra_states=extra_states), **options).mutants


def identity(model: Sfsm) -> object:
    return frozenset((t.source, t.guard, t.output, t.target) for t in model.transitions)


def test_how_many_there_are(brake: Sfsm) -> None:
    """8 transitions, 7 guards, 4 outputs, 3 states: 8 * 6, 8 * 3, 8 * 2, 8, and 3 * 7 * 4 * 3 - 8 that are new."""
    found = sfsm_mutants(brake, fault_alphabet(brake))
    counts = {kind: sum(m.operator == kind.value for m in found) for kind in SfsmOperator}
    assert counts == {
        SfsmOperator.GUARD: 48,
        SfsmOperator.OUTPUT: 24,
        SfsmOperator.TRANSFER: 16,
        SfsmOperator.REMOVE: 8,
        SfsmOperator.ADD: 244,
        SfsmOperator.SPLIT: 0,
    }
    assert len({identity(m.model) for m in found} | {identity(brake)}) == len(found) + 1


def test_a_split_state_has_one_fault(brake: Sfsm) -> None:
    found = [m for m in sfsm_mutants(brake, fault_alphabet(brake), extra_states=1) if m.operator == "split"]
    # Each of the 8 transitions leads to a state of 2 or 3 transitions with 6 + 3 + 2 + 1 faults each.
    into = {state: sum(t.target == state for t in brake.transitions) for state in brake.states}
    rows = {state: sum(t.source == state for t in brake.transitions) for state in brake.states}
    assert len(found) == sum(into[state] * rows[state] for state in brake.states) * 12
    assert all(len(m.model.states) == 4 for m in found)


def test_a_sample_is_drawn_from_all_of_them(brake: Sfsm) -> None:
    alphabet = fault_alphabet(brake)
    everything = {identity(m.model) for m in sfsm_mutants(brake, alphabet, extra_states=1)}
    some = sfsm_mutants(brake, alphabet, extra_states=1, sample=60, seed=3)
    assert len(some) == 60
    assert {identity(m.model) for m in some} <= everything
    assert {m.operator for m in some} == {kind.value for kind in SfsmOperator}
    assert some == sfsm_mutants(brake, alphabet, extra_states=1, sample=60, seed=3)


def test_two_faults(brake: Sfsm) -> None:
    some = sfsm_mutants(brake, fault_alphabet(brake), extra_states=1, order=2, sample=40)
    assert all(m.operator.count("+") == 1 for m in some)
    assert all(len(m.model.states) <= 4 for m in some)


def test_too_many_are_refused(brake: Sfsm) -> None:
    with pytest.raises(UserError, match="--sample N"):
        sfsm_mutants(brake, fault_alphabet(brake), extra_states=1, order=2)
