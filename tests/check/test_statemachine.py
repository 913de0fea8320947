"""Findings on state machines: each rule with a machine that breaks it and one that does not."""

import pytest
from tests.check.models import facts, named, profile_of, rules
from tests.shared import REFERENCE

from fullproof.artefacts.finding import Severity
from fullproof.check import check
from fullproof.formats import read_model


def machine(states: str, *, choices: str = "", more: str = "", variables: str = "m: int 0..9 = 0") -> str:
    """The text of a machine with signals go and beep, input x, output y and initial state s0."""
    head = (
        "machine: statemachine\nname: m\nsignals: {in: [go], out: [beep]}\ninputs: {x: int 0..9}\n"
        f"outputs: {{y: int = 0}}\nvariables: {{{variables}}}\ninitial: s0\nchoices: [{choices}]\n"
    )
    return head + more + "states:\n" + states


FINE = machine(
    "  s0: [{trigger: go, when: x > 3, do: [m = x], send: [beep], to: s1}]\n"
    "  s1: [{when: m > x, do: [y = m], to: s0}, {trigger: go, when: m <= x, to: s0}]\n"
)


def test_a_fine_machine_has_no_findings():
    profile = profile_of(FINE)
    assert facts(profile) == (True, True, True, None, True)
    assert profile.findings == ()


@pytest.mark.parametrize("name", ["figure1", "figure4"])
def test_the_papers_machines(name):
    # The cycle of l4 and l5 is left after one turn at the latest: m doubles, m < 10 leads to l5, m > 10 back to l4.
    profile = check(read_model(REFERENCE / f"state-machine/{name}.yaml"))
    assert facts(profile) == (True, True, True, None, True)
    assert rules(profile) == {"initial-not-reentered", "ignored-signal"}


def test_a_run_that_goes_round_for_ever():
    text = machine(
        "  s0: [{trigger: go, do: [m = x], to: s1}]\n"
        "  s1: [{when: m > 4, to: s2}, {when: m < 3, to: s0}]\n  s2: [{when: m > 5, to: s1}]\n"
    )
    (finding,) = named(profile_of(text), "livelock")
    assert (finding.severity, finding.where) == (Severity.ERROR, "states s1, s2")
    assert finding.witness["m"] > 5
    assert "s1 -> s2 -> s1" in finding.message or "s2 -> s1 -> s2" in finding.message
    assert not rules(profile_of(text.replace("m > 5", "m > 4, do: [m = m - 1]"))) & {"livelock", "livelock-unknown"}


def test_values_that_come_back():
    # From m = 1 and m = 2 the cycle swaps 1 and 2; the guard itself is not kept by every turn.
    text = machine(
        "  s0: [{trigger: go, do: [m = x], to: s1}]\n  s1: [{when: m < 4 and m != 0, do: [m = 3 - m], to: s1}]\n"
    )
    (finding,) = named(profile_of(text), "livelock")
    assert finding.severity is Severity.ERROR
    assert finding.witness["m"] in (1, 2)


def test_a_cycle_that_counts_ends():
    up = machine(
        "  s0: [{trigger: go, do: [m = x], to: s1}]\n"
        "  s1: [{when: m < 9 and y >= 0, do: [m = m + 1], to: s1}, {when: m == 9, to: s0}]\n",
        variables="m: int = 0",
    )
    assert not rules(profile_of(up)) & {"livelock", "livelock-unknown"}
    down = machine(
        "  s0: [{trigger: go, do: [m = x], to: s1}]\n"
        "  s1: [{when: m > 0, do: [m = m / 2 - 1], to: s2}]\n  s2: [{when: m > -3, to: s1}]\n",
        variables="m: real = 0",
    )
    assert not rules(profile_of(down)) & {"livelock", "livelock-unknown"}


def test_a_cycle_that_no_run_enters():
    text = machine(
        "  s0: [{trigger: go, do: [m = 1], to: s1}]\n  s1: [{when: m > 4, to: s1}, {when: m == 0, to: s0}]\n"
    )
    assert not rules(profile_of(text)) & {"livelock", "livelock-unknown"}


def test_a_cycle_of_which_nothing_is_known():
    # The Collatz conjecture: whether every run ends is an open question of number theory.
    text = machine(
        "  s0: [{trigger: go, when: k > 0, do: [m = k], to: s1}]\n"
        "  s1: [{when: m > 1 and m % 2 == 0, do: [m = floor(m / 2)], to: s1},"
        " {when: m > 1 and m % 2 == 1, do: [m = 3 * m + 1], to: s1}]\n",
        variables="m: int = 0",
    ).replace("x: int 0..9", "k: int")
    profile = profile_of(text, timeout=2.0)
    (finding,) = named(profile, "livelock-unknown")
    assert (finding.severity, finding.where) == (Severity.NOTE, "state s1")
    assert not named(profile, "livelock")


def test_two_transitions_for_one_event():
    profile = profile_of(
        machine("  s0: [{trigger: go, when: x < 5, to: s0}, {trigger: go, when: x > 3, to: s1}]\n  s1: []\n")
    )
    (finding,) = named(profile, "nondeterministic")
    assert (finding.severity, finding.where) == (Severity.WARNING, "state s0, transitions 1 and 2")
    assert finding.witness == {"x": 4}
    assert finding.message == "event go where x = 4 may go to s0 as well as to s1"
    assert (profile.deterministic, profile.observable) == (False, None)


def test_an_event_and_a_transition_without_trigger():
    text = machine("  s0: [{trigger: go, to: s1}]\n  s1: [{when: x > 7, to: s0}, {trigger: go, when: x > 6, to: s1}]\n")
    (finding,) = named(profile_of(text), "nondeterministic")
    assert finding.witness["x"] > 7
    # In a quiescent s1 the variable m keeps the first transition from firing, whatever the inputs.
    assert not named(profile_of(text.replace("when: x > 7", "when: m > 7")), "nondeterministic")


