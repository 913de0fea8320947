"""Findings on finite machines: each rule with a machine that breaks it and one that does not."""

import random
import sys
import time

import pytest
from hypothesis import given
from tests.oracles.languages import same_language
from tests.oracles.machines import defined_separating_length, reachable_states, transitions
from tests.strategies.observable_machines import fsm_of as fsm_of_responses
from tests.strategies.observable_machines import observable_machine
from tests.strategies.tables import relations

from fullproof.analysis.table import RelationTable
from fullproof.artefacts.finding import Finding, Profile, Severity
from fullproof.check import check
from fullproof.check.subsets import determinised
from fullproof.generate.finite.preparation import prepare
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition


def machine(*rows: str, states: str = "", inputs: str = "", outputs: str = "") -> Fsm:
    """``"s a/0 t"`` is a transition; the first state is the initial one."""
    moves = []
    for row in rows:
        source, label, target = row.split()
        moves.append(FsmTransition(source, *label.split("/"), target))
    names = dict.fromkeys([*(t.source for t in moves), *(t.target for t in moves), *states.split()])
    return Fsm(
        name="m",
        initial=next(iter(names)),
        states=tuple(names),
        inputs=tuple(dict.fromkeys([*(t.input for t in moves), *inputs.split()])),
        outputs=tuple(dict.fromkeys([*(t.output for t in moves), *outputs.split()])),
        transitions=tuple(moves),
        lines=tuple(range(10, 10 + len(moves))),
    )


def named(profile: Profile, rule: str) -> list[Finding]:
    return [finding for finding in profile.findings if finding.rule == rule]


FINE = machine("s a/0 t", "s b/1 s", "t a/1 s", "t b/1 t")


def test_a_fine_machine_has_no_findings():
    profile = check(FINE)
    assert (profile.deterministic, profile.complete, profile.observable, profile.minimal, profile.connected) == (
        (True,) * 5
    )
    assert (profile.kind, profile.states, profile.transitions, profile.findings) == ("fsm", 2, 4, ())


