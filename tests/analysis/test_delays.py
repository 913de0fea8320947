"""What timers of state machines do, against a chart that is played tick by tick."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.ticking import Moment, Ticking

from fullproof.analysis.delays import delays
from fullproof.analysis.run_to_completion import Configuration, RunGoesWrong, RunToCompletion
from fullproof.formats import read_model_text
from fullproof.model import StateMachine

NAMES = ("a", "b", "b1", "b2", "b3")


def model_of(chart: dict[str, Any]) -> StateMachine:
    model = read_model_text(json.dumps(chart), Path("m.yaml"))
    assert isinstance(model, StateMachine)
    return model


def transitions(name: str) -> st.SearchStrategy[list[dict[str, Any]]]:
    waits = st.one_of(
        st.sampled_from([{"trigger": "x"}, {"trigger": "y"}]),
        st.sampled_from(["1 s", "2000 ms", "3 s", "0.05 min", "7/2 s"]).map(lambda time: {"after": time}),
        st.sampled_from(["1 s", "2 s", "1.5 s"]).map(lambda time: {"every": time}),
    )
    moves = st.one_of(st.sampled_from(NAMES).map(lambda target: {"to": target}), st.just({"kind": "internal"}))
    sends = st.sampled_from([{}, {"send": ["p"]}, {"send": ["q"]}])
    return st.lists(st.builds(lambda a, b, c: {**a, **b, **c}, waits, moves, sends), max_size=3)


@st.composite
def charts(draw: st.DrawFn) -> dict[str, Any]:
    listed = {name: {"transitions": draw(transitions(name))} for name in NAMES}
    timed = [n for n, s in listed.items() if any("trigger" not in t for t in s["transitions"])]
    if timed:
        for state in listed.values():
            for t in state["transitions"]:
                if draw(st.booleans()):
                    t["restart"] = [draw(st.sampled_from(timed))]
    inner = {name: listed[name] for name in ("b1", "b2", "b3")}
    states = {"a": listed["a"], "b": {**listed["b"], "initial": "b1", "states": inner}}
    signals = {"in": ["x", "y"], "out": ["p", "q"]}
    return {
        "machine": "statemachine",
        "signals": signals,
        "initial": draw(st.sampled_from(["a", "b"])),
        "states": states,
    }


WORDS = st.lists(
    st.one_of(st.sampled_from(["x", "y"]), st.sampled_from([Fraction(n, 2) for n in range(1, 9)])), max_size=6
)


@given(charts(), WORDS)
@settings(max_examples=60, deadline=None)
def test_delays_do_what_ticks_do(chart: dict[str, Any], word: list[str | Fraction]) -> None:
    machine = RunToCompletion(model_of(chart))
    twin = Ticking(chart, [one for one in word if isinstance(one, Fraction)])
    mine: set[tuple[Configuration, tuple[str, ...]]] = {(machine.start, ())}
    theirs: set[tuple[Moment, tuple[str, ...]]] = {(twin.start(), ())}
    for one in word:
        if isinstance(one, str):
            mine = {(r.end, s + r.sent) for c, s in mine for r in machine.runs(c, one, {})}
            theirs = {(after, s + said) for m, s in theirs for after, said in twin.event(m, one)}
        else:
            mine = {(r.end, s + r.sent) for c, s in mine for r in delays(machine, c, one)}
            theirs = {(after, s + said) for m, s in theirs for after, said in twin.delay(m, one)}
        assert {(c.state, s) for c, s in mine} == {(m[0][-1], s) for m, s in theirs}


def test_zero_is_allowed_and_a_circle_of_zeros_is_found() -> None:
    states = {"a": [{"after": "0 s", "to": "b"}], "b": [{"after": "0 ms", "to": "a"}]}
    machine = RunToCompletion(model_of({"machine": "statemachine", "initial": "a", "states": states}))
    with pytest.raises(RunGoesWrong, match="without end at one instant"):
        delays(machine, machine.start, Fraction(1))


def test_a_very_long_delay_of_a_fast_timer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fullproof.analysis.delays.MOST_EXPIRIES", 500)
    states = {"a": [{"every": "1 ms", "kind": "internal"}]}
    machine = RunToCompletion(model_of({"machine": "statemachine", "initial": "a", "states": states}))
    with pytest.raises(RunGoesWrong, match="more than 500 timers expire in one delay"):
        delays(machine, machine.start, Fraction(1))


def test_regions_have_timers_of_their_own() -> None:
    def region(name: str, time: str) -> dict[str, Any]:
        states = {f"{name}0": [{"after": time, "send": name, "to": f"{name}1"}], f"{name}1": []}
        return {"initial": f"{name}0", "states": states}

    both = {
        "parallel": {"l": region("p", "2 s"), "r": region("q", "3 s")},
        "transitions": [{"trigger": "x", "to": "both"}],
    }
    signals = {"in": ["x"], "out": ["p", "q"]}
    chart = {"machine": "statemachine", "signals": signals, "initial": "both", "states": {"both": both}}
    machine = RunToCompletion(model_of(chart))
    (first,) = delays(machine, machine.start, Fraction(5, 2))
    assert first.sent == ("p",)
    (second,) = delays(machine, first.end, Fraction(1))
    assert (second.end.state, second.sent) == ("p1+q1", ("q",))
    (again,) = machine.runs(first.end, "x", {})
    (late,) = delays(machine, again.end, Fraction(3))
    assert late.sent == ("p", "q")
