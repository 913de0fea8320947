"""Systems whose time tests turn forward: Python objects, programs and models; judged as the model says."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from tests.cli.harness import Shell

from fullproof.execute.simulate import simulate
from fullproof.formats import model_sha256, read_model
from fullproof.kinds import play
from fullproof.model.inputs import Advance, SignalEvent, json_input, read_input

DOOR = """
machine: statemachine
name: door
signals: {in: [open, hold], out: [beep, shut]}
outputs: {locked: bool = true}
constants: {patience: 30 s}
initial: closed
states:
  closed: [{trigger: open, do: locked = false, to: opened}]
  opened:
    initial: calm
    transitions:
      - {after: patience, send: shut, do: locked = true, to: closed}
      - {trigger: hold, kind: internal, restart: opened}
    states:
      calm: [{after: 20 s, to: warning}]
      warning: [{every: 4 s, kind: internal, send: beep}]
"""
SYSTEM = """
class Door:
    wanted = 30

    def __init__(self):
        self.left = self.calm = self.next = None

    def answer(self, sent):
        return {"locked": self.left is None, "send": sent}

    def step(self, trigger):
        if trigger == "open" and self.left is None:
            self.left, self.calm, self.next = self.wanted, 20, None
        elif trigger == "hold" and self.left is not None:
            self.left = self.wanted
        return self.answer([])

    def advance(self, seconds):
        sent = []
        while self.left is not None:
            soon = min(x for x in (self.left, self.calm, self.next) if x is not None)
            if soon > seconds:
                self.left, self.calm, self.next = (
                    None if x is None else x - seconds for x in (self.left, self.calm, self.next)
                )
                break
            seconds -= soon
            self.left, self.calm, self.next = (
                None if x is None else x - soon for x in (self.left, self.calm, self.next)
            )
            if self.left == 0:
                self.left = self.calm = self.next = None
                sent.append("shut")
            elif self.calm == 0:
                self.calm, self.next = None, 4
            else:
                self.next = 4
                sent.append("beep")
        return self.answer(sent)


class Late(Door):
    wanted = 30.5


class Waiting(Door):
    async def advance(self, seconds):
        return super().advance(seconds)


class Timeless:
    def step(self, trigger):
        return {"locked": True, "send": []}
"""
WORD = [
    {"trigger": "open"}, {"advance": 19.5}, {"advance": "1/2"}, {"advance": 9}, {"trigger": "hold"}, {"advance": 30},
    {"advance": 100},
]  # fmt: skip


@pytest.fixture
def door(tmp_path: Path) -> Path:
    (tmp_path / "door.py").write_text(SYSTEM)
    path = tmp_path / "door.yaml"
    path.write_text(DOOR)
    head = {"model": "door", "model_sha256": model_sha256(path), "kind": "statemachine", "relation": "equivalence"}
    about = {"method": "by hand", "extra_states": 0, "tool": "0", "guarantee": "none"}
    lines = [{"fullproof": "suite/1", **head, **about}, {"id": "t", "inputs": WORD}]
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("system", "code"),
    [("python:{}/door.py:Door", 0), ("python:{}/door.py:Late", 1), ("python:{}/door.py:Waiting", 0),
     ("exec:{python} -m fullproof simulate {}/door.yaml", 0), ("model:{}/door.yaml", 0)],
)  # fmt: skip
def test_systems_are_judged(door: Path, system: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    spec = system.format(door.parent, python=sys.executable)
    ended = Shell(capsys)("run", door, "--suite", door.parent / "s.jsonl", "--sut", spec, "--json")
    assert ended.code == code, ended.err


@pytest.mark.parametrize(
    ("system", "message"),
    [("python:{}/door.py:Timeless", "has no method advance(seconds)")],
)
def test_systems_without_a_clock_are_refused(
    door: Path, system: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = Shell(capsys)("run", door, "--suite", door.parent / "s.jsonl", "--sut", system.format(door.parent))
    assert (ended.code, message in ended.err) == (4, True), ended.err


def answers(path: Path, *lines: object) -> list[dict[str, object]]:
    said = io.StringIO()
    text = "".join(json.dumps(line) + "\n" for line in lines)
    simulate(read_model(path), io.StringIO(text), said, play=play)
    return [json.loads(line) for line in said.getvalue().splitlines()]


def test_simulate_lets_time_pass(door: Path) -> None:
    opened, warned, shut = answers(door, {"input": {"trigger": "open"}}, {"advance": 24}, {"input": {"advance": 6}})
    assert opened == {"output": {"locked": False, "send": []}}
    assert warned == {"output": {"locked": False, "send": ["beep"]}}
    assert shut == {"output": {"locked": True, "send": ["beep", "shut"]}}


class Terminal(io.StringIO):
    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def clock(self, text: str) -> None:
        self.shown.append(text)


def test_a_clock_goes_beside_the_answers(door: Path) -> None:
    lines = [{"advance": 1.5}, {"input": {"trigger": "open"}}, {"advance": 25}, {"reset": True}]
    text, writer = "".join(json.dumps(line) + "\n" for line in lines), Terminal()
    simulate(read_model(door), io.StringIO(text), writer, play=play)
    assert writer.shown == [
        "at 1.5 s: no timer runs",
        "at 1.5 s: calm after 20 s in 20 s, opened after patience in 30 s",
        "at 26.5 s: warning every 4 s in 3 s, opened after patience in 5 s",
        "at 0 s: no timer runs",
    ]


@pytest.mark.parametrize("wrong", [-1, "soon", None, True, [1]])
def test_a_delay_is_a_number_of_seconds(door: Path, wrong: object) -> None:
    (answer,) = answers(door, {"advance": wrong})
    assert "a delay is" in str(answer["error"])


def test_a_variable_may_be_called_advance_where_nothing_takes_time(tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    states = "states: {a: [{when: advance > 1, do: y = advance, to: b}], b: []}"
    path.write_text(
        f"machine: statemachine\ninputs: {{advance: int 0..3}}\noutputs: {{y: int 0..3 = 0}}\ninitial: a\n{states}"
    )
    assert answers(path, {"input": {"advance": 2}}) == [{"output": 2}]
    event = SignalEvent(None, (("advance", 2),))
    read = read_input(json_input(event), lambda _name, value: value, has_events=True)  # type: ignore[arg-type]
    assert read == event
    assert "no timers" in str(read_model(path).interface.misfit(Advance(event.values["advance"])))  # type: ignore
