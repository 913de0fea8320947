"""Findings on symbolic machines: each rule with a machine that breaks it and one that does not."""

from fractions import Fraction
from importlib import import_module

import pytest
from tests.check.models import facts, named, profile_of, rules
from tests.oracles.symbolic import satisfies
from tests.shared import REFERENCE

from fullproof.artefacts.finding import Severity
from fullproof.check import check
from fullproof.formats import read_model


def sfsm(states: str, *, inputs: str = "x: real 0..10", outputs: str = "y: real", more: str = "") -> str:
    """The text of a machine with initial state s0."""
    head = f"machine: sfsm\nname: m\ninputs: {{{inputs}}}\noutputs: {{{outputs}}}\ninitial: s0\n"
    return head + more + "states:\n" + states


FINE = sfsm("  s0: [{when: x > 5, then: y == x, to: s1}, {when: x <= 5, then: y == 0, to: s0}]\n"
            "  s1: [{when: true, then: y == -1, to: s0}]\n")  # fmt: skip


def test_a_fine_machine_has_no_findings():
    profile = profile_of(FINE)
    assert facts(profile) == (True,) * 5
    assert (profile.kind, profile.states, profile.transitions, profile.findings) == ("sfsm", 2, 3, ())


REFERENCES = {
    "brake/brake": (False, True, True, True, True),
    "brake/ibrake": (False, True, True, True, True),
    "brake/ibrake1": (False, True, True, True, True),
    "brake/ibrake2": (False, True, True, True, True),
    "alarm/alarm": (False, True, True, True, True),
    "alarm/early-alarm": (False, True, True, True, True),
    "alarm/late-alarm": (False, True, True, True, True),
    "alarm/eager-warning": (False, True, True, True, True),
    "alarm/alarm5": (True, True, True, False, True),
    "alarm/alarm8": (True, True, True, False, True),
}


@pytest.mark.parametrize("name", REFERENCES)
def test_the_papers_machines(name):
    profile = check(read_model(REFERENCE / f"{name}.yaml"))
    assert facts(profile) == REFERENCES[name]
    assert rules(profile) <= {"nondeterministic", "equivalent-states", "written-states"}


def test_the_larger_alarm_has_two_states_that_are_one():
    (finding,) = named(check(read_model(REFERENCE / "alarm/alarm5.yaml")), "equivalent-states")
    assert finding.where == "states s0 and s1"


def test_brake_chooses_at_the_limit_only():
    model = read_model(REFERENCE / "brake/brake.yaml")
    for finding in named(check(model), "nondeterministic"):
        assert finding.witness["x"] == 200
        state = [t for t in model.transitions if t.source == finding.where.split()[1].rstrip(",")]
        for prime in ("", "'"):
            values = {"x": finding.witness["x"], "y": finding.witness["y" + prime]}
            assert any(satisfies(model, t, values) for t in state)
        assert finding.witness["y"] != finding.witness["y'"]
        assert finding.at.line is not None


def test_a_guard_that_no_input_satisfies():
    profile = profile_of(sfsm("  s0: [{when: x > 10, then: y == 0, to: s0}, {when: true, then: y == 1, to: s0}]\n"))
    (finding,) = named(profile, "unsatisfiable-guard")
    assert (finding.severity, finding.at.line) == (Severity.ERROR, 7)
    assert finding.where == "state s0, transition 1 (x > 10 / y == 0 -> s0)"


def test_an_output_that_nothing_satisfies():
    profile = profile_of(sfsm("  s0: [{when: true, then: y == 3 and y > 4, to: s0}]\n"))
    (finding,) = named(profile, "not-well-formed")
    assert finding.severity is Severity.ERROR
    assert 0 <= finding.witness["x"] <= 10
    assert profile.complete is False


def test_an_output_outside_its_range():
    text = sfsm("  s0: [{when: true, then: y == 2 * x, to: s0}]\n", outputs="y: real 0..15")
    (finding,) = named(profile_of(text), "output-out-of-range")
    assert finding.severity is Severity.ERROR
    assert finding.witness["x"] * 2 > 15
    assert profile_of(text).complete is False
    assert not named(profile_of(text.replace("0..15", "0..20")), "output-out-of-range")


def test_an_output_outside_its_range_that_another_transition_answers():
    text = sfsm(
        "  s0: [{when: true, then: y == 2 * x, to: s0}, {when: x > 7.5, then: y == 15, to: s0}]\n",
        outputs="y: real 0..15",
    )
    profile = profile_of(text)
    (finding,) = named(profile, "output-out-of-range")
    assert finding.severity is Severity.WARNING
    assert profile.complete is True


def test_an_output_without_a_rule_for_its_elimination_is_asked_with_a_quantifier():
    text = sfsm("  s0: [{when: true, then: y * y == x - 1, to: s0}]\n", outputs="y: real")
    (finding,) = named(profile_of(text), "output-out-of-range")
    assert finding.witness["x"] < 1


def test_inputs_that_no_guard_covers():
    profile = profile_of(sfsm("  s0: [{when: x < 3, then: y == 0, to: s0}, {when: x > 3, then: y == 1, to: s0}]\n"))
    (finding,) = named(profile, "incomplete")
    assert (finding.severity, finding.where, finding.witness) == (Severity.WARNING, "state s0", {"x": Fraction(3)})
    assert profile.complete is False


def test_overlap_with_the_same_result_is_no_choice():
    text = sfsm("  s0: [{when: x <= 3, then: y == 0, to: s0}, {when: x >= 3, then: y == x - 3, to: s0}]\n")
    assert facts(profile_of(text)) == (True,) * 5
    assert profile_of(text.replace("x - 3", "x")).deterministic is False