BROKEN = {
    "no-transitions": (machine(states="s"), Severity.ERROR, "machine"),
    "unreachable-state": (machine("s a/0 s", "u a/1 u"), Severity.WARNING, "state u"),
    "equivalent-states": (machine("s a/0 t", "t a/0 s"), Severity.WARNING, "states s and t"),
    "nondeterministic": (machine("s a/0 s", "s a/1 s"), Severity.WARNING, "state s, input a"),
    "not-observable": (machine("s a/0 s", "s a/0 t", "t a/1 s"), Severity.WARNING, "state s, input a"),
    "incomplete": (machine("s a/0 t", "t b/0 s"), Severity.WARNING, "2 of 2 states"),
    "inseparable-states": (machine("s a/0 t", "t b/0 s"), Severity.WARNING, "states s and t"),
    "unused-input": (machine("s a/0 s", inputs="b"), Severity.NOTE, "inputs: b"),
    "unused-output": (machine("s a/0 s", outputs="1"), Severity.NOTE, "outputs: 1"),
    "initial-not-reentered": (machine("s a/0 t", "t a/1 t"), Severity.NOTE, "state s"),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_each_rule_is_found_where_it_is_broken(rule):
    model, severity, where = BROKEN[rule]
    (finding,) = named(check(model), rule)
    assert (finding.severity, finding.where) == (severity, where)
    assert finding.message


def test_findings_name_the_line_the_choices_and_a_witness():
    profile = check(machine("s a/0 s", "s b/0 s", "s a/1 t", "t a/1 s", "t b/0 s"))
    (finding,) = named(profile, "nondeterministic")
    assert finding.message == "2 transitions: 0 -> s and 1 -> t"
    assert finding.witness == {"state": "s", "input": "a"}
    assert finding.at.line == 10


@pytest.mark.parametrize(
    ("rows", "reason", "helps"),
    [
        (("s a/0 t", "t b/0 s"), "no input is defined in both", "for a, which one of them lacks"),
        (("s a/0 t", "t a/0 s", "s b/1 s"), "(both define a)", "for b, which one of them lacks"),
        (("s a/0 u", "u c/0 t", "t a/0 v", "v b/0 s"), "(both define a)", "for c after a, which one of them lacks"),
    ],
)
def test_states_that_cannot_be_separated_have_a_reason_and_a_remedy(rows, reason, helps):
    (finding,) = [f for f in named(check(machine(*rows)), "inseparable-states") if f.where == "states s and t"]
    assert reason in finding.message
    assert helps in finding.message
    assert finding.witness["states"] == ["s", "t"]


def test_inseparable_pairs_are_those_of_the_definition():
    for index in range(40):
        draw = random.Random(index)
        sizes = {"states": draw.randint(2, 4), "inputs": 2, "outputs": 2}
        model = fsm_of_responses(observable_machine(draw, deterministic=True, **sizes), outputs=2)
        table = prepare(model, partial=True).table
        pairs = sum(
            defined_separating_length(table, one, other) is None for one in range(table.states) for other in range(one)
        )
        found = named(check(model), "inseparable-states")
        partial = bool((table.target < 0).any())
        assert len([finding for finding in found if finding.where]) == (min(pairs, 5) if partial else 0)


def test_all_inseparable_pairs_are_listed_with_what_would_tell_most_apart():
    # Eight states in a ring, of which the even ones can be left by b, and one can be read.
    rows = [f"s{k} a/0 s{(k + 1) % 8}" for k in range(8)] + [f"s{k} b/0 s{k}" for k in (0, 2)] + ["s1 c/0 s1"]
    found = named(check(machine(*rows)), "inseparable-states")
    *spelt, rest = found
    assert len(spelt) == 5
    assert len(rest.witness["pairs"]) == 28
    assert {tuple(pair) for pair in rest.witness["pairs"]} >= {tuple(f.witness["states"]) for f in spelt}
    assert sum(rest.witness["unavailable"].values()) == 28
    assert "... and 23 more (--json lists them)" in rest.message
    assert f"b ({rest.witness['unavailable']['b']})" in rest.message


def test_errors_come_first_and_notes_last():
    profile = check(machine("s a/0 s", "s a/1 s", "u a/1 u", outputs="2"))
    order = [finding.severity for finding in profile.findings]
    assert order == sorted(order, key=[Severity.ERROR, Severity.WARNING, Severity.NOTE].index)


def test_long_lists_are_cut():
    wide = machine(*(f"s{k} a/0 s{k}" for k in range(40)))
    profile = check(wide)
    assert named(profile, "unreachable-state")[0].where == "states s1, s2, s3, s4, s5 and 34 more"
    assert named(profile, "equivalent-states")[0].where == "states s0, s1, s2, s3, s4 and 35 more"
    many = machine(*(f"s{k} a/{j} s{(k + 1) % 9}" for k in range(9) for j in (0, 1)))
    listed = named(check(many), "nondeterministic")
    assert len(listed) == 6
    assert listed[-1].message == "... and 4 more"


def test_language_decides_where_a_machine_is_not_observable():
    # t and u are not bisimilar: t must choose at once what u still leaves open; their languages are the same.
    model = machine("s a/0 t", "s b/0 u", "t a/0 v", "t a/0 w", "u a/0 x", "v a/0 s", "w b/0 s", "x a/0 s", "x b/0 s")
    profile = check(model)
    assert (profile.observable, profile.minimal) == (False, False)
    assert [f.where for f in named(profile, "equivalent-states")] == ["states t and u"]


def test_too_many_sets_of_states_leave_minimality_open(monkeypatch):
    monkeypatch.setattr(
        sys.modules["fullproof.check.fsm"], "determinised", lambda table: determinised(table, limit=table.states)
    )
    profile = check(machine("s a/0 s", "s a/0 t", "t b/0 s"))
    assert profile.minimal is None
    assert named(profile, "minimality-unknown")


def test_a_machine_with_an_unreachable_state_is_not_minimal():
    profile = check(machine("s a/0 s", "u a/1 u"))
    assert (profile.connected, profile.minimal) == (False, False)


@given(relations(max_states=4, max_inputs=2, max_outputs=2))
def test_the_profile_agrees_with_the_definitions(relation):
    profile = check(fsm_of(relation))
    rows = transitions(relation)
    cells = [(s, i) for s in range(relation.states) for i in range(relation.inputs)]
    options = {cell: {row[2:] for row in rows if row[:2] == cell} for cell in cells}
    assert profile.deterministic == all(len(found) <= 1 for found in options.values())
    assert profile.complete == all(found for found in options.values())
    assert profile.observable == all(len({o for o, _ in found}) == len(found) for found in options.values())
    assert profile.connected == (len(reachable_states(relation)) == relation.states)
    step = {s: [((i, o), t) for r, i, o, t in rows if r == s] for s in range(relation.states)}.__getitem__
    distinct = not any(same_language(step, s, r) for s in range(relation.states) for r in range(s))
    assert profile.minimal == (distinct and profile.connected)
    rules = {finding.rule for finding in profile.findings}
    assert ("equivalent-states" in rules) == (not distinct)
    assert ("unreachable-state" in rules) == (not profile.connected)
    assert ("nondeterministic" in rules) == (not profile.deterministic)
    assert ("not-observable" in rules) == (not profile.observable)
    assert ("incomplete" in rules) == (not profile.complete)
    assert ("no-transitions" in rules) == (not rows)


def fsm_of(relation: RelationTable) -> Fsm:
    return Fsm(
        name="m",
        initial="s0",
        states=tuple(f"s{k}" for k in range(relation.states)),
        inputs=tuple(f"i{k}" for k in range(relation.inputs)),
        outputs=tuple(f"o{k}" for k in range(relation.outputs)),
        transitions=tuple(FsmTransition(f"s{s}", f"i{i}", f"o{o}", f"s{t}") for s, i, o, t in transitions(relation)),
    )


def test_a_large_machine_takes_seconds():
    states, inputs = 3_000, 60
    moves = tuple(
        FsmTransition(f"s{s}", f"i{i}", f"o{(s * 31 + i * 7) % 97 % 5}", f"s{(s * 17 + i * 101 + 1) % states}")
        for s in range(states)
        for i in range(inputs)
    )
    model = Fsm(
        name="large",
        initial="s0",
        states=tuple(f"s{s}" for s in range(states)),
        inputs=tuple(f"i{i}" for i in range(inputs)),
        outputs=tuple(f"o{k}" for k in range(5)),
        transitions=moves,
    )
    begin = time.perf_counter()
    profile = check(model)
    assert time.perf_counter() - begin < 5
    assert profile.deterministic and profile.complete and profile.minimal is not None
