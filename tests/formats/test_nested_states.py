"""States inside states in YAML and JSON files."""

from pathlib import Path

import pytest

from fullproof.core.errors import UserError
from fullproof.formats import read_model_text
from fullproof.formats.labels import transition_label
from fullproof.formats.yaml.writer import yaml_lines
from fullproof.model import StateMachine

HEATER = """\
machine: statemachine
name: heater
signals: {in: [power, boost, clean], out: [beep]}
inputs: {t: int}
outputs: {heat: int 0..2 = 0}
variables: {n: int = 7}
initial: off
choices: [warm.which]
states:
  off:
    entry: [n = 0]
    transitions:
      - {trigger: power, to: on, req: R1}
  on:
    initial: {to: warm, do: n = n + 1, send: beep}
    entry: {do: [heat = 1], send: [beep]}
    exit: heat = 0
    transitions:
      - {trigger: power, to: off}
      - {trigger: boost, kind: internal, when: n < 9, do: n = n + 1}
      - {trigger: clean, kind: local, to: cold}
      - {kind: completion, do: n = 5, to: off}
    states:
      warm:
        initial: idle
        states:
          idle:
            - {when: t > 20, to: which}
            - {trigger: power, when: n > 3, to: on.idle}
          which:
            - {when: t > 30, to: done}
            - {when: t <= 30, to: cold.idle}
      cold:
        initial: idle
        states:
          idle: []
      idle:
        - {trigger: boost, to: warm}
      done: {final: true}
"""


def read(text: str) -> StateMachine:
    model = read_model_text(text, Path("m.yaml"))
    assert isinstance(model, StateMachine)
    return model


def lines(model: StateMachine) -> list[str]:
    return [f"{t.source} -> {t.target}: {transition_label(model, t)}" for t in model.transitions]


def test_heater() -> None:
    model = read(HEATER)
    assert (model.initial, model.choices) == ("off", ("which",))
    assert model.states == ("off", "warm.idle", "which", "cold.idle", "on.idle", "done")
    assert model.variables[0].initial == 0
    assert lines(model) == [
        "off -> warm.idle: power / heat = 1; n = n + 1; send beep; send beep",
        "warm.idle -> which: [t > 20]",
        "warm.idle -> on.idle: power [n > 3]",
        "warm.idle -> off: power [t <= 20 and n <= 3] / heat = 0; n = 0",
        "warm.idle -> warm.idle: boost [n < 9 and t <= 20] / n = n + 1",
        "warm.idle -> cold.idle: clean [t <= 20]",
        "which -> done: [t > 30]",
        "which -> cold.idle: [t <= 30]",
        "cold.idle -> off: power / heat = 0; n = 0",
        "cold.idle -> cold.idle: boost [n < 9] / n = n + 1",
        "cold.idle -> cold.idle: clean",
        "on.idle -> warm.idle: boost",
        "on.idle -> off: power / heat = 0; n = 0",
        "on.idle -> cold.idle: clean",
        "done -> off: / heat = 0; n = 5; n = 0",
    ]
    assert model.transitions[0].requirements == ("R1",)
    assert model.transitions[3].at.line == 19
    again = read("".join(yaml_lines(model)))
    assert again == model
    assert lines(again) == lines(model)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{to: warm, do: n = n + 1, send: beep}", "{do: n = 1}", "line 15, column 14: the initial state lacks"),
        ("    initial: {to: warm, do: n = n + 1, send: beep}\n", "", "line 14, column 3: state 'on' has states inside"),
        ("to: cold.idle", "to: cold.idel", "line 32, column 35: unknown state 'cold.idel'; did you mean 'cold.idle'?"),
        ("choices: [warm.which]", "choices: [idle]", "line 8, column 11: choice point 'idle' may be"),
        ("initial: off", "initial: of", "line 7, column 10: unknown initial state 'of'; did you mean 'off'?"),
        ("entry: [n = 0]", "entry: [n = t]", "line 11, column 17: entering the initial state reads 't'"),
        ("entry: [n = 0]", "entry: [n = 0", "line 12"),
        ("entry: [n = 0]", "entry: [q = 0]", "line 11, column 13: unknown output or variable 'q'"),
        ("entry: [n = 0]", "enter: [n = 0]", "unknown key 'enter' in state 'off'; did you mean 'entry'?"),
        ("kind: local", "kind: locale", "unknown kind of transition 'locale'; did you mean 'local'?"),
        ("kind: local, to: cold", "kind: local, to: off", "a local transition of 'on' leads to a state inside it"),
        ("kind: internal, ", "", "line 20, column 9: the transition lacks the key 'to'"),
        ("{final: true}", "{final: yes}", "unknown truth value 'yes'"),
        ("{final: true}", "{states: {}}", "there are no states inside 'done'"),
        ("{final: true}", "{final: true, transitions: [{to: off}]}", "a transition leaves the final state 'done'"),
        ("done: {final: true}", "done: {when: t > 0, to: off}", "should be a list, found keys with values"),
        ("done: {final: true}", "done: []", "state 'on' is never complete"),
        ("done: {final: true}", "done:", "state 'done' has no list of transitions, expected done: []"),
    ],
)
def test_mistakes(old: str, new: str, message: str) -> None:
    assert HEATER.count(old) == 1
    with pytest.raises(UserError) as caught:
        read(HEATER.replace(old, new))
    assert message in str(caught.value)


def test_other_kinds_have_no_states_inside_states() -> None:
    text = "machine: fsm\ninitial: a\nstates:\n  a: {initial: b, states: {b: []}}\n"
    with pytest.raises(UserError, match="line 4, column 6: the transitions of state 'a' should be a list"):
        read_model_text(text, Path("m.yaml"))