def test_an_input_and_an_output_with_two_targets():
    profile = profile_of(sfsm("  s0: [{when: x <= 3, then: y >= 0, to: s0}, {when: x >= 3, then: y <= x, to: s1}]\n"
                              "  s1: [{when: true, then: y == 5, to: s0}]\n"))  # fmt: skip
    (finding,) = named(profile, "not-observable")
    assert finding.severity is Severity.WARNING
    assert finding.witness["x"] == 3
    assert 0 <= finding.witness["y"] <= 3
    assert profile.observable is False
    assert profile.minimal is True


def test_states_that_are_equivalent_although_the_machine_is_not_observable():
    states = (
        "  s0: [{when: true, then: y == 0, to: s1}, {when: true, then: y == 0, to: s2}]\n"
        "  s1: [{when: x < 5, then: y == 1, to: s0}, {when: x >= 5, then: y == 2, to: s0}]\n"
        "  s2: [{when: x >= 5, then: y == 2, to: s0}, {when: x < 5, then: y == 1.0, to: s0}]\n"
    )
    profile = profile_of(sfsm(states))
    assert facts(profile) == (False, True, False, False, True)
    assert [finding.where for finding in named(profile, "equivalent-states")] == ["states s1 and s2"]


def test_too_many_kinds_of_letters_leave_minimality_open(monkeypatch):
    monkeypatch.setattr(import_module("fullproof.check.symbolic.letters"), "LETTERS", 0)
    states = (
        "  s0: [{when: true, then: y == 0, to: s0}, {when: true, then: y == 0, to: s1}]\n"
        "  s1: [{when: true, then: y == 1, to: s0}]\n"
    )
    profile = profile_of(sfsm(states))
    assert profile.minimal is None
    assert named(profile, "minimality-unknown")


def test_a_state_behind_a_transition_that_cannot_be_taken():
    profile = profile_of(sfsm("  s0: [{when: true, then: y == 0, to: s0}, {when: x < 0, then: y == 1, to: s1}]\n"
                              "  s1: [{when: true, then: y == 5, to: s0}]\n"))  # fmt: skip
    (finding,) = named(profile, "unreachable-state")
    assert (finding.severity, finding.where) == (Severity.WARNING, "state s1")
    assert (profile.connected, profile.minimal) == (False, False)


def test_a_machine_without_transitions():
    profile = profile_of(sfsm("  s0: []\n"))
    assert [finding.severity for finding in named(profile, "no-transitions")] == [Severity.ERROR]
    assert profile.complete is False


def test_properties_that_are_not_safety():
    more = "properties:\n  P: G(y >= 0 -> F(x < 3))\n  Q: not ((y >= 0) W (x < 3))\n  R: G(y >= 0 -> X(y >= 0))\n"
    more += "  S: G(x < 3) -> G(y < 5)\n"
    found = named(profile_of(FINE.replace("states:", more + "states:")), "not-safety")
    assert [(f.where, f.severity, f.witness) for f in found] == [
        ("property P", Severity.NOTE, {"operator": "F"}),
        ("property Q", Severity.NOTE, {"operator": "W"}),
        ("property S", Severity.NOTE, {"operator": "G", "finite": "(y < 5) W (x >= 3)"}),
    ]
    assert "(y < 5) W (x >= 3)" in found[2].message
    assert found[0].at.line == 7


def test_names_that_nothing_uses():
    more = "constants: {c: 3, top: 10, k: 4}\nproperties: {P: G(y < k)}\n"
    text = sfsm(
        "  s0: [{when: true, then: y == 0, to: s0}]\n", inputs="x: real 0..top", outputs="y: real, z: bool", more=more
    )
    profile = profile_of(text)
    assert [f.where for f in named(profile, "unused-input")] == ["inputs: x"]
    assert [f.where for f in named(profile, "unused-output")] == ["outputs: z"]
    assert [f.where for f in named(profile, "unused-constant")] == ["constants: c"]
    assert all(finding.severity is Severity.NOTE for finding in profile.findings if finding.rule.startswith("unused"))


def test_an_initial_state_that_is_never_entered_again():
    profile = profile_of(
        sfsm("  s0: [{when: true, then: y == 0, to: s1}]\n  s1: [{when: true, then: y == 1, to: s1}]\n")
    )
    (finding,) = named(profile, "initial-not-reentered")
    assert (finding.severity, finding.where) == (Severity.NOTE, "state s0")


def test_what_the_solver_cannot_tell_is_neither_yes_nor_no():
    # Whether three cubes of whole numbers add up to 114 is an open question of number theory.
    text = sfsm(
        "  s0: [{when: a ** 3 + b ** 3 + c ** 3 == 114, then: y == 0, to: s0},"
        " {when: a ** 3 + b ** 3 + c ** 3 != 114, then: y == 1, to: s1}]\n  s1: [{when: true, then: y == 2, to: s0}]\n",
        inputs="a: int, b: int, c: int",
        outputs="y: int",
    )
    profile = profile_of(text, timeout=1.0)
    found = named(profile, "solver-unknown")
    assert found
    assert all("a ** 3" in finding.message for finding in found)
    assert not any(finding.severity is Severity.ERROR for finding in profile.findings)
    assert profile.connected is True


def test_no_time_at_all_leaves_everything_open():
    profile = profile_of(FINE, timeout=0.0)
    assert facts(profile) == (None,) * 5
    assert rules(profile) == {"solver-unknown", "minimality-unknown"}
