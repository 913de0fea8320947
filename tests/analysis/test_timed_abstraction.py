"""The finite timed machine of a state machine does what that does."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from tests.analysis.test_delays import WORDS, charts, model_of

from fullproof.analysis.delays import delays
from fullproof.analysis.run_to_completion import RunToCompletion
from fullproof.analysis.timed_abstraction import timed_abstraction
from fullproof.core.errors import UserError
from fullproof.model.timed_run import after_delay, after_input, initial_state


@given(charts(), WORDS)
@settings(max_examples=60, deadline=None)
def test_it_does_what_the_model_does(chart: dict[str, Any], word: list[str | Fraction]) -> None:
    model = model_of(chart)
    try:
        made = timed_abstraction(model)
    except UserError as error:
        assert "not deterministic" in error.message
        return
    machine, state, here = RunToCompletion(model), initial_state(made.machine), RunToCompletion(model).start
    signals = [event.signal for event in made.events]
    for one in word:
        if isinstance(one, str):
            state, outputs = after_input(made.machine, state, signals.index(one))
            (run,) = machine.runs(here, one, {})
        else:
            found = delays(machine, here, one)
            if len(found) > 1:
                return  # a race
            (run,) = found
            state, expired = after_delay(made.machine, state, one)
            outputs = tuple(output for expiry in expired for output in expiry.outputs)
        here = run.end
        assert (made.places[state.location].state, state.clocks, outputs) == (here.state, here.clocks, run.sent)


def test_a_timer_that_may_be_off_needs_no_location_of_its_own() -> None:
    states = {
        "a": [{"after": "5 s", "kind": "internal", "send": "p"}, {"trigger": "x", "to": "b"}],
        "b": [{"trigger": "x", "to": "a"}],
    }
    signals = {"in": ["x"], "out": ["p"]}
    made = timed_abstraction(
        model_of({"machine": "statemachine", "signals": signals, "initial": "a", "states": states})
    )
    assert made.machine.locations == ("a", "b")
    assert made.machine.running == (frozenset({0}), frozenset())


def test_values_are_part_of_locations_and_outputs_are_shown() -> None:
    states = {
        "a": [
            {"trigger": "x", "when": "n < 2", "do": "n = n + 1", "kind": "internal"},
            {"after": "5 s", "when": "n == 2 and go", "do": "n = 0", "to": "b"},
        ],
        "b": [{"every": "1/2 s", "when": "not go", "to": "a"}],
    }
    parts = {"signals": {"in": ["x"]}, "inputs": {"go": "bool"}, "outputs": {"n": "int 0..2 = 0"}}
    chart = {"machine": "statemachine", **parts, "initial": "a", "states": states}
    with pytest.raises(UserError, match="may expire before all inputs have values"):
        timed_abstraction(model_of(chart))
    first = {"start": [{"trigger": "x", "to": "a"}], **states}
    made = timed_abstraction(model_of({**chart, "initial": "start", "states": first}))
    assert sorted(set(made.machine.shown)) == ["n = 0", "n = 1", "n = 2"]
    assert made.machine.inputs == ("go = false", "x, go = false", "go = true", "x, go = true")
    assert sum(place.state == "b" for place in made.places) == 2


@pytest.mark.parametrize(
    ("part", "message"),
    [({"inputs": {"n": "int 0..1000"}}, "more than 64 combinations"), ({"inputs": {"r": "real"}}, "more than 64")],
)
def test_what_is_not_finite_is_refused(part: dict[str, Any], message: str) -> None:
    chart = {"machine": "statemachine", **part, "initial": "a", "states": {"a": [{"after": "1 s", "to": "a"}]}}
    with pytest.raises(UserError, match=message):
        timed_abstraction(model_of(chart))
