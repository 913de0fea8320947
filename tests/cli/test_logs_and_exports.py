"""Traces recorded elsewhere are judged, and suites are written for other tools."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import ROOT

TURNSTILE = ROOT / "examples/turnstile/turnstile.yaml"
PLAIN = (
    '{"trace": "a", "input": "coin", "output": "unlock"}\n{"trace": "b", "input": "push", "output": "beep"}\n'
    '{"trace": "a", "input": "push", "output": "lock"}\n'
)
DEVICE = (
    '{"type": "boot", "dev": 1}\n{"type": "sample", "dev": 1, "data": {"in": "C", "code": 200}}\n{"type": "ping"}\n'
    '{"type": "boot", "dev": 1}\n{"type": "sample", "dev": 1, "data": {"in": "P", "code": 200}}\n'
)
MAPPING = (
    "trace: dev\nreset: {type: boot}\nonly: {type: sample}\ninput: data.in\noutput: data.code\n"
    "inputs: {C: coin, P: push}\noutputs: {'200': unlock, '403': beep}\n"
)


def test_a_log_is_judged_trace_by_trace(tmp_path: Path, capsys) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(PLAIN)
    ended = Shell(capsys)("judge", TURNSTILE, "--log", log, "--json")
    assert (ended.code, ended.json["verdict"], ended.json["traces"], ended.json["steps"]) == (0, "pass", 2, 3)
    log.write_text(PLAIN + '{"trace": "b", "input": "push", "output": "lock"}\n')
    ended = Shell(capsys)("judge", TURNSTILE, "--log", log)
    assert ended.code == 1
    assert "line 4: trace b, step 2: answers lock instead of beep" in ended.out


def test_a_mapping_says_where_lines_have_what(tmp_path: Path, capsys) -> None:
    (tmp_path / "log.jsonl").write_text(DEVICE)
    (tmp_path / "map.yaml").write_text(MAPPING)
    words = ("judge", TURNSTILE, "--log", tmp_path / "log.jsonl", "--mapping", tmp_path / "map.yaml", "--json")
    ended = Shell(capsys)(*words)
    assert (ended.code, ended.json["traces"], ended.json["failed"]) == (1, 2, 1)
    assert (ended.json["failures"][0]["line"], ended.json["failures"][0]["allowed"]) == (5, ["beep"])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense", "line 1: not JSON"),
        ("[1]", "line 1: expected an object"),
        ('{"output": "lock"}', "line 1: no 'input' in"),
        ('{"input": "cion", "output": "lock"}', "did you mean 'coin'?"),
    ],
)
def test_a_line_that_does_not_fit_is_said_with_its_place(line: str, said: str, tmp_path: Path, capsys) -> None:
    (tmp_path / "log.jsonl").write_text(line + "\n")
    ended = Shell(capsys)("judge", TURNSTILE, "--log", tmp_path / "log.jsonl")
    assert (ended.code, said in ended.err) == (4, True), ended.err


def test_unknown_keys_of_a_mapping_list_all(tmp_path: Path, capsys) -> None:
    (tmp_path / "map.yaml").write_text("imput: x\n")
    (tmp_path / "log.jsonl").write_text(PLAIN)
    ended = Shell(capsys)("judge", TURNSTILE, "--log", tmp_path / "log.jsonl", "--mapping", tmp_path / "map.yaml")
    assert (
        "did you mean 'input'? expected one of crossing, gap, input, inputs, only, output, outputs, reset," in ended.err
    )


def test_an_exported_pytest_file_needs_nothing_of_fullproof(tmp_path: Path, capsys) -> None:
    Shell(capsys)("generate", TURNSTILE, "--extra-states", 1, "-o", tmp_path / "test_gate.py")
    assert "fullproof" not in (tmp_path / "test_gate.py").read_text().split('"""')[2]
    (tmp_path / "conftest.py").write_text(
        f"import sys\nimport pytest\nsys.path.insert(0, {str(TURNSTILE.parent)!r})\n"
        "from turnstile import Turnstile\n\n@pytest.fixture\ndef system():\n    return Turnstile()\n"
    )
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:fullproof", str(tmp_path)]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 1, "the example has a fault"
    assert "failed" in ran.stdout


@pytest.mark.parametrize(
    ("ending", "line"),
    [("robot", "    Answer Should Be    coin    unlock\n"), ("feature", '    Then the output is "unlock"\n')],
)
def test_other_formats(ending: str, line: str, tmp_path: Path, capsys) -> None:
    target = tmp_path / f"suite.{ending}"
    ended = Shell(capsys)("generate", TURNSTILE, "-o", target, "--json")
    assert ended.code == 0
    assert line in target.read_text()


def test_a_model_with_a_choice_is_not_exported(tmp_path: Path, capsys) -> None:
    brake = ROOT / "examples/brake/brake.yaml"
    ended = Shell(capsys)("generate", brake, "-o", tmp_path / "brake.feature")
    assert (ended.code, "leaves a choice" in ended.err) == (4, True)
    assert not (tmp_path / "brake.feature").exists()


