"""Machines of XState in JSON: recognised by their keys, read with their own rules, mistakes in one line."""

import json
from pathlib import Path

import pytest

from fullproof.core.errors import UserError
from fullproof.formats import read_model_text
from fullproof.model import Fsm, StateMachine

PLAYER = """\
{
  "id": "player", "initial": "off", "context": {"n": 0, "user": null}, "description": "of music",
  "states": {
    "off": {"on": {"power": {"target": "on.h"}}},
    "on": {
      "type": "parallel",
      "on": {"power": "off"},
      "states": {
        "drive": {
          "initial": "stopped",
          "states": {
            "stopped": {"on": {"play": {"guard": {"type": "n < 3 && allowed"}, "target": "playing",
              "actions": ["motor", "n = n + 1", {"type": "xstate.raise", "event": {"type": "spin"}}]}}},
            "playing": {"on": {"stop": "stopped"}}
          }
        },
        "sound": {
          "initial": "loud",
          "states": {
            "loud": {"on": {"mute": [{"target": "quiet", "guard": "allowed"}], "spin": {"actions": "click"}}},
            "quiet": {"on": {"mute": "#player.on.sound.loud"}}
          }
        },
        "h": {"type": "history", "history": "deep"}
      }
    }
  }
}
"""
YAML = """\
machine: statemachine
name: player
initial: off
signals: {in: [power, play, stop, mute], out: [motor, click]}
inputs: {allowed: bool}
variables: {n: int = 0}
states:
  off: [{trigger: power, to: h}]
  on:
    transitions: [{trigger: power, to: off}]
    parallel:
      drive:
        initial: stopped
        states:
          stopped: [{trigger: play, when: n < 3 and allowed, do: n = n + 1, send: motor, raise: spin, to: playing}]
          playing: [{trigger: stop, to: stopped}]
      sound:
        initial: loud
        states:
          loud: [{trigger: mute, when: allowed, to: quiet}, {trigger: spin, kind: internal, send: click}]
          quiet: [{trigger: mute, to: loud}]
      h: {history: deep, initial: [stopped, loud]}
"""


def read(text: str) -> StateMachine:
    model = read_model_text(text, Path("m.json"))
    assert isinstance(model, StateMachine)
    return model


def machine(states: dict[str, object], **keys: object) -> str:
    return json.dumps({"initial": next(iter(states)), **keys, "states": states})


def steps(text: str) -> dict[tuple[str, str | None], tuple[tuple[str, ...], str]]:
    return {(t.source, t.trigger): (t.sends, t.target) for t in read(text).transitions}


def test_a_machine_is_what_a_model_file_says() -> None:
    text = PLAYER.replace('"allowed"}], "spin"', '"allowed"}], "spin"').replace(
        '"id": "player",', '"id": "player", "meta": {"fullproof": {"inputs": {"allowed": "bool"}}},'
    )
    assert read(text) == read_model_text(YAML, Path("player.yaml"))


def test_a_model_file_in_json_is_still_one() -> None:
    text = '{"machine": "fsm", "initial": "a", "states": {"a": [{"when": "x", "then": "y", "to": "a"}]}}'
    assert isinstance(read_model_text(text, Path("m.json")), Fsm)


def test_transitions_into_their_own_source_leave_only_what_is_inside() -> None:
    states = {
        "p": {
            "initial": "a", "exit": "left", "entry": [],
            "states": {"a": {"exit": "out"}, "b": {"on": {"z": ".c"}, "initial": "c", "states": {"c": {}}}},
            "on": {"x": ".b", "y": {"target": ".b", "reenter": True}},
        }
    }  # fmt: skip
    found = steps(machine(states))
    assert found["a", "x"] == (("out",), "c")
    assert found["a", "y"] == (("out", "left"), "c")
    assert found["c", "z"] == ((), "c")


def test_a_self_transition_of_an_atomic_state_leaves_nothing_without_reenter() -> None:
    states = {"a": {"exit": "out", "on": {"x": "a", "y": {"target": "a", "reenter": True}}}}
    found = steps(machine(states))
    assert found["a", "x"] == ((), "a")
    assert found["a", "y"] == (("out",), "a")


