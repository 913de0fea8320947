"""State machines run to completion."""

import io
import json
from random import Random

import pytest
from tests.judgement import event
from tests.shared import REFERENCE

from fullproof.core.errors import UserError
from fullproof.execute import SutError
from fullproof.execute.simulate import simulate
from fullproof.formats import read_model
from fullproof.kinds import play
from fullproof.kinds.statemachine.player import StateMachinePlayer

FIGURE_1 = REFERENCE / "state-machine" / "figure1.yaml"


def talk(path, *messages) -> list:
    out = io.StringIO()
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    simulate(read_model(path), io.StringIO(lines), out, play=play)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize(("figure", "y"), [("figure1", 47.891), ("figure4", 55.891)])
def test_the_trace_of_the_paper_gives_its_numbers(figure, y):
    answers = talk(
        REFERENCE / "state-machine" / f"{figure}.yaml",
        {"input": {"trigger": "start", "x": 9.998}},
        {"input": {"trigger": "a", "x": 9.998}},
        {"input": {"x": -0.1}},
        {"reset": True},
        {"input": {"trigger": None, "x": -0.1}},
    )
    assert answers[2:] == [{"output": y}, {"ready": True}, {"output": 0}]


@pytest.fixture
def machine(tmp_path):
    def write(states: str, more: str = "") -> StateMachinePlayer:
        (tmp_path / "m.yaml").write_text(
            "machine: statemachine\nname: m\nsignals: {in: [go, stop], out: [beep, boop]}\n"
            "inputs: {x: int 0..9, b: bool}\noutputs: {y: int = 0}\nvariables: {m: int 0..5 = 1}\n"
            f"initial: s\n{more}states:\n{states}"
        )
        return StateMachinePlayer(read_model(tmp_path / "m.yaml"), Random(0))

    return write


def test_actions_run_in_order_and_signals_are_sent(machine):
    player = machine(
        "  s:\n    - {trigger: go, do: [m = x, y = m + 1], send: [beep, boop], to: t}\n"
        "  t:\n    - {when: b, do: [y = 2 * y], send: [beep], to: u}\n  u: []\n"
    )
    assert player.step(event({"trigger": "go", "x": 3, "b": True})) == {"y": 8, "send": ["beep", "boop", "beep"]}


def test_an_event_that_fires_nothing_is_lost_and_inputs_keep_their_values(machine):
    player = machine("  s:\n    - {trigger: go, when: x > 3, do: [y = x], to: s}\n")
    assert player.step(event({"trigger": "stop", "x": 5, "b": False})) == {"y": 0, "send": []}
    assert player.step(event({"trigger": "go"})) == {"y": 5, "send": []}
    assert player.step(event({"x": 9})) == {"y": 5, "send": []}


def test_only_the_first_transition_of_a_run_consumes_the_event(machine):
    player = machine("  s:\n    - {trigger: go, to: t}\n  t:\n    - {trigger: go, do: [y = 1], to: s}\n")
    assert player.step(event({"trigger": "go", "x": 0, "b": False}))["y"] == 0
    assert player.step(event({"trigger": "go"}))["y"] == 1


@pytest.mark.parametrize(
    ("states", "more", "message"),
    [
        ("  s:\n    - {to: t}\n  t:\n    - {to: s}\n", "", "livelock: a run comes back to"),
        ("  s:\n    - {do: [y = 2 * y * y + 2], to: s}\n", "", "livelock: values grow without end"),
        ("  s:\n    - {do: [m = m + x], to: t}\n  t: []\n", "", r"m = 10 leaves int 0\.\.5"),
        ("  s:\n    - {to: c}\n  c:\n    - {when: b, to: s}\n", "choices: [c]\n", "no way out of choice point 'c'"),
    ],
)
def test_a_run_that_goes_wrong_has_not_happened(machine, states, more, message):
    player = machine(states, more)
    for _ in range(2):
        with pytest.raises(SutError, match=message):
            player.step(event({"x": 9, "b": False}))


@pytest.mark.parametrize(
    ("symbol", "message"),
    [
        ("go", "a statemachine takes an object"),
        ({"trigger": "gone", "x": 1, "b": True}, "the signal 'gone', which the model does not know; did you mean 'go'"),
        ({"trigger": "go", "z": 1}, "the input 'z', which the model does not know"),
        ({"trigger": "go", "x": 1}, "no value of the input b so far"),
        ({"x": 10, "b": True}, r"x = 10, which is not a value of int 0\.\.9"),
    ],
)
def test_inputs_are_checked(machine, symbol, message):
    with pytest.raises(SutError, match=message):
        machine("  s: []\n").step(event(symbol))


def test_a_variable_may_not_be_called_like_a_key_of_the_protocol(tmp_path):
    text = FIGURE_1.read_text().replace("{x: real}", "{x: real, trigger: int}")
    (tmp_path / "m.yaml").write_text(text)
    with pytest.raises(UserError, match="a variable of a statemachine cannot be called 'trigger'"):
        talk(tmp_path / "m.yaml")


def test_bad_values_are_answered_by_an_error():
    answers = talk(FIGURE_1, {"input": "start"}, {"input": {"x": "fast"}}, {"input": {"trigger": ["a"], "x": 1}})
    assert [list(answer) for answer in answers] == [["error"]] * 3
