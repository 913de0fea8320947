"""Hypothesis drives good and faulty systems beside their models."""

from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from tests.shared import REFERENCE

import fullproof
from fullproof.core.errors import UserError

SETTINGS = settings(max_examples=150, stateful_step_count=10, deadline=None, database=None, derandomize=True)
"""The same words each time: whether random ones meet a fault is a matter of luck."""
MODEL = """
machine: fsm
name: door
initial: shut
states:
  shut: [{when: push, then: moves, to: open}, {when: look, then: shut, to: shut}]
  open: [{when: push, then: moves, to: shut}, {when: look, then: open, to: open}]
"""


class Door:
    open = False

    def reset(self) -> None:
        self.open = False

    def step(self, symbol: str) -> str:
        if symbol == "push":
            self.open = not self.open
            return "moves"
        return "open" if self.open else "shut"


class Stuck(Door):
    def step(self, symbol: str) -> str:
        self.open = self.open or symbol == "push"
        return "moves" if symbol == "push" else super().step(symbol)


class Brake:
    def __init__(self) -> None:
        self.state = "s0"

    def step(self, x: float) -> float:
        limit = 190 if self.state == "s2" else 200
        if x > 200 or (self.state == "s2" and x >= limit):
            self.state = "s2"
            return round(2 + (x - 200) / 100, 9)
        if x == 200 and self.state == "s1":
            return 1
        self.state = "s0"
        return 0


class Late(Brake):
    def step(self, x: float) -> float:
        return super().step(x) if x != 190 else 0


@pytest.fixture
def door(tmp_path: Path) -> Path:
    (tmp_path / "door.yaml").write_text(MODEL)
    return tmp_path / "door.yaml"


def test_a_good_system_survives_and_a_faulty_one_does_not(door: Path) -> None:
    run_state_machine_as_test(fullproof.as_state_machine(door, sut=Door), settings=SETTINGS)
    with pytest.raises(AssertionError, match="look: observed open, the model allows shut"):
        run_state_machine_as_test(fullproof.as_state_machine(door, sut=Stuck), settings=SETTINGS)


def test_values_reach_the_boundaries_of_guards() -> None:
    model = REFERENCE / "brake" / "brake.yaml"
    run_state_machine_as_test(fullproof.as_state_machine(model, sut=Brake, relation="reduction"), settings=SETTINGS)
    with pytest.raises(AssertionError, match=r"x = 190: observed y = 0, the model allows y == "):
        run_state_machine_as_test(fullproof.as_state_machine(model, sut=Late, relation="reduction"), settings=SETTINGS)


def test_partial_machines_are_refused(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(MODEL.replace(", {when: look, then: shut, to: shut}", ""))
    with pytest.raises(UserError, match="the machine is partial"):
        fullproof.as_state_machine(tmp_path / "m.yaml", sut=Door)
