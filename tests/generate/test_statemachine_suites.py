"""Suites for state machines against all faults of small ones: no survivor in the fault domain, no false alarm."""

from collections import Counter
from random import Random

import pytest
from tests.oracles.statemachine_attack import (
    Target,
    along,
    attack,
    differ,
    double_faults,
    fails,
    single_faults,
    states_of,
    table_of,
)
from tests.strategies.small_statemachines import random_text, read_text

SEEDS = (41, 42)
"""Machines of 11 states that are partitioned quickly; benchmarks/attack_statemachines.py takes them as they come."""


@pytest.fixture(scope="module", params=SEEDS)
def target(request):
    return Target(read_text(random_text(Random(request.param))))


def words_of(suite):
    return [word.tolist() for piece in suite.words.chunks() for word in piece]


@pytest.mark.parametrize(("extra_states", "method"), [(0, "auto"), (0, "h"), (1, "hsi"), (1, "spyh")])
def test_every_fault_in_the_domain_is_caught(target, extra_states, method):
    mutants = [*single_faults(target.model), *double_faults(target.model, Random(0), 30)]
    tally = attack(target, mutants, extra_states=extra_states, method=method)
    assert not tally.survivors
    assert tally.counts["inside, caught"] > 10


def test_with_all_events_nothing_is_left_to_hypotheses_on_data(target):
    tally = attack(target, list(single_faults(target.model)), extra_states=0, method="hsi", paving=("x=1",))
    assert not tally.survivors
    assert not tally.counts["differs on other events only"]


def test_a_quarter_of_a_suite_lets_faults_pass(target):
    """The attack can say no."""
    suite = target.suite(extra_states=0, method="h")
    events = [(event.signal, dict(event.inputs)) for event in suite.events]
    words = words_of(suite)
    right = table_of(target.model, events)
    wrong = [table_of(mutant, events) for mutant in single_faults(target.model)]
    inside = [rows for rows in wrong if rows and differ(right, rows) and states_of(rows) <= suite.finite.states]
    assert all(fails(right, rows, words) for rows in inside)
    assert not all(fails(right, rows, words[: len(words) // 4]) for rows in inside)


ENDLESS = """
machine: statemachine
name: odometer
signals: {in: [a, b], out: [s]}
inputs: {x: int 0..2}
outputs: {y: int = 0}
variables: {m: int -2..2 = 0}
initial: p
states:
  p:
    - {trigger: a, when: x > 0, do: [m = x, y = y + x], to: q}
  q:
    - {trigger: a, when: x > m, send: [s], to: p}
    - {trigger: b, when: x <= m, do: ['m = 0', 'y = y + 1'], to: r}
  r:
    - {trigger: b, when: x == 1, do: ['y = y + m'], to: p}
    - {trigger: a, when: x != 1, do: ['m = 1'], to: r}
"""


@pytest.mark.parametrize("extra_states", [0, 1])
def test_the_part_of_an_endless_model_is_tested_completely(extra_states):
    """Sums lead to ever new places: what is claimed is claimed for sequences within those that were chosen."""
    target = Target(read_text(ENDLESS))
    assert target.is_certain
    suite = target.suite(extra_states=extra_states)
    assert suite.finite.is_partial
    right, words, seen = along(suite.machine, target.model), words_of(suite), Counter()
    assert states_of(right) == suite.finite.states
    for mutant in [*single_faults(target.model), *double_faults(target.model, Random(1), 60)]:
        rows = along(suite.machine, mutant)
        if rows is None:
            continue
        caught, wrong = fails(right, rows, words), differ(right, rows)
        assert wrong or not caught
        inside = states_of(rows) <= suite.finite.states + extra_states
        assert caught or not (wrong and inside)
        seen["caught" if caught and inside else "other"] += 1
    assert seen["caught"] > 10
