"""Exports for Robot Framework and Gherkin, executed by the tools that they are for, where these are installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.harness import Shell

ODD = [
    *("a   b", " led", "trailed ", "${SPACE}", "@{list}", "%{HOME}", "&{d}", "# no comment", "a | b", "x=1", "..."),
    *('say "hi"', "back\\slash", "tab\there", "ümläut ☃", "FOR", "[Setup]", "*** Settings ***", "<angle>", "'", "\\n"),
]
"""Symbols with what either format gives a meaning to."""
SYSTEM = """
class Odd:
    def reset(self):
        pass

    def step(self, symbol):
        return "wrong" if symbol == FAULT else symbol[::-1]
"""
ALARM = """machine: sfsm
name: alarm
inputs: {t: int 0..40, armed: bool}
outputs: {heat: bool, level: real}
initial: s
states:
  s:
    - {when: t < 18 and armed, then: heat and level == t / 3, to: s}
    - {when: not (t < 18 and armed), then: not heat and level == 0, to: s}
"""
ALARM_SYSTEM = """
from fractions import Fraction


class Odd:
    def reset(self):
        pass

    def step(self, t, armed):
        heat = t < LIMIT and armed
        level = Fraction(t, 3) if t < 18 and armed else Fraction(0)
        return {"heat": heat, "level": int(level) if level.denominator == 1 else str(level)}
"""
LIBRARY = """import json

from odd import Odd


class System:
    def __init__(self):
        self.system = Odd()

    def reset_system(self):
        self.system.reset()

    def answer_should_be(self, given, expected):
        VALUES = %s
        answer = self.system.step(**json.loads(given)) if VALUES else self.system.step(given)
        if answer != (json.loads(expected) if VALUES else expected):
            raise AssertionError(f"{given!r}: {answer!r} instead of {expected!r}")
"""
STEPS = """import json

from behave import given, then, when

from odd import Odd


@given("the system is reset")
def _reset(context):
    context.system = Odd()
    context.system.reset()


@when("the input is {text}")
def _input(context, text):
    word = json.loads(text)
    context.answer = context.system.step(**json.loads(word)) if %s else context.system.step(word)


@then("the output is {text}")
def _output(context, text):
    word = json.loads(text)
    assert context.answer == (json.loads(word) if %s else word), (context.answer, word)
"""


def _odd_model() -> str:
    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t") + '"'

    rows = [f"    - {{when: {quoted(one)}, then: {quoted(one[::-1])}, to: s}}" for one in ODD]
    return "\n".join(["machine: fsm", "name: odd", "initial: s", "states:", "  s:", *rows, ""])


def _ran(tool: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = {
        "robot": ["--output", "NONE", "--log", "NONE", "--report", "NONE", "--pythonpath", ".", "suite.robot"],
        "behave": ["--no-color", "suite.feature"],
    }[tool]
    return subprocess.run(
        [sys.executable, "-m", tool, *words], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize("fault", [False, True])
@pytest.mark.parametrize("kind", ["fsm", "sfsm"])
@pytest.mark.parametrize("tool", ["robot", "behave"])
def test_an_exported_suite_passes_and_fails_as_the_system_does(
    tool: str, kind: str, fault: bool, tmp_path: Path, capsys
) -> None:
    if importlib.util.find_spec(tool) is None:
        pytest.skip(f"{'robotframework' if tool == 'robot' else tool} is not installed")
    values = kind == "sfsm"
    (tmp_path / "m.yaml").write_text(ALARM if values else _odd_model(), encoding="utf-8")
    system = ALARM_SYSTEM.replace("LIMIT", "19" if fault else "18") if values else SYSTEM
    (tmp_path / "odd.py").write_text(system.replace("FAULT", "'x=1'" if fault else "None"), encoding="utf-8")
    (tmp_path / "System.py").write_text(LIBRARY % values)
    (tmp_path / "steps").mkdir()
    (tmp_path / "steps/steps.py").write_text("import sys\nsys.path.insert(0, '.')\n" + STEPS % (values, values))
    target = tmp_path / ("suite.robot" if tool == "robot" else "suite.feature")
    assert Shell(capsys)("generate", tmp_path / "m.yaml", "-o", target).code == 0
    ran = _ran(tool, tmp_path)
    assert (ran.returncode != 0) == fault, ran.stdout + ran.stderr
    assert ("instead of" in ran.stdout if tool == "robot" else "assert" in ran.stdout.casefold()) == fault
