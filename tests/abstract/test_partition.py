"""Equivalence class partitions of state machines: the numbers of paper 003, and Definition 1 by enumeration."""

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from tests.oracles.partition_by_enumeration import broken_pairs
from tests.shared import REFERENCE
from tests.strategies.small_statemachines import machines, read_text

from fullproof.abstract.partition.definition_check import justified
from fullproof.abstract.partition.fixpoint import partition_of, scope_with_old_inputs
from fullproof.artefacts.partition import Case, ClassPartition, StateClass, TriggerCondition
from fullproof.core.errors import NOWHERE
from fullproof.formats import read_model
from fullproof.kinds.classes import ClassesAsked
from fullproof.kinds.statemachine.partition import classes_of, figures_after_switch_on
from fullproof.language.parser import parse_expression
from fullproof.language.syntax import TRUE
from fullproof.smt import Unsat, open_solver

FIGURE_1 = REFERENCE / "state-machine" / "figure1.yaml"

P_0 = [
    "x <= 0", "x >= 18 and y + x / 2 - 5 != x ** 3", "8 < x < 18 and y + x / 2 - 5 != x ** 3",
    "20 / 3 < x <= 8 and y + x / 2 - 5 != x ** 3", "0 < x <= 20 / 3 and y + 5 != x",
    "x >= 18 and y + x / 2 - 5 == x ** 3", "8 < x < 18 and y + x / 2 - 5 == x ** 3",
    "20 / 3 < x <= 8 and y + x / 2 - 5 == x ** 3", "0 < x <= 20 / 3 and y + 5 == x",
]  # fmt: skip
P_2 = ["y != x ** 3", "y == x ** 3 and x + y >= 0", "y == x ** 3 and x + y < 0"]
P_3 = ["y != x + m", "y == x + m and x + y >= 0", "y == x + m and x + y < 0"]
P_4 = ["x + y >= 0", "x + y < 0"]
STATES = [
    ("l0", "true"), ("l2", "m >= 9 and y != x ** 3"), ("l2", "4 < m < 9 and y != x ** 3"),
    ("l2", "m <= 4 and y != x ** 3"), ("l3", "m > 8 and y != x + m"), ("l3", "m <= 8 and y != x + m"),
    ("l4", "m >= 10 and y + x >= 0"), ("l5", "m <= 10 and y + x >= 0"),
]  # fmt: skip


@pytest.fixture(scope="module")
def example_1():
    """The partition that the paper gives, for the part of the machine that follows the switch-on state."""
    model = read_model(FIGURE_1)
    kept = tuple(t for t in model.transitions if t.source != "idle")
    states = tuple(state for state in model.states if state != "idle")
    model = replace(model, states=states, initial="l0", transitions=kept, signals_in=("a",))
    solver = open_solver(justified_scope(model))
    combinations = list(product(P_0, P_2, P_3, P_4, P_4))
    conditions = [tuple(parse_expression(text) for text in combination) for combination in combinations]
    satisfiable = [c for c in conditions if not isinstance(solver.check_assuming(*c), Unsat)]
    partition = ClassPartition(
        states=tuple(StateClass(state, parse_expression(text)) for state, text in STATES),
        triggers=tuple(TriggerCondition(c) for c in satisfiable),
        signals=(None, "a"),
        nominal=2 * len(combinations),
        rounds=0,
    )
    return model, partition


def justified_scope(model):
    return scope_with_old_inputs(model)


def test_example_1_of_the_paper_satisfies_definition_1(example_1):
    model, partition = example_1
    assert (len(partition.states), partition.nominal, 2 * len(partition.triggers)) == (8, 648, 88)
    found = justified(model, partition)
    assert len(found.pairs) == 704
    assert found.holds is True


