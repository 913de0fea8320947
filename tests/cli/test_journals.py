"""Runs that are cut off and go on, runs on several instances, and old runs judged again."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.journals import VARYING
from tests.processes import eventually
from tests.shared import REFERENCE

from fullproof.core.errors import UserError
from fullproof.formats.journal import read_journal

PROGRAM = [sys.executable, "-m", "fullproof"]
SYSTEM = """
import os, time
tests = 0
class Door:
    def reset(self):
        global tests
        self.open = False; self.n = 0
        tests += 1
        while tests > {gate} and not os.path.exists("go"): time.sleep(0.01)
    def step(self, symbol):
        time.sleep({pause})
        self.n += 1
        if {fault}: raise RuntimeError("jammed")
        if symbol == "push": self.open = not self.open; return "moves"
        return "open" if self.open else "shut"
"""
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


def system(folder: Path, *, pause: float = 0, fault: str = "False", gate: float = 10**9) -> str:
    """A door; after so many tests an instance waits for the file ``go``, so that a run cannot end too soon."""
    return SYSTEM.format(pause=pause, fault=fault, gate=gate).replace('"go"', repr(str(folder / "go")))


@pytest.fixture
def door(tmp_path: Path):
    (tmp_path / "door.yaml").write_text(MODEL)

    def written(*, pause: float = 0, fault: str = "False", gate: float = 10**9) -> list[str]:
        (tmp_path / "door.py").write_text(system(tmp_path, pause=pause, fault=fault, gate=gate))
        return ["run", str(tmp_path / "door.yaml"), "--sut", f"python:{tmp_path / 'door.py'}:Door"]

    return written


def answer(*words: object) -> tuple[int, dict[str, object]]:
    done = subprocess.run([*PROGRAM, *map(str, words), "--json"], capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    fields = json.loads(done.stdout)
    return done.returncode, {name: value for name, value in fields.items() if name not in VARYING}


def report(folder: Path) -> dict[str, object]:
    document = json.loads((folder / "report.json").read_text())
    return {name: value for name, value in document.items() if name not in VARYING}


def rows(journal: Path) -> int:
    try:
        return read_journal(journal).rows
    except UserError:
        return 0  # not there, or its tables are not


SIZE = ("--method", "w", "--extra-states", "5", "--shrink-failures", "0")


def test_a_run_killed_before_its_journal_was_there_begins_anew(door, tmp_path: Path) -> None:
    words = door(pause=0)
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / "run.sqlite").touch()
    code, fields = answer(*words, "--report", tmp_path / "cut", "--resume")
    assert (code, fields["verdict"]) == (0, "pass")
    assert rows(tmp_path / "cut" / "run.sqlite") == fields["tests"]


@pytest.mark.requirement("JUDGE-5")
def test_an_empty_journal_cannot_be_judged(tmp_path: Path) -> None:
    (tmp_path / "run.sqlite").touch()
    done = subprocess.run([*PROGRAM, "judge", tmp_path / "run.sqlite"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (4, "")
    assert "is empty: the run was stopped before its first test" in done.stderr


@pytest.mark.requirement("JUDGE-3", "JUDGE-11")
@pytest.mark.parametrize("fault", ["False", "self.n == 5 and self.open"])
def test_a_killed_run_goes_on_to_the_same_result(door, tmp_path: Path, fault: str) -> None:
    words = door(pause=0.0005, fault=fault)
    expected = answer(*words, *SIZE, "--report", tmp_path / "whole")
    dice = random.Random(fault)
    command = [*PROGRAM, *words, *SIZE, "--report", str(tmp_path / "cut"), "--resume"]
    for _ in range(4):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(dice.uniform(0.3, 1.0))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert answer(*words, *SIZE, "--report", tmp_path / "cut", "--resume") == expected
    assert report(tmp_path / "cut") == report(tmp_path / "whole")
    # Once more: everything has been done, and nothing runs.
    (tmp_path / "door.py").write_text(
        "class Door:\n    def reset(self): raise SystemExit\n    def step(self, s): raise SystemExit\n"
    )
    code, fields = answer(*words, *SIZE, "--report", tmp_path / "cut", "--resume", "--allow-changed-system")
    differing = {name for name in fields if fields[name] != expected[1][name]}
    assert (code, differing) == (expected[0], {"guarantee", "claim", "hypotheses", "notes"})


@pytest.mark.requirement("JUDGE-3")
@pytest.mark.parametrize("fault", ["False", "self.n == 5 and self.open"])
def test_several_instances_see_what_one_sees_and_old_logs_say_the_same(door, tmp_path: Path, fault: str) -> None:
    words = door(fault=fault)
    expected = answer(*words, *SIZE, "--report", tmp_path / "one")
    assert answer(*words, *SIZE, "--report", tmp_path / "two", "--jobs", 2) == expected
    assert report(tmp_path / "two") == report(tmp_path / "one")
    (tmp_path / "door.yaml").unlink()
    assert answer("judge", tmp_path / "one" / "run.sqlite", "--report", tmp_path / "again") == expected
    assert report(tmp_path / "again") == report(tmp_path / "one")


def test_a_nondeterministic_model_plays_the_same_game_on_any_number_of_instances(tmp_path: Path) -> None:
    brake = REFERENCE / "brake" / "brake.yaml"
    suite = tmp_path / "suite.jsonl"
    head = {"fullproof": "suite/1", "model": "BRAKE", "kind": "sfsm", "relation": "equivalence", "method": "general"}
    tests = [[200, 200, 150], [200, 250, 195], [100, 200, 400]]
    rows = [json.dumps(head | {"model_sha256": "", "extra_states": 0, "tool": "0", "guarantee": "none"})]
    rows += [json.dumps({"id": f"t-{n}", "inputs": [{"x": x} for x in test]}) for n, test in enumerate(tests)]
    suite.write_text("\n".join(rows) + "\n")
    words = ["run", brake, "--sut", f"model:{brake}", "--suite", suite, "--repeat", 20, "--seed", 7]
    one = answer(*words, "--journal", tmp_path / "a.sqlite")
    assert one == answer(*words, "--journal", tmp_path / "b.sqlite", "--jobs", 2)
    assert one == answer("judge", tmp_path / "a.sqlite")


@pytest.mark.requirement("JUDGE-10")
@pytest.mark.parametrize("way", ["python", "exec", "jobs"])
@pytest.mark.parametrize("changed", ["file", "module"])
def test_a_run_does_not_go_on_with_another_version_of_the_system(door, tmp_path: Path, way: str, changed: str) -> None:
    """Two versions that fail, each in tests that the other one is never given, do not pass together."""
    door()
    file, helper = tmp_path / "door.py", tmp_path / "helper.py"
    file.write_text("from helper import OPEN\n" + system(tmp_path, pause=0.003, gate=60).replace('"open"', "OPEN"))
    helper.write_text("OPEN = 'open'")
    served = f"python:{file}:Door"
    if way == "exec":
        (tmp_path / "main.py").write_text(
            "import json, sys\nfrom door import Door\nd = Door()\nfor line in sys.stdin:\n    m = json.loads(line)\n"
            "    answer = {'ready': not d.reset()} if 'reset' in m else {'output': d.step(m['input'])}\n"
            "    print(json.dumps(answer), flush=True)\n"
        )
        served = f"exec:{sys.executable} {tmp_path / 'main.py'}"
    words = ["run", str(tmp_path / "door.yaml"), "--sut", served, *SIZE, "--journal", str(tmp_path / "j")]
    words += ["--step-timeout", "600", *(["--jobs", "2"] if way == "jobs" else [])]
    process = subprocess.Popen([*PROGRAM, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert eventually(lambda: rows(tmp_path / "j") >= 3)
    process.kill()
    process.wait()
    assert rows(tmp_path / "j") < 200
    (tmp_path / "go").touch()
    changed_file = file if changed == "file" else helper
    changed_file.write_text(changed_file.read_text() + "\n# another version\n")
    done = subprocess.run([*PROGRAM, *words, "--resume"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (4, "", 1)
    assert "cannot be resumed: the system has changed since (" in done.stderr and changed_file.name in done.stderr
    code, fields = answer(*words, "--resume", "--allow-changed-system")
    assert (code, fields["verdict"]) == (0, "pass")
    assert str(fields["guarantee"]).startswith("No guarantee: the system was not the same in all parts of the run: ")
    assert answer("judge", tmp_path / "j")[1]["guarantee"] == fields["guarantee"]


def test_a_journal_of_something_else_is_not_resumed(door, tmp_path: Path) -> None:
    words = door()
    answer(*words, "--journal", tmp_path / "j")
    for more, what in ((["--extra-states", 1], "another suite"), (["--seed", 3], "another --seed")):
        done = subprocess.run(
            [*PROGRAM, *words, "--journal", str(tmp_path / "j"), "--resume", *map(str, more)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 4
        assert f"cannot be resumed: it is about {what}" in done.stderr
    done = subprocess.run([*PROGRAM, *words, "--resume"], capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "--resume needs the journal of the run" in done.stderr


def test_an_interrupted_run_keeps_what_it_has_seen(door, tmp_path: Path) -> None:
    words = door(pause=0.003, gate=60)
    command = [*PROGRAM, *words, *SIZE, "--journal", str(tmp_path / "j"), "--step-timeout", "600"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert eventually(lambda: rows(tmp_path / "j") > 0)
    process.send_signal(signal.SIGINT)
    assert process.wait() == 2
    code, seen = answer("judge", tmp_path / "j")
    assert seen["tests"]
    assert "the run was interrupted" in str(seen["notes"])
    assert str(seen["guarantee"]).startswith("No guarantee: the journal holds ")
    assert (code, seen["verdict"]) == (6, "inconclusive")
