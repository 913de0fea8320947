"""Findings on transition systems: each rule with a system that breaks it and one that does not."""

from importlib import import_module

import pytest
from tests.check.models import facts, named, profile_of, rules
from tests.shared import REFERENCE

from fullproof.artefacts.finding import Severity
from fullproof.check import check
from fullproof.formats import read_model

NOTES = {"input-not-enabled", "quiescent", "dead-end"}


def sts(states: str, *, variables: str = "n: int 0..3 = 0", more: str = "") -> str:
    """The text of a system with input gate i(p), output gate o(q) and initial location l0."""
    head = f"machine: sts\nname: m\nvariables: {{{variables}}}\ninputs: {{i: {{p: int}}}}\noutputs: {{o: {{q: int}}}}\n"
    return head + more + "initial: l0\nstates:\n" + states


FINE = sts(
    "  l0: [{gate: i, when: p > n, to: l1}, {gate: i, when: p <= n, to: l0}]\n"
    "  l1: [{gate: o, when: q == n, to: l0}, {gate: i, set: {n: 'min(n + 1, 3)'}, to: l0}]\n"
)


def test_a_fine_system():
    profile = profile_of(FINE)
    assert facts(profile) == (True, True, True, None, True)
    assert rules(profile) == {"quiescent"}
    (finding,) = profile.findings
    assert (finding.severity, finding.where) == (Severity.NOTE, "location l0")


@pytest.mark.parametrize("name", ["sts-example/example", "brp/brp", *(f"brp/mutant{k}" for k in range(2, 7))])
def test_the_papers_systems(name):
    profile = check(read_model(REFERENCE / f"{name}.yaml"))
    assert facts(profile) == (True, False, True, None, True)
    assert rules(profile) <= NOTES


def test_the_mutant_that_never_refuses_a_request():
    profile = check(read_model(REFERENCE / "brp/mutant1.yaml"))
    assert [f.where for f in named(profile, "unreachable-state")] == ["location WA_NOK"]
    assert profile.connected is False
    assert rules(profile) <= NOTES | {"unreachable-state"}


def test_an_unsatisfiable_guard_and_what_lies_behind_it():
    text = sts("  l0: [{gate: i, when: n > 3, to: l1}, {gate: i, to: l0}]\n  l1: [{gate: o, to: l0}]\n")
    profile = profile_of(text)
    (finding,) = named(profile, "unsatisfiable-guard")
    assert (finding.severity, finding.where) == (Severity.ERROR, "location l0, switch 1 (i, n > 3 -> l1)")
    assert finding.at.line == 8
    assert [f.where for f in named(profile, "unreachable-state")] == ["location l1"]


def test_a_switch_that_no_run_can_take():
    # 2 is skipped: n is 0, 1 or 3 in all runs. The guard alone could hold.
    text = sts(
        "  l0: [{gate: i, when: n == 0, set: {n: 1}, to: l0}, {gate: i, when: n == 1, set: {n: 3}, to: l0},"
        " {gate: o, when: n == 2, to: l0}, {gate: o, when: n == 3, to: l0}]\n"
    )
    profile = profile_of(text)
    (finding,) = named(profile, "never-taken")
    assert (finding.severity, finding.where) == (Severity.WARNING, "location l0, switch 3 (o, n == 2 -> l0)")
    assert "proven" in finding.message
    counting = text.replace("n == 1, set: {n: 3}", "1 <= n <= 2, set: {n: n + 1}")
    assert not named(profile_of(counting), "never-taken")


def test_what_is_neither_shown_nor_excluded_is_a_note():
    # n ** 2 + n == 4000000 has no whole solution near any place that is looked at; no predicate of the model helps.
    text = sts(
        "  l0: [{gate: i, when: n * n + n != 4000000, set: {n: n + 1}, to: l0},"
        " {gate: o, when: n * n * n == 1000000000000, to: l1}]\n  l1: []\n",
        variables="n: int = 0",
    )
    profile = profile_of(text)
    (finding,) = named(profile, "reachability-unknown")
    assert finding.severity is Severity.NOTE
    assert "location l1" in finding.where
    assert profile.connected is None


def test_two_switches_for_one_gate():
    profile = profile_of(sts("  l0: [{gate: i, when: p >= 2, to: l0}, {gate: i, when: p <= 2, to: l1}]\n  l1: []\n"))
    (finding,) = named(profile, "nondeterministic")
    assert (finding.severity, finding.where) == (Severity.WARNING, "location l0, switches 1 and 2")
    assert finding.witness == {"p": 2}
    assert finding.message == "i with p = 2 leads to l0 as well as to l1"
    assert (profile.deterministic, profile.observable) == (False, False)


def test_two_switches_with_the_same_result_are_no_choice():
    text = sts(
        "  l0: [{gate: i, when: p >= 2, set: {n: 1}, to: l0}, {gate: i, when: p <= 2, set: {n: p - 1}, to: l0}]\n"
    )
    assert not named(profile_of(text), "nondeterministic")
    (finding,) = named(profile_of(text.replace("p - 1", "p")), "nondeterministic")
    assert finding.message == "i with p = 2 does not determine the new values of the variables"


def test_an_overlap_that_no_run_reaches_is_no_choice():
    text = sts(
        "  l0: [{gate: i, when: n < 2, set: {n: 1}, to: l0}, {gate: o, when: n >= 1, to: l0},"
        " {gate: o, when: n > 2, to: l1}]\n  l1: []\n"
    )
    profile = profile_of(text)
    assert profile.deterministic is True
    assert not named(profile, "nondeterministic")