def test_a_region_that_reacts_hides_the_state_around_it() -> None:
    """By appendix D of SCXML the parallel state would react as well, for its other region."""
    states = {
        "p": {
            "type": "parallel",
            "on": {"e": {"actions": "outer"}},
            "states": {"a": {"on": {"e": {"actions": "inner"}}}, "b": {}},
        }
    }
    assert steps(machine(states))["a+b", "e"] == (("inner",), "a+b")


def test_wildcards_come_after_exact_names() -> None:
    states = {"a": {"on": {"*": "b", "x.y": "c", "x.*": "d"}}, "b": {}, "c": {}, "d": {}}
    keys = {"meta": {"fullproof": {"signals": {"in": ["x.y", "x.z", "w"], "out": []}}}}
    found = steps(machine(states, **keys))
    assert [found["a", event][1] for event in ("x.y", "x.z", "w")] == ["c", "d", "b"]


def test_states_are_ordered_as_in_javascript() -> None:
    """Array indices come first, by their size: a parallel state enters its regions in that order."""
    states = {
        "s": {"on": {"go": "p"}},
        "p": {"type": "parallel", "states": {"x": {"entry": "x"}, "10": {"entry": "ten"}, "9": {"entry": "nine"}}},
    }
    assert steps(machine(states))["s", "go"][0] == ("nine", "ten", "x")


A = {"a": {}}
MALFORMED: list[tuple[str, str]] = [
    (machine({"a": {"on": {"x": "b"}}}), "unknown state 'b'"),
    (machine({"a": {"on": {"x": "#b"}}}), "unknown id 'b'"),
    (machine({"a": {}}, initial="b"), "unknown initial state 'b'"),
    (machine({"a": {"states": {"b": {}}}}), "state 'a' lacks the key 'initial'"),
    (machine({"a": {"type": "parallel"}}), "state 'a' is parallel, but has no states inside it"),
    (machine({"a": {"on": {"x": {"target": "a", "cond": "y"}}}}), "'cond' is a key of XState 4"),
    (machine({"a": {"after": {"soon": "a"}}}), "the delay 'soon' is not in the file"),
    (machine({"a": {"invoke": {"src": "x"}}}), "invoked actors are not supported"),
    (machine({"a": {"onn": {"x": "a"}}}), "unknown key 'onn' in state 'a'; did you mean 'on'?"),
    (machine({"a": {"on": {"x": {"guard": "n >"}}}}), "the text ends too early"),
    (machine({"a": {"on": {"x": {"guard": "n > 1"}}}}), "unknown name 'n'"),
    (machine({"a": {"on": {"x": {"guard": "n > 1"}}}}, context={"n": None}), "'n' of the context is nothing"),
    (machine({"a": {"on": {"x": {"guard": "n == 'a'"}}}}, context={"n": "a"}), "'n' of the context is a text"),
    (machine({"a": {"on": {"x": {"actions": "m = 1"}}}}), "unknown output or variable 'm'"),
    (machine({"a": {"on": {"x": {"actions": {"type": "f", "params": {"k": 1}}}}}}), "action 'f' with params"),
    (machine({"a": {"on": {"x": {"actions": {"type": "xstate.sendTo"}}}}}), "'xstate.sendTo' is not supported"),
    (machine({"a": {}, "b": {"id": "m.a"}}, id="m"), "two states have the id 'm.a'"),
    (machine({"a": {"on": {"x": "a"}, "type": "final"}}), "a transition leaves the final state 'a'"),
    (
        machine({"p": {"initial": "a", "states": {"a": {"on": {"x": "h"}}, "h": {"type": "history"}}}}),
        "this transition leads to a history state beside it",
    ),
    (machine(A, on={"x": "a"}), "the target 'a' is no sibling of the machine; expected '.a'"),
    (
        machine({"p": {"type": "parallel", "entry": "in", "states": {"a": {"on": {"x": "b"}}, "b": {}}}}),
        "this transition leaves all regions of 'p', but in XState not 'p' itself",
    ),
]


@pytest.mark.parametrize(("text", "message"), MALFORMED)
def test_a_malformed_machine_is_the_users_mistake(text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        read(text)
    assert message in caught.value.message
    assert (caught.value.at.file, caught.value.at.line) == ("m.json", 1)
    assert caught.value.at.column is not None
