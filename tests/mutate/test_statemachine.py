"""Mutants of state machines: all kinds, each once, said as people say it, deterministic and without livelocks."""

import pytest
from hypothesis import HealthCheck, given, settings
from tests.oracles.runs import StateMachineRuns
from tests.shared import ROOT
from tests.strategies.small_statemachines import machines, read_text

from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.language.printer import to_text
from fullproof.mutate import mutants_of
from fullproof.mutate.statemachine import SmOperator, faults, statemachine_faults

LOCK = ROOT / "examples" / "statemachines" / "door-lock.yaml"

SMALL = """machine: statemachine
name: small
signals: {in: [a, b], out: [s, t]}
inputs: {x: int 0..9}
outputs: {y: bool = false}
variables: {m: int 0..9 = 0}
initial: p
states:
  p:
    - {trigger: a, when: x < 5, do: [m = x], send: [s], to: q}
    - {trigger: a, when: x >= 5, do: [y = true], to: q}
  q:
    - {trigger: b, to: p}
    - {when: x > m, do: [m = x], to: p}
"""


def statemachine_mutants(model, *, extra_states=0, **options):
    return mutants_of(model, statemachine_faults(model, extra_states=extra_states), **options)


@pytest.fixture(scope="module")
def small():
    return read_text(SMALL)


def texts(model, **options):
    return [m.where for m in statemachine_mutants(model, **options).mutants]


def named(model, where, **options):
    (found,) = [m for m in statemachine_mutants(model, **options).mutants if m.where == where]
    return found.model


def transition(model, source, target, trigger):
    (found,) = [t for t in model.transitions if (t.source, t.target, t.trigger) == (source, target, trigger)]
    return found


def test_faults_are_said_as_people_say_them(small):
    listed = texts(small)
    assert "guard x <= 5 instead of x < 5 on p --a--> q" in listed
    assert "no guard instead of x >= 5 on p --a--> q" in listed
    assert "action y = false instead of y = true on p --a--> q where x >= 5" in listed
    assert "action m = x missing on q -> p" in listed
    assert "signal s not sent on p --a--> q where x < 5" in listed
    assert "signal t sent instead of s on p --a--> q where x < 5" in listed
    assert "trigger b instead of a on p --a--> q where x < 5" in listed
    assert "target p instead of q on p --a--> q where x < 5" in listed
    assert "no transition q --b--> p" in listed


def test_every_kind_is_there_and_no_machine_twice(small):
    found = statemachine_mutants(small, extra_states=1).mutants
    assert {m.operator for m in found} == {operator.value for operator in SmOperator}
    assert len({(m.model.states, m.model.transitions) for m in found}) == len(found)
    assert all(m.model.transitions != small.transitions for m in found)
    assert len({m.where for m in found}) == len(found)


def test_the_order_is_the_same_each_time_and_samples_depend_on_the_seed(small):
    assert texts(small) == texts(small)
    assert texts(small, sample=8, seed=1) == texts(small, sample=8, seed=1)
    assert texts(small, sample=8, seed=1) != texts(small, sample=8, seed=2)
    assert len(texts(small, sample=8)) == 8
    assert set(texts(small, sample=8)) <= set(texts(small))


def test_a_wrong_guard_goes_first_where_it_overlaps(small):
    mutant = named(small, "guard x <= 5 instead of x < 5 on p --a--> q")
    assert to_text(mutant.transitions[0].guard) == "x <= 5"
    assert to_text(mutant.transitions[1].guard) == "x >= 5 and not x <= 5"
    smaller = named(small, "guard x < 4 instead of x < 5 on p --a--> q")
    assert to_text(smaller.transitions[1].guard) == "x >= 5"


def test_what_may_fire_together_or_never_rest_is_left_out():
    overlapping = SMALL.replace(
        "{trigger: b, to: p}", "{trigger: b, when: x <= m, to: p}\n    - {trigger: a, when: x <= m, to: q}"
    )
    found = statemachine_mutants(read_text(overlapping))
    assert "trigger a instead of b on q --b--> p" not in [m.where for m in found.mutants]
    # q would lead to q for ever once x > m without taking m = x.
    assert "target q instead of p on q -> p" in texts(read_text(SMALL))
    endless = read_text(SMALL.replace("do: [m = x], to: p", "to: p"))
    listed = statemachine_mutants(endless)
    assert "target q instead of p on q -> p" not in [m.where for m in listed.mutants]
    assert listed.left_out >= 1


def test_a_copied_state_has_one_fault_and_choice_points_stay_choice_points():
    lock = read_model(LOCK)
    assert not any("copy" in where for where in texts(lock))
    copies = [m for m in statemachine_mutants(lock, extra_states=1).mutants if m.operator == "split"]
    one = next(m for m in copies if m.where.startswith("a copy of judged, entered by locked --enter--> judged, with "))
    assert one.model.states == (*lock.states, "judged'")
    assert "judged'" in one.model.choices
    entries = [t for t in one.model.transitions if t.target == "judged'" and t.source != "judged'"]
    assert [t.source for t in entries] == ["locked"]
    rows = {s: [t for t in one.model.transitions if t.source == s] for s in ("judged", "judged'")}
    assert rows["judged"] == [t for t in lock.transitions if t.source == "judged"]
    assert len(rows["judged'"]) in (len(rows["judged"]), len(rows["judged"]) - 1)


def test_two_faults_at_once(small):
    found = statemachine_mutants(small, order=2, sample=5, seed=4).mutants
    assert all(" + " in m.where and " + " in m.operator for m in found)
    with pytest.raises(UserError, match="--sample"):
        statemachine_mutants(small, order=3, extra_states=2)


def test_faults_are_made_only_when_they_are_wanted(small):
    first = next(faults(small, splits=True))
    assert first.operator == SmOperator.GUARD.value
    assert first.make() is not None


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(machines())
def test_mutants_are_deterministic_and_come_to_rest(text):
    for mutant in statemachine_mutants(read_text(text), sample=12).mutants:
        runs = StateMachineRuns(mutant.model)
        assert not runs.nondeterministic, mutant.where
        assert not runs.has_livelock(), mutant.where
