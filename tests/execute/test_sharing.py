"""Tests that share their beginnings run them once, and show what they show when each runs alone."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullproof.artefacts.suite import make_test
from fullproof.execute.adapters.python_sut import open_object
from fullproof.execute.common_prefixes import SharingSut
from fullproof.execute.runner import Enabled, Options, execute
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

STATES, INPUTS = 4, ("a", "b", "c")
PROGRAM = [sys.executable, "-m", "fullproof"]


def machine() -> Fsm:
    transitions = tuple(FsmTransition(f"s{k}", i, "x", "s0") for k in range(STATES) for i in INPUTS)
    return Fsm(
        name="m",
        initial="s0",
        states=tuple(f"s{k}" for k in range(STATES)),
        inputs=INPUTS,
        outputs=("x",),
        transitions=transitions,
    )


class Counted:
    """A random Mealy machine that counts what it is asked to do."""

    def __init__(self, seed: int, *, breaks: int | None = None) -> None:
        dice = random.Random(seed)
        self.table = {(k, i): (dice.choice("xyz"), dice.randrange(STATES)) for k in range(STATES) for i in INPUTS}
        self.steps = self.resets = 0
        self.state, self.breaks = 0, breaks

    def reset(self) -> None:
        self.resets += 1
        self.state = 0

    def step(self, symbol: str) -> str:
        self.steps += 1
        if self.steps == self.breaks:
            raise RuntimeError("broken")
        output, self.state = self.table[self.state, symbol]
        return output

    def enabled(self) -> set[str]:
        return set(INPUTS[: 1 + self.state % 3]) | {"a"}

    def snapshot(self) -> int:
        return self.state

    def restore(self, state: int) -> None:
        self.state = state


def traces(system: object, words: list[str], *, share: bool, enabled: Enabled = Enabled.NEVER):
    sut = open_object(lambda: system, machine(), name="Counted", step_timeout=None)
    tests = [make_test(word) for word in words]
    options = Options(share=share, enabled=enabled, step_timeout=None)
    return [(trace.test.inputs, tuple(trace.steps), trace.error) for trace in execute(sut, tests, options=options)]


words = st.lists(st.text("abc", min_size=1, max_size=7), min_size=1, max_size=25).map(sorted)


@settings(max_examples=150)
@given(st.integers(0, 50), words, st.sampled_from([Enabled.NEVER, Enabled.IF_OFFERED]))
def test_shared_tests_show_what_each_shows_alone(seed: int, suite: list[str], enabled: Enabled) -> None:
    alone, shared = Counted(seed), Counted(seed)
    assert traces(alone, suite, share=False, enabled=enabled) == traces(shared, suite, share=True, enabled=enabled)
    assert shared.steps <= alone.steps
    assert shared.resets <= alone.resets


def test_a_tree_is_run_almost_as_a_tree() -> None:
    suite = sorted(a + b + c + d + e for a in "abc" for b in "abc" for c in "abc" for d in "abc" for e in "abc")
    alone, shared = Counted(1), Counted(1)
    assert traces(alone, suite, share=False) == traces(shared, suite, share=True)
    assert (alone.resets, alone.steps) == (243, 1215)
    # 363 edges; a place where tests part is walked to once more, when the second of them comes.
    assert shared.resets <= 6
    assert shared.steps <= 363 + 121 * 4


@settings(max_examples=60)
@given(st.integers(0, 20), words, st.integers(1, 20))
def test_a_breakdown_costs_one_test(seed: int, suite: list[str], breaks: int) -> None:
    shown = traces(Counted(seed, breaks=breaks), suite, share=True)
    right = traces(Counted(seed), suite, share=False)
    assert sum(trace != expected for trace, expected in zip(shown, right, strict=True)) <= 1


def test_a_restore_that_does_not_restore_is_an_error() -> None:
    class Liar(Counted):
        def restore(self, state: int) -> None:
            self.state = (state + 1) % STATES

    system = Liar(3)
    system.table = {(k, i): (f"{k}", (k + 1) % STATES) for k in range(STATES) for i in INPUTS}
    errors = [error for _, _, error in traces(system, ["aaab", "aaac", "aabb", "aacc", "ab"], share=True)]
    assert any(error and "answers otherwise when it has gone back" in error for error in errors)


def test_a_system_is_asked_nothing_twice() -> None:
    system = Counted(2)
    sut = SharingSut(open_object(lambda: system, machine(), name="Counted", step_timeout=None))
    for _ in range(3):
        sut.reset()
        sut.step("a")
        sut.finish()
    assert (system.steps, system.resets) == (1, 1)


MODEL = """
machine: fsm
name: door
initial: shut
states:
  shut:
    - {when: push, then: moves, to: open}
    - {when: look, then: shut, to: shut}
  open:
    - {when: push, then: moves, to: shut}
    - {when: look, then: open, to: open}
"""
LINES = """
import json, sys
opened, log = False, open("log", "w")
for line in sys.stdin:
    message = json.loads(line)
    if "reset" in message:
        opened, answer = False, {"ready": True}
        print("reset", file=log, flush=True)
    elif "snapshot" in message: answer = {"snapshot": opened}
    elif "restore" in message:
        opened, answer = message["restore"], {"ready": True}
    elif message["input"] == "push":
        opened, answer = not opened, {"output": "moves"}
    else: answer = {"output": "open" if opened else "shut"}
    print(json.dumps(answer), flush=True)
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [*PROGRAM, "run", "door.yaml", "--extra-states", "2", "--json", "--quiet", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "door.yaml").write_text(MODEL)
    (tmp_path / "door.py").write_text(LINES)
    sut = ("--sut", f"exec:{sys.executable} door.py")
    plain = json.loads(run(tmp_path, *sut).stdout)
    resets = (tmp_path / "log").read_text().count("reset")
    shared = json.loads(run(tmp_path, *sut, "--share-prefixes", "--journal", "j").stdout)
    assert (shared["verdict"], shared["tests"], shared["steps"]) == ("pass", plain["tests"], plain["steps"])
    assert (tmp_path / "log").read_text().count("reset") == 1 < resets
    assert "its tests in another order" in run(tmp_path, *sut, "--journal", "j", "--resume").stderr
    resumed = json.loads(run(tmp_path, *sut, "--share-prefixes", "--journal", "j", "--resume").stdout)
    assert resumed["verdict"] == "pass"
    assert "cannot be combined with --repeat" in run(tmp_path, *sut, "--share-prefixes", "--repeat", "2").stderr


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ("python:plain.py:Plain", "no snapshot and restore"),
        ("model:door.yaml", "python:, exec: or tcp:"),
        (f"restart:{sys.executable} door.py", "no snapshot and restore"),
        (f"exec:{sys.executable} -m fullproof simulate door.yaml", "can go back: answered with an error"),
    ],
)
def test_systems_that_cannot_go_back_are_refused(system: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "door.yaml").write_text(MODEL)
    (tmp_path / "door.py").write_text(LINES)
    (tmp_path / "plain.py").write_text(
        "class Plain:\n  def reset(self): ...\n  def step(self, symbol): return 'moves'\n"
    )
    ended = run(tmp_path, "--sut", system, "--share-prefixes")
    assert (ended.returncode, ended.stderr.count("\n")) == (4, 1)
    assert message in ended.stderr
