"""One chart with states inside states, drawn in Mermaid, written in SysML v2 and in YAML, is one flat machine."""

from dataclasses import replace
from pathlib import Path

import pytest

from fullproof.formats import read_model_text
from fullproof.formats.mermaid.reader import read_mermaid
from fullproof.formats.sysml.reader import read_sysml
from fullproof.model import StateMachine

YAML = """
machine: statemachine
name: M
signals: {in: [power, job, pause, tick], out: [beep, bye]}
inputs: {x: int}
outputs: {lamp: int = 0}
variables: {n: int = 0}
initial: off
choices: [judged]
states:
  off:
    - {trigger: power, to: on}
  on:
    initial: idle
    entry: {do: [lamp = 1], send: [beep]}
    exit: {do: [lamp = 0]}
    states:
      idle:
        - {trigger: job, when: x > 0, do: [n = n + 1], to: busy}
      busy:
        initial: slow
        entry: {do: [lamp = 2]}
        exit: {do: [n = 0], send: [bye]}
        states:
          slow:
            - {trigger: tick, when: x > 5, to: fast}
          fast:
            - {trigger: tick, when: x < 5, to: slow}
        transitions:
          - {trigger: pause, to: idle}
          - {trigger: tick, when: x == 7, to: judged}
    transitions:
      - {trigger: power, to: off}
      - {trigger: pause, when: x < 0, to: on}
  judged:
    - {when: n > 2, to: off}
    - {when: n <= 2, to: fast}
"""

MERMAID = """
stateDiagram-v2
    %% fullproof: signals: {in: [power, job, pause, tick], out: [beep, bye]}
    %% fullproof: inputs: {x: int}
    %% fullproof: outputs: {lamp: int = 0}
    %% fullproof: variables: {n: int = 0}
    [*] --> off
    off --> on : power
    state on {
        [*] --> idle
        idle --> busy : job [x > 0] / n = n + 1
        state busy {
            [*] --> slow
            slow --> fast : tick [x > 5]
            fast --> slow : tick [x < 5]
        }
        busy --> idle : pause
    }
    state judged <<choice>>
    busy --> judged : tick [x == 7]
    on --> off : power
    on --> on : pause [x < 0]
    on : entry / lamp = 1, send beep
    on : exit / lamp = 0
    busy : entry / lamp = 2
    busy : exit / n = 0, bye
    judged --> off : [n > 2]
    judged --> fast : [else]
"""

SYSML = """
// fullproof: signals: {in: [power, job, pause, tick], out: [beep, bye]}
state def M {
    in attribute x : Integer;
    out attribute lamp : Integer := 0;
    attribute n : Integer := 0;
    entry; then off;
    state off;
        accept power then on;
    state on {
        entry action { assign lamp := 1; then send new beep(); } then idle;
        exit assign lamp := 0;
        state idle;
            accept job if x > 0 do assign n := n + 1 then busy;
        state busy {
            entry assign lamp := 2; then slow;
            exit action { assign n := 0; then send new bye(); }
            state slow;
                accept tick if x > 5 then fast;
            state fast;
                accept tick if x < 5 then slow;
        }
        transition first busy accept pause then idle;
        transition first busy accept tick if x == 7 then judged;
    }
    transition first on accept power then off;
    transition first on accept pause if x < 0 then on;
    #choice state judged;
        if n > 2 then off;
        if n <= 2 then on.busy.fast;
}
"""


def expected() -> StateMachine:
    model = read_model_text(YAML, Path("M.yaml"))
    assert isinstance(model, StateMachine)
    assert model.states == ("off", "idle", "slow", "fast", "judged") and len(model.transitions) == 13
    return model


def test_mermaid_says_the_same() -> None:
    assert read_mermaid(MERMAID, Path("M.mmd")) == expected()


def test_sysml_says_the_same() -> None:
    pytest.importorskip("sysmlpy")
    assert read_sysml(SYSML, Path("M.sysml")) == expected()


def test_a_difference_would_show() -> None:
    other = read_mermaid(MERMAID.replace("x == 7", "x == 8"), Path("M.mmd"))
    assert isinstance(other, StateMachine)
    assert other != expected() and replace(other, transitions=()) == replace(expected(), transitions=())