def test_different_actions_or_signals_are_a_choice():
    text = machine(
        "  s0: [{trigger: go, when: x < 5, do: [y = x], to: s0}, {trigger: go, when: x > 3, do: [y = 4], to: s0}]\n"
    )
    assert not named(profile_of(text), "nondeterministic")
    assert named(profile_of(text.replace("y = 4", "y = 5")), "nondeterministic")
    assert named(profile_of(text.replace("do: [y = 4]", "do: [y = 4], send: [beep]")), "nondeterministic")


def test_a_choice_point_without_a_way_out():
    text = machine(
        "  s0: [{trigger: go, do: [m = x], to: c}]\n  c: [{when: m < 4, to: s0}, {when: m > 4, to: s0}]\n", choices="c"
    )
    profile = profile_of(text)
    (finding,) = named(profile, "choice-incomplete")
    assert (finding.severity, finding.where, finding.witness) == (Severity.ERROR, "choice point c", {"m": 4})
    assert profile.complete is False
    covered = profile_of(text.replace("m > 4", "m >= 4"))
    assert covered.complete is True
    assert not named(covered, "choice-incomplete")
    # No run brings 4 there.
    assert profile_of(text.replace("m = x", "m = 2 * (x % 2)")).complete is True


def test_a_trigger_at_a_choice_point():
    profile = profile_of(machine("  s0: [{trigger: go, to: c}]\n  c: [{trigger: go, to: s0}, {to: s0}]\n", choices="c"))
    assert [f.severity for f in named(profile, "choice-trigger")] == [Severity.ERROR]


def test_an_action_that_leaves_the_range():
    text = machine("  s0: [{trigger: go, do: [m = x + 1, m = m - 1], to: s0}]\n")
    (finding,) = named(profile_of(text), "range-left")
    assert finding.severity is Severity.ERROR
    assert finding.witness == {"x": 9, "m'": 10}
    assert not named(profile_of(text.replace("x + 1", "x - x % 2 + 1")), "range-left")


def test_a_state_and_a_transition_that_no_run_reaches():
    text = machine("  s0: [{trigger: go, do: [m = 1], to: s0}, {when: m > 1, to: s1}]\n  s1: [{to: s0}]\n")
    profile = profile_of(text)
    assert [f.where for f in named(profile, "unreachable-state")] == ["state s1"]
    assert [f.where for f in named(profile, "never-taken")] == ["state s0, transition 2 ([m > 1] -> s1)"]
    assert profile.connected is False
    assert [f.severity for f in named(profile_of(text.replace("m > 1", "m > 9")), "unsatisfiable-guard")] == [
        Severity.ERROR
    ]


def test_a_start_that_does_not_wait():
    profile = profile_of(machine("  s0: [{when: x > 4, to: s1}]\n  s1: [{trigger: go, to: s0}]\n"))
    (finding,) = named(profile, "initial-not-quiescent")
    assert finding.severity is Severity.NOTE
    assert finding.witness["x"] > 4


def test_names_that_nothing_uses():
    profile = profile_of(machine("  s0: [{trigger: go, to: s0}]\n", more="constants: {c: 4}\n"))
    found = {f.where for f in profile.findings if f.rule.startswith("unused")}
    assert found == {
        "output signals: beep",
        "input attributes: x",
        "output attributes: y",
        "variables: m",
        "constants: c",
    }
    silent = machine("  s0: [{when: x > 3 and m < 1, do: [y = 1, m = 1], send: [beep], to: s0}]\n")
    assert [f.where for f in named(profile_of(silent), "unused-input")] == ["input signals: go"]


def test_a_machine_without_transitions():
    assert [f.severity for f in named(profile_of(machine("  s0: []\n")), "no-transitions")] == [Severity.ERROR]


LOSSY = """
    machine: statemachine
    name: m
    signals: {in: [on, off, tick], out: [beep]}
    inputs: {x: int 0..9}
    initial: idle
    choices: [choose]
    states:
      idle: [{trigger: on, send: [beep], to: pass}]
      pass: [{to: choose}]
      choose: [{when: x > 3, to: busy}, {when: x <= 3, to: idle}]
      busy: [{trigger: off, to: over}, {trigger: on, when: x > 5, to: busy}]
      over: [{trigger: on, to: end}, {trigger: off, to: over}, {trigger: tick, to: over}]
      end: []
"""


def test_signals_that_a_state_loses_are_named():
    (finding,) = named(profile_of(LOSSY), "ignored-signal")
    assert finding.severity is Severity.WARNING
    assert finding.where == "3 of 4 states"  # the choice point and the state that is left at once wait for nothing
    assert finding.message.endswith("idle (off and tick), busy (tick) and end (on, off and tick)")
    assert finding.witness == {"state": "idle", "signals": ["off", "tick"]}
    assert not named(profile_of(FINE), "ignored-signal")


def test_states_after_which_nothing_is_seen_are_named():
    (finding,) = named(profile_of(LOSSY), "silent-states")
    assert (finding.severity, finding.where) == (Severity.WARNING, "states busy and over")
    assert not named(profile_of(LOSSY.replace("tick, to: over", "tick, send: [beep], to: over")), "silent-states")
    assert not named(profile_of(FINE), "silent-states")


@pytest.mark.parametrize("states", ["s0: [{trigger: go, to: s0}]", "s0: [{trigger: go, to: s1}]\n  s1: []"])
def test_a_machine_without_outputs_shows_nothing(states):
    profile = profile_of(machine("  " + states + "\n"))
    assert "nothing-observable" in rules(profile)
    assert "silent-states" not in rules(profile)
