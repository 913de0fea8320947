"""Events that were seen elsewhere are followed through a transition system, and everything else is refused in words."""

import itertools

import pytest
from tests.serve.bench import Bench, model
from tests.serve.test_interface import TURNSTILE
from tests.serve.test_time_and_events import QUEUE

PUT, GET = {"send": ["put", [3]]}, {"send": ["get", []]}


def followed(bench: Bench, text: str, *events: object, seed: int = 0) -> dict:
    return bench.ask("simulate", {**model(text), "moves": [{"event": one} for one in events], "seed": seed}).json


def test_what_a_model_has_is_followed_with_its_values(bench: Bench) -> None:
    found = followed(bench, QUEUE, PUT, {"silence": True}, GET, {"emit": ["out", [3]]})
    assert found["refused"] is None
    assert [step["to"] for step in found["steps"]] == ["full", "full", "asked", "empty"]
    assert [step["output"] for step in found["steps"]][1:] == ["silence: it emits nothing here", "", "out(3)"]
    assert [bool(step["taken"]) for step in found["steps"]] == [True, False, True, True]


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"emit": ["out", [4]]}, "out(4) is no output of the model here"),
        ({"silence": True}, "not silent here"),
        ({"emit": ["ouT", [3]]}, "did you mean 'out'?"),
        ({"emit": ["out", []]}, "gate out has 1 value, got 0"),
        ({"emit": ["out", ["three"]]}, "p: "),
        ({"emit": [3, []]}, "expected an event"),
        ({"emit": "out"}, "expected an event"),
        ({"nonsense": [[[[]]]]}, "expected an event"),
        ({"send": ["put", [77]]}, "outside int 0..9"),
        ({"send": ["get", []]}, "get() is not specified here"),
        ({"send": {"put": 3}}, "expected [gate, [values]]"),
    ],
)
def test_what_it_has_not_is_said(event: object, said: str, bench: Bench) -> None:
    found = followed(bench, QUEUE, PUT, GET, event)
    assert len(found["steps"]) == 2 and said in found["refused"], found["refused"]


def test_other_kinds_have_no_events(bench: Bench) -> None:
    assert "transition systems" in followed(bench, TURNSTILE, PUT)["refused"]
    assert bench.ask("simulate", {**model(QUEUE), "moves": [{"event": {"a": 1, "b": 2}}]}).status == 422


LEFT_OR_RIGHT = """machine: sts
name: fork
inputs: {go: {}}
outputs: {left: {}, right: {}}
initial: a
states:
  a: [{gate: go, to: b}, {gate: go, to: c}]
  b: [{gate: left, to: a}]
  c: [{gate: right, to: a}]
"""


def test_the_choices_of_the_model_are_those_that_were_seen(bench: Bench) -> None:
    """Whatever the seed: each of the eight traces of three rounds is one of the model."""
    for number, gates in enumerate(itertools.product(("left", "right"), repeat=3)):
        events = [event for gate in gates for event in ({"send": ["go", []]}, {"emit": [gate, []]})]
        assert followed(bench, LEFT_OR_RIGHT, *events, seed=number)["refused"] is None
