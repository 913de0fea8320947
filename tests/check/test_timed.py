"""Findings on timers, against random executions: what is said never to happen does not, and witnesses show races."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from tests.analysis.test_delays import WORDS, charts, model_of

from fullproof.analysis.delays import delays, expiring, next_expiry, passed
from fullproof.analysis.run_to_completion import Configuration, RunToCompletion
from fullproof.analysis.timed_reach import TimedReach
from fullproof.analysis.timed_steps import TimedSteps
from fullproof.artefacts.finding import Finding
from fullproof.check.timed import timed_findings
from fullproof.core.errors import UserError
from fullproof.model import StateMachine
from fullproof.model.inputs import Advance, SignalEvent, read_input

PARTS = {"machine": "statemachine", "signals": {"in": ["go", "stop"], "out": ["a", "b", "c"]}, "initial": "idle"}


def found(**states: Any) -> dict[str, Finding]:
    return {finding.rule: finding for finding in timed_findings(model_of({**PARTS, "states": states}))}


def played(model: StateMachine, inputs: object) -> set[Configuration]:
    """Where the inputs of a witness may lead."""
    machine = RunToCompletion(model)
    here = {machine.start}
    assert isinstance(inputs, list)
    for raw in inputs:
        one = read_input(raw, lambda _name, value: value, has_events=True)
        if isinstance(one, Advance):
            here = {run.end for c in here for run in delays(machine, c, one.seconds)}
        else:
            assert isinstance(one, SignalEvent)
            here = {run.end for c in here for run in machine.runs(c, one.signal, one.values)}
    return here


IDLE = [{"trigger": "go", "to": "work"}]


def test_two_timers_at_once() -> None:
    work = [{"after": "10 s", "send": "a", "to": "idle"}, {"every": "5 s", "kind": "internal", "send": "c"}]
    race = found(idle=IDLE, work=work)["timer-race"]
    assert race.where == "timers work after 10 s and work every 5 s"
    assert race.witness == {"inputs": [{"trigger": "go"}, {"advance": 10}]}


def test_a_race_that_needs_an_input_at_the_right_time() -> None:
    work = {
        "initial": "calm",
        "transitions": [{"after": "9 s", "send": "a", "to": "idle"}],
        "states": {
            "calm": [{"trigger": "stop", "to": "hurry"}],
            "hurry": [{"every": "4 s", "send": "b", "to": "calm"}],
        },
    }
    race = found(idle=IDLE, work=work)["timer-race"]
    assert race.witness == {"inputs": [{"trigger": "go"}, {"advance": 5}, {"trigger": "stop"}, {"advance": 4}]}


def test_an_order_that_does_not_matter_is_no_race() -> None:
    work = [{"after": "10 s", "kind": "internal"}, {"every": "5 s", "kind": "internal"}]
    assert "timer-race" not in found(idle=IDLE, work=work)


def test_an_input_at_a_timeout() -> None:
    work = [{"after": "1.5 min", "send": "a", "to": "idle"}, {"trigger": "stop", "to": "idle"}]
    finding = found(idle=IDLE, work=work)["input-at-timeout"]
    assert finding.witness == {"inputs": [{"trigger": "go"}, {"advance": 90}, {"trigger": "go"}]}
    assert "after go, 90 s" in finding.message


def test_timers_without_effect() -> None:
    never = found(idle=IDLE, work=[{"after": "5 s", "to": "idle"}, {"after": "6 s", "to": "work"}])[
        "timer-without-effect"
    ]
    assert ("never expires" in never.message, never.witness) == (True, {"inputs": [{"trigger": "go"}]})
    lost = found(idle=[{"after": "5 s", "when": "1 > 2", "to": "idle"}])["timer-without-effect"]
    assert ("never does anything" in lost.message, lost.witness) == (True, {"inputs": [{"advance": 5}]})
    loop = [{"every": "5 s", "kind": "internal"}, {"trigger": "go", "send": "a", "to": "idle"}]
    idle = found(idle=loop)["timer-without-effect"]
    assert ("never does anything" in idle.message, idle.witness) == (True, {"inputs": [{"advance": 5}]})
    for does in ({"send": "a"}, {"restart": ["idle"]}, {"to": "work", "kind": "external"}):
        matters = [{**loop[0], **does}, {"after": "7 s", "send": "a", "to": "idle"}]
        listed = timed_findings(model_of({**PARTS, "states": {"idle": matters, "work": []}}))
        assert "timer idle every 5 s" not in [f.where for f in listed if f.rule == "timer-without-effect"]
    behind = [{"every": "1 s", "kind": "internal", "send": "a"}, {"after": "3 s", "when": "1 > 2", "to": "idle"}]
    late = found(idle=behind)["timer-without-effect"]
    assert (late.where, late.witness) == ("timer idle after 3 s", {"inputs": [{"advance": 3}]})
    unborn = found(idle=[], work=[{"after": "5 s", "to": "idle"}])["timer-without-effect"]
    assert "never runs" in unborn.message


def test_a_timeout_that_is_never_reached_in_one_state() -> None:
    work = {
        "initial": "calm",
        "transitions": [{"after": "9 s", "timer": "end", "to": "idle"}],
        "states": {
            "calm": [{"after": "5 s", "to": "late"}, {"after": "9 s", "timer": "mine", "send": "a", "to": "calm"}],
            "late": [{"after": "1 s", "to": "calm"}],
        },
    }
    rules = found(idle=IDLE, work=work)
    assert rules["timer-without-effect"].where == "timer mine"
    flat = {"timers": {"t": "after 5 s"}, "started": ["t"]}
    states = {
        "idle": [{"trigger": "go", "start": "t", "to": "late"}, {"trigger": "t", "to": "idle"}],
        "late": [{"trigger": "go", "stop": "t", "to": "off"}],
        "off": [{"trigger": "t", "to": "idle"}],
    }
    listed = list(timed_findings(model_of({**PARTS, **flat, "states": states})))
    (never,) = [finding for finding in listed if finding.rule == "timeout-never-reached"]
    assert (never.where, never.witness) == ("state off, timer t", {"inputs": [{"trigger": "go"}, {"trigger": "go"}]})


def test_time_that_stands_still() -> None:
    work = [{"after": "0 s", "to": "other"}]
    finding = found(idle=IDLE, work=work, other=[{"after": "0 ms", "to": "work"}])["zeno-loop"]
    assert finding.witness == {"inputs": [{"trigger": "go"}]}
    assert "zeno-loop" not in found(idle=IDLE, work=work, other=[{"after": "1 ms", "to": "work"}])


def test_what_is_not_finite_is_not_decided() -> None:
    chart = {**PARTS, "inputs": {"x": "real"}, "states": {"idle": [{"after": "1 s", "to": "idle"}]}}
    (finding,) = timed_findings(model_of(chart))
    assert finding.rule == "time-unknown"


@given(charts(), WORDS)
@settings(max_examples=25, deadline=None)
def test_what_happens_was_foreseen(chart: dict[str, Any], word: list[str | Fraction]) -> None:
    model = model_of(chart)
    try:
        reach = TimedReach(TimedSteps(model))
    except UserError:
        return
    foreseen = {number for way in reach.taken for number in way.step.transitions}
    findings = list(timed_findings(model))
    races = [f for f in findings if f.rule == "timer-race"]
    machine = RunToCompletion(model)
    here = {machine.start}
    for one in word:
        if isinstance(one, str):
            runs = [run for c in here for run in machine.runs(c, one, {})]
        else:
            runs = [run for c in here for run in delays(machine, c, one)]
            assert races or all(_meet_harmlessly(machine, c, one) for c in here)
        assert all(set(run.transitions) <= foreseen for run in runs)
        here = {run.end for run in runs}


def _meet_harmlessly(machine: RunToCompletion, here: Configuration, delay: Fraction) -> bool:
    """Whether in a delay no two timers expire at one instant whose order decides where that leads."""
    soon = next_expiry(here)
    if soon is None or soon > delay:
        return True
    now = passed(here, soon)
    orders = [
        {(run.end, run.sent) for run in delays_from(machine, now, number)} for number, _ in expiring(machine, now)
    ]
    return all(order == orders[0] for order in orders)


def delays_from(machine: RunToCompletion, now: Configuration, first: int) -> list[Any]:
    """All that happens at one instant, where a timer is the first."""
    found = []
    for number, configuration in expiring(machine, now):
        if number == first:
            for run in machine.runs(configuration, machine.model.timers[number].name, {}):
                rest = delays(machine, run.end, Fraction(0))
                found += [type(after)(after.end, run.sent + after.sent, ()) for after in rest]
    return found


@given(charts())
@settings(max_examples=20, deadline=None)
def test_witnesses_of_races_lead_to_different_places(chart: dict[str, Any]) -> None:
    model = model_of(chart)
    for finding in timed_findings(model):
        if finding.rule == "timer-race":
            assert finding.witness is not None
            *_, last = finding.witness["inputs"]  # type: ignore[misc]
            assert "advance" in last
            machine = RunToCompletion(model)
            before = played(model, finding.witness["inputs"][:-1])  # type: ignore[index]
            delay = read_input(last, lambda _name, value: value, has_events=True)
            assert isinstance(delay, Advance)
            answers = {(run.end, run.sent) for c in before for run in delays(machine, c, delay.seconds)}
            assert len(answers) > 1


def test_timers_that_only_an_input_at_a_timeout_would_bring_together_do_not_race() -> None:
    """Second timers start before the first ones expire, hence they expire before the outer one."""
    expire = {"after": "1 s", "to": "a", "send": "p"}
    inner = {"b1": {"transitions": [{"trigger": "x", "to": "b2"}, expire]}, "b2": {"transitions": [expire]}}
    outer = {"transitions": [{"after": "2000 ms", "to": "a"}], "initial": "b1", "states": inner}
    chart = {"machine": "statemachine", "signals": {"in": ["x"], "out": ["p"]}, "initial": "b"}
    model = model_of({**chart, "states": {"a": {"transitions": []}, "b": outer}})
    assert "timer-race" not in {finding.rule for finding in timed_findings(model)}


@pytest.mark.parametrize("factor", [1, 1000, 3600])
def test_units_do_not_matter(factor: int) -> None:
    work = [
        {"after": f"{10 * factor} ms", "send": "a", "to": "idle"},
        {"every": f"{5 * factor} ms", "kind": "internal", "send": "c"},
    ]
    race = found(idle=IDLE, work=work)["timer-race"]
    assert race.witness is not None
    _, delay = race.witness["inputs"]  # type: ignore[misc]
    assert Fraction(str(delay["advance"])) == Fraction(10 * factor, 1000)