def test_example_3_runs_as_the_paper_says(example_1):
    model, partition = example_1
    found = justified(model, partition)
    wanted = [parse_expression(p[i]) for p, i in zip((P_0, P_2, P_3, P_4, P_4), (8, 0, 0, 0, 0), strict=True)]
    (pair,) = [
        pair
        for pair in found.pairs
        if (pair.state, pair.signal) == (0, "a") and partition.triggers[pair.trigger].literals == tuple(wanted)
    ]
    assert [model.transitions[k].target for k in pair.transitions] == ["l1", "l3", "l5"]
    assert (pair.case, pair.target) == (Case.RUNS, 7)


@pytest.mark.parametrize(
    ("number", "condition", "condition_broken"),
    [(1, "m >= 8 and y != x ** 3", "condition 1"), (1, "m >= 10 and y != x ** 3", "condition 3"), (6, "m >= 10", "3")],
)
def test_a_wrong_state_class_is_found(example_1, number, condition, condition_broken):
    model, partition = example_1
    states = list(partition.states)
    states[number] = StateClass(states[number].state, parse_expression(condition))
    found = justified(model, replace(partition, states=tuple(states)))
    assert found.holds is False
    assert any(condition_broken in text for text in found.failures)


def test_merged_classes_are_not_uniform_and_lost_ones_are_missed(example_1):
    model, partition = example_1
    merged = [c for k, c in enumerate(partition.states) if k not in (2, 3)]
    merged.append(StateClass("l2", parse_expression("m < 9 and y != x ** 3")))
    found = justified(model, replace(partition, states=tuple(merged)))
    assert found.holds is False
    assert not found.failures
    assert {merged[p.state].state for p in found.pairs if p.case is Case.BROKEN} >= {"l2"}
    fewer = justified(model, replace(partition, triggers=partition.triggers[1:]))
    assert any("condition 5" in text for text in fewer.failures)


def test_the_computed_partition_of_figure_1_has_the_numbers_of_the_paper():
    read = classes_of(read_model(FIGURE_1), ClassesAsked(properties=(), timeout=60, at=NOWHERE))
    after = figures_after_switch_on(read)
    assert (after.states, after.triggers, after.nominal, after.pairs) == (8, 88, 648, 704)
    assert read.justification.holds is True
    assert len(read.justification.pairs) == 9 * 132
    assert ("l2", "m in (4, 9) and y != x ** 3") in {
        (c.state, text) for c, text in zip(read.partition.states, read.states, strict=True)
    }


def test_classes_that_split_for_ever_are_said_to():
    """Where each visit halves what the next one asks, no finite partition exists."""
    text = (
        "machine: statemachine\nname: halves\nsignals: {in: [go], out: [low]}\ninputs: {x: real}\n"
        "outputs: {y: real = 0}\nvariables: {m: real = 1}\ninitial: s\nstates:\n  s:\n"
        "    - {trigger: go, when: m > 1, do: [m = m / 2], to: s}\n"
        "    - {trigger: go, when: m <= 1, do: [m = x], send: [low], to: s}\n"
    )
    model = read_text(text)
    partition = partition_of(model)
    assert any("split without end" in doubt for doubt in partition.doubts)
    assert partition.states


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(machines())
def test_computed_partitions_satisfy_definition_1_by_enumeration(text):
    model = read_text(text)
    partition = partition_of(model)
    assert not partition.doubts
    assert broken_pairs(model, partition) == []
    found = justified(model, partition)
    assert found.holds is True
    assert not Counter(pair.case for pair in found.pairs)[Case.BROKEN]


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(machines())
def test_the_justification_finds_what_enumeration_finds(text):
    model = read_text(text)
    coarse = ClassPartition(
        states=tuple(StateClass(c.state, c.quiescent) for c in unique_states(partition_of(model))),
        triggers=(TriggerCondition((TRUE,)),),
        signals=(None, "a"),
        nominal=2,
        rounds=0,
    )
    assert justified(model, coarse).holds is (broken_pairs(model, coarse) == [])


def unique_states(partition):
    return {c.state: c for c in partition.states}.values()