TOLERANT = """machine: sfsm
name: third
inputs: {x: real 0..10}
outputs: {y: real ~ 1e-6, z: bool}
initial: s
states:
  s:
    - {when: x > 3, then: y == x / 3 and z, to: s}
    - {when: x <= 3, then: y == 1 / 3 and not z, to: s}
"""
THIRD = """import pytest


class Third:
    def reset(self):
        pass

    def step(self, x):
        return {"y": (x if x > 3 else 1) / 3 + ERROR, "z": x > 3}


@pytest.fixture
def system():
    return Third()
"""


@pytest.mark.parametrize(("error", "code"), [(0, 0), (2e-6, 1)])
def test_an_exported_pytest_file_keeps_to_tolerances(error: float, code: int, tmp_path: Path, capsys) -> None:
    """A system that computes with floats passes, as it does under ``run``."""
    (tmp_path / "m.yaml").write_text(TOLERANT)
    assert Shell(capsys)("generate", tmp_path / "m.yaml", "-o", tmp_path / "test_third.py").code == 0
    (tmp_path / "conftest.py").write_text(THIRD.replace("ERROR", str(error)))
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:fullproof", str(tmp_path)]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == code, ran.stdout


@pytest.mark.parametrize("ending", ["robot", "feature"])
def test_other_formats_name_tolerances(ending: str, tmp_path: Path, capsys) -> None:
    (tmp_path / "m.yaml").write_text(TOLERANT)
    target = tmp_path / f"third.{ending}"
    assert Shell(capsys)("generate", tmp_path / "m.yaml", "-o", target).code == 0
    assert "y is right within 1e-06." in target.read_text()


def test_blanks_separate_no_arguments_of_robot(tmp_path: Path, capsys) -> None:
    (tmp_path / "m.yaml").write_text(
        'machine: fsm\nname: m\ninitial: s\nstates:\n  s: [{when: "a   b", then: "c\\td", to: s}]\n'
    )
    Shell(capsys)("generate", tmp_path / "m.yaml", "-o", tmp_path / "m.robot")
    assert "    Answer Should Be    a \\ \\ b    c\\u0009d\n" in (tmp_path / "m.robot").read_text()


DOOR = """machine: statemachine
name: door
signals: {in: [open, close], out: [beep]}
initial: shut
states:
  shut: [{trigger: open, to: opened}]
  opened: [{trigger: close, to: shut}, {after: 30 s, send: [beep], to: shut}]
"""
DOOR_SYSTEM = """import pytest


class Door:
    def reset(self):
        self.left = None

    def step(self, trigger=None):
        if trigger == "open" and self.left is None:
            self.left = LIMIT
        elif trigger == "close":
            self.left = None
        return []

    def advance(self, seconds):
        if self.left is None or self.left > seconds:
            self.left = None if self.left is None else self.left - seconds
            return []
        self.left = None
        return ["beep"]


@pytest.fixture
def system():
    return Door()
"""


@pytest.mark.parametrize(("limit", "code"), [(30, 0), (24, 1)])
def test_an_exported_pytest_file_lets_time_pass(limit: int, code: int, tmp_path: Path, capsys) -> None:
    """As systems in Python have it: ``advance(seconds)``."""
    (tmp_path / "m.yaml").write_text(DOOR)
    assert Shell(capsys)("generate", tmp_path / "m.yaml", "-o", tmp_path / "test_door.py").code == 0
    (tmp_path / "conftest.py").write_text(DOOR_SYSTEM.replace("LIMIT", str(limit)))
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:fullproof", str(tmp_path)]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == code, ran.stdout


def test_plain_text_has_delays(tmp_path: Path, capsys) -> None:
    (tmp_path / "m.yaml").write_text(DOOR)
    suite = tmp_path / "by-hand.txt"
    suite.write_text("# a minute\nopen advance=29 advance(0.5 min) close\nopen advance(30 s)\n")
    ran = Shell(capsys)("run", tmp_path / "m.yaml", "--sut", f"model:{tmp_path / 'm.yaml'}", "--suite", suite, "--json")
    assert (ran.code, ran.json["tests"], ran.json["steps"]) == (0, 2, 6)


@pytest.mark.parametrize("word", ["advance", "advance(x)", "advance=-3", "advance()"])
def test_a_delay_that_is_none_is_said_with_its_place(word: str, tmp_path: Path, capsys) -> None:
    (tmp_path / "m.yaml").write_text(DOOR)
    (tmp_path / "by-hand.txt").write_text(f"open\nopen {word}\n")
    ended = Shell(capsys)("certify", tmp_path / "m.yaml", tmp_path / "by-hand.txt")
    assert (ended.code, "by-hand.txt, line 2: " in ended.err, "is no delay" in ended.err) == (4, True, True), ended.err