def test_an_assignment_that_leaves_the_range():
    text = sts("  l0: [{gate: i, set: {n: n + 2}, to: l0}]\n")
    (finding,) = named(profile_of(text), "range-left")
    assert finding.severity is Severity.ERROR
    assert finding.witness["n'"] == finding.witness["n"] + 2 > 3
    assert f"becomes {finding.witness['n' + chr(39)]}" in finding.message
    guarded = text.replace("gate: i, set", "gate: i, when: n < 2, set")
    assert not named(profile_of(guarded), "range-left")


def test_an_assignment_of_a_parameter_that_leaves_the_range():
    (finding,) = named(profile_of(sts("  l0: [{gate: i, when: p > 0, set: {n: p}, to: l0}]\n")), "range-left")
    assert finding.witness["p"] == finding.witness["n'"] > 3


def test_inputs_that_are_left_open_and_silence():
    text = sts(
        "  l0: [{gate: i, when: p > 5, set: {n: 1}, to: l1}]\n"
        "  l1: [{gate: o, when: q == 1 and n > 1, to: l2}]\n  l2: []\n"
    )
    profile = profile_of(text)
    assert profile.complete is False
    (open_input,) = named(profile, "input-not-enabled")
    assert open_input.message.endswith("l0 (i where p = 0) and l1 (i)")
    (silence,) = named(profile, "quiescent")
    assert silence.where == "location l0 and l1 where n = 1"
    assert [f.where for f in named(profile, "dead-end")] == ["location l2"]
    assert [f.where for f in named(profile, "unreachable-state")] == ["location l2"]


def test_a_system_without_switches():
    assert [f.severity for f in named(profile_of(sts("  l0: []\n")), "no-transitions")] == [Severity.ERROR]


def test_names_that_nothing_uses():
    text = sts("  l0: [{gate: i, to: l0}]\n", more="constants: {c: 7, three: 3}\n")
    profile = profile_of(text)
    assert [f.where for f in named(profile, "unused-output")] == ["output gates: o"]
    assert [f.where for f in named(profile, "unused-variable")] == ["variables: n"]
    assert [f.where for f in named(profile, "unused-constant")] == ["constants: c"]
    text = sts("  l0: [{gate: o, to: l0}]\n")
    assert [f.where for f in named(profile_of(text), "unused-input")] == ["input gates: i"]


def test_an_initial_location_that_is_never_entered_again():
    profile = profile_of(sts("  l0: [{gate: i, to: l1}]\n  l1: [{gate: o, to: l1}]\n"))
    assert [f.severity for f in named(profile, "initial-not-reentered")] == [Severity.NOTE]


def test_a_run_that_needs_the_right_value_two_steps_before():
    text = sts(
        "  l0: [{gate: i, when: 0 <= p <= 1000, set: {n: p}, to: l1}]\n  l1: [{gate: o, when: q == n + 1, to: l2}]\n"
        "  l2: [{gate: o, when: n * n == 676, to: l3}, {gate: o, when: n * n != 676, to: l0}]\n  l3: []\n",
        variables="n: int 0..1000 = 0",
    )
    profile = profile_of(text)
    assert profile.connected is True
    assert not rules(profile) & {"never-taken", "reachability-unknown"}


def test_what_the_solver_cannot_tell_is_neither_yes_nor_no():
    text = sts(
        "  l0: [{gate: i, when: p ** 3 + n ** 3 + m ** 3 == 114, set: {n: p}, to: l1},"
        " {gate: i, when: p ** 3 + n ** 3 + m ** 3 != 114, set: {n: p, m: p + n}, to: l0}]\n  l1: []\n",
        variables="n: int = 0, m: int = 0",
    )
    profile = profile_of(text, timeout=1.0)
    assert profile.connected is None
    assert "reachability-unknown" in rules(profile)
    assert not rules(profile) & {"never-taken", "unreachable-state", "unsatisfiable-guard"}


def test_no_time_at_all_proves_nothing():
    profile = profile_of(sts("  l0: [{gate: i, when: n > 3, to: l1}]\n  l1: []\n"), timeout=0.0)
    assert "solver-unknown" in rules(profile)
    assert not any(finding.severity is Severity.ERROR for finding in profile.findings)


HARD = """
  l0:
    - {gate: i, when: 0 <= p <= 3, set: {n: p}, to: l1}
  l1:
    - {gate: o, when: q * q == n, to: l0}
"""


def test_silence_is_named_where_an_output_cannot_be_eliminated():
    profile = profile_of(sts(HARD))
    (plain, shown) = named(profile, "quiescent")
    assert plain.where == "location l0"
    assert shown.where == "location l1 where n = 3"


def test_silence_is_no_finding_where_an_output_is_proven_possible():
    profile = profile_of(sts(HARD.replace("q * q == n", "q * q >= n and q * (q - 1) >= n")))
    (plain,) = named(profile, "quiescent")
    assert plain.where == "location l0"
    assert not named(profile, "quiescent-unknown")


def test_silence_that_is_neither_shown_nor_excluded_is_said(monkeypatch):
    monkeypatch.setattr(import_module("fullproof.check.running.silent_runs"), "_STATES", 0)
    (finding,) = named(profile_of(sts(HARD)), "quiescent-unknown")
    assert finding.where == "location l1"
