"""The commands on a scheduler with workers: the answers and files of one process."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.harness import Ended, Shell
from tests.cluster.conftest import Scheduler
from tests.journals import VARYING
from tests.processes import PATIENCE, descendants, eventually, is_alive
from tests.processes import command as program_of
from tests.shared import REFERENCE, ROOT

from fullproof.core.errors import UserError
from fullproof.formats.journal import read_journal

PROGRAM = [sys.executable, "-m", "fullproof"]
DEMO = ROOT / "src/fullproof/cli/demo_data/model.yaml"
MODEL = """
machine: fsm
name: door
initial: shut
states:
  shut:
    - {when: push, then: moves, to: open, req: [R1]}
    - {when: look, then: shut, to: shut}
  open:
    - {when: push, then: moves, to: shut}
    - {when: look, then: open, to: open, req: [R2]}
"""
SYSTEM = """
import os, signal, time
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
        {fault}
        if symbol == "push": self.open = not self.open; return "moves"
        return "open" if self.open else "shut"
"""


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@pytest.fixture
def door(tmp_path: Path):
    (tmp_path / "door.yaml").write_text(MODEL)

    def written(*, pause: float = 0, fault: str = "pass", extra: int = 4, gate: int = 10**9) -> list[str]:
        """After so many tests (``gate``) an instance waits for the file ``go``: a run cannot end too soon."""
        text = SYSTEM.format(pause=pause, fault=fault, gate=gate)
        (tmp_path / "door.py").write_text(text.replace('"go"', repr(str(tmp_path / "go"))))
        words = ["run", str(tmp_path / "door.yaml"), "--sut", f"python:{tmp_path / 'door.py'}:Door", "--method", "w"]
        return [*words, "--extra-states", str(extra), "--shrink-failures", "0"]

    return written


def without_times(ended: Ended) -> dict[str, object]:
    return {name: value for name, value in ended.json.items() if name not in VARYING}


def rows(journal: Path) -> list[tuple[object, ...]]:
    return [(t.number, t.test, tuple(t.steps), t.error, t.repetition) for t in read_journal(journal).executions()]


def kept(journal: Path) -> int:
    """How many executions a journal holds while it is being written."""
    try:
        return len(numbers(journal))
    except UserError:  # it has only just been begun
        return 0


def numbers(journal: Path) -> list[int]:
    return [trace.number for trace in read_journal(journal).executions()]


@pytest.mark.parametrize(
    "fault",
    [
        "pass",
        "if self.n == 3 and symbol == 'look': return 'ajar'",
        "if self.n == 4 and self.open: raise RuntimeError('jammed')",
        "if self.n == 4 and self.open and symbol == 'look': os.kill(os.getpid(), signal.SIGSEGV)",
    ],
)
def test_a_run_is_that_of_one_machine(shell: Shell, door, tmp_path: Path, scheduler: Scheduler, fault: str) -> None:
    words = door(fault=fault, extra=2 if "kill" in fault else 4)
    # A system that ends its process needs one of its own here, too.
    here = shell(*words, "--jobs", "1" if "kill" not in fault else "2", "--report", tmp_path / "here", "--json")
    there = shell(*words, "--cluster", scheduler.spec, "--report", tmp_path / "there", "--json")
    assert there.code == here.code
    assert without_times(there) == without_times(here)
    assert rows(tmp_path / "there/run.sqlite") == rows(tmp_path / "here/run.sqlite")
    assert (tmp_path / "there/tests.csv").read_bytes() == (tmp_path / "here/tests.csv").read_bytes()


def test_a_run_of_a_symbolic_model(shell: Shell, scheduler: Scheduler) -> None:
    brake = REFERENCE / "brake"
    model = next(path for path in sorted(brake.glob("*.yaml")) if "machine: sfsm" in path.read_text())
    words = ["run", model, "--sut", f"model:{model}", "--json"]
    assert without_times(shell(*words, "--cluster", scheduler.spec)) == without_times(shell(*words))


def test_workers_killed_in_mid_run_lose_no_test(door, tmp_path: Path, scheduler: Scheduler) -> None:
    # 384 tests of 20 ms in batches of 0.4 s, of which each instance does at most 150 before ``go``: the run cannot end
    # before workers have been killed, and it comes as far as that.
    words = [*door(pause=0.002, extra=7, gate=150), "--step-timeout", "600"]
    (tmp_path / "go").touch()
    alone = subprocess.run([*PROGRAM, *words, "--json"], capture_output=True, text=True, check=True)
    (tmp_path / "go").unlink()
    journal = tmp_path / "run.sqlite"
    options = ["--cluster", scheduler.spec, "--journal", str(journal), "--json"]
    process = subprocess.Popen([*PROGRAM, *words, *options], stdout=subprocess.PIPE, text=True)
    killed = 0
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and killed < 2 and time.monotonic() < deadline:
        if kept(journal) > 10 + 20 * killed:
            os.kill(random.Random(killed).choice(scheduler.workers()), signal.SIGKILL)
            killed += 1
        time.sleep(0.05)
    (tmp_path / "go").touch()
    out, _ = process.communicate(timeout=PATIENCE)
    assert killed == 2
    fields, expected = json.loads(out), json.loads(alone.stdout)
    assert {k: v for k, v in fields.items() if k not in VARYING} == {
        k: v for k, v in expected.items() if k not in VARYING
    }
    assert numbers(journal) == list(range(1, expected["tests"] + 1))


def test_a_command_that_is_killed_goes_on_where_it_was(door, tmp_path: Path, scheduler: Scheduler) -> None:
    words = [*door(pause=0.002, extra=7, gate=150), "--step-timeout", "600"]
    journal = tmp_path / "run.sqlite"
    options = ["--cluster", scheduler.spec, "--journal", str(journal), "--json"]
    process = subprocess.Popen([*PROGRAM, *words, *options], stdout=subprocess.DEVNULL)
    assert eventually(lambda: process.poll() is not None or kept(journal) > 20)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    before = numbers(journal)
    (tmp_path / "go").touch()
    again = subprocess.run([*PROGRAM, *words, *options, "--resume"], capture_output=True, text=True, check=True)
    fields = json.loads(again.stdout)
    assert fields["verdict"] == "pass"
    assert len(before) < fields["tests"]
    assert numbers(journal) == list(range(1, fields["tests"] + 1))


HANGING = """
import ctypes, signal
class Door:
    def reset(self): self.open = False; self.word = ""
    def step(self, symbol):
        self.word += symbol[0]
        if self.word in {words!r}:
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
            while True: ctypes.{library}(None).pause()
        if symbol == "push": self.open = not self.open; return "moves"
        return "open" if self.open else "shut"
"""


@pytest.mark.parametrize(
    ("way", "library"),
    [("jobs", "PyDLL"), ("jobs", "CDLL"), ("dask", "PyDLL"), pytest.param("local", "CDLL", marks=pytest.mark.slow)],
)
def test_a_system_that_hangs_in_c_costs_its_test_alone(
    door, tmp_path: Path, scheduler: Scheduler, way: str, library: str
) -> None:
    """``PyDLL`` holds the interpreter, ``CDLL`` lets other threads run; all signals are blocked in both."""
    words = door(extra=2)
    (tmp_path / "door.py").write_text(HANGING.format(words=("llp",), library=library))
    where = {"jobs": ["--jobs", "2"], "local": ["--cluster", "local:2"], "dask": ["--cluster", scheduler.spec]}[way]
    command = [*PROGRAM, *words, *where, "--step-timeout", "1", "--journal", str(tmp_path / "j"), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    started: set[int] = set()

    def has_ended() -> bool:
        roots = [process.pid, scheduler.nanny] if way == "dask" else [process.pid]
        found = {pid for root in roots for pid in descendants(root)}
        started.update(pid for pid in found if way != "dask" or b"child_process" in program_of(pid))
        return process.poll() is not None

    assert eventually(has_ended)
    out, err = process.communicate()
    fields = json.loads(out)
    assert (process.returncode, fields["verdict"], fields["failed"]) == (1, "error", 0), err
    spoilt = [trace for trace in read_journal(tmp_path / "j").executions() if trace.error is not None]
    assert {trace.error for trace in spoilt} == {"no answer within 1 s"}
    for trace in read_journal(tmp_path / "j").executions():
        word = "".join(str(symbol)[0] for symbol in trace.test.inputs)
        assert (trace.error is not None) == word.startswith("llp"), word
        assert len(trace.steps) == (2 if trace.error else len(word))
    assert len(spoilt) == fields["errors"] > 0
    assert fields["errors"] + fields["passed"] == fields["tests"]
    assert started
    assert eventually(lambda: not any(map(is_alive, started))), "nothing stays behind"


@pytest.mark.parametrize("method", ["w", "wp", "hsi", "hads"])
def test_a_suite_has_the_bytes_of_one_process(shell: Shell, tmp_path: Path, scheduler: Scheduler, method: str) -> None:
    words = ["generate", DEMO, "--method", method, "--extra-states", 3]
    assert shell(*words, "-o", tmp_path / "here.jsonl").code == 0
    assert shell(*words, "-o", tmp_path / "there.jsonl", "--cluster", scheduler.spec).code == 0
    assert (tmp_path / "there.jsonl").read_bytes() == (tmp_path / "here.jsonl").read_bytes()


def test_requirements_are_in_suites_of_clusters(shell: Shell, door, tmp_path: Path, scheduler: Scheduler) -> None:
    words = ["generate", door()[1], "--method", "w", "--extra-states", 2]
    for ending in ("jsonl", "csv"):
        shell(*words, "-o", tmp_path / f"here.{ending}")
        shell(*words, "-o", tmp_path / f"there.{ending}", "--cluster", scheduler.spec)
        assert (tmp_path / f"there.{ending}").read_bytes() == (tmp_path / f"here.{ending}").read_bytes()
        assert "R1" in (tmp_path / f"there.{ending}").read_text()


def test_methods_that_do_not_stream(shell: Shell, tmp_path: Path, scheduler: Scheduler) -> None:
    refused = shell("generate", DEMO, "--method", "spyh", "--cluster", "local:1")
    assert (refused.code, refused.err.count("\n")) == (4, 1)
    assert "method 'spyh' makes a suite as a whole" in refused.err
    assert "w, wp, hsi, hads can" in refused.err
    assert "--shrink" in shell("generate", DEMO, "--method", "w", "--shrink", "--cluster", "local:1").err
    shell("generate", DEMO, "-o", tmp_path / "here.jsonl")
    noted = shell("generate", DEMO, "-o", tmp_path / "there.jsonl", "--cluster", scheduler.spec, "--verbose")
    assert "is made as a whole, by one process" in noted.out
    assert (tmp_path / "there.jsonl").read_bytes() == (tmp_path / "here.jsonl").read_bytes()


@pytest.mark.parametrize("kind", ["fsm", "sfsm"])
def test_scores_are_those_of_one_process(shell: Shell, tmp_path: Path, scheduler: Scheduler, kind: str) -> None:
    model = DEMO if kind == "fsm" else ROOT / "examples/brake/brake.yaml"
    assert shell("mutate", model, "-o", tmp_path / "mutants", "--sample", 12).code == 0
    shell("generate", model, "-o", tmp_path / "suite.jsonl")
    words = ["score", model, "--suite", tmp_path / "suite.jsonl", "--mutants", tmp_path / "mutants"]
    here, there = shell(*words, "--json"), shell(*words, "--json", "--cluster", scheduler.spec)
    assert (there.code, there.json) == (here.code, here.json)
    (tmp_path / "mutants/mutant-0003.yaml").write_text("machine: [")
    (tmp_path / "mutants/mutant-0009.yaml").write_text("machine: [")
    here, there = shell(*words), shell(*words, "--cluster", scheduler.spec)
    assert (there.code, there.err) == (here.code, here.err)
    assert "mutant-0003.yaml, line 1" in there.err


def test_many_suites_are_certified_one_by_one(shell: Shell, tmp_path: Path, scheduler: Scheduler) -> None:
    suites = []
    for method in ("w", "hsi", "h"):
        suites.append(tmp_path / f"{method}.jsonl")
        shell("generate", DEMO, "--method", method, "--extra-states", 0, "-o", suites[-1])
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(suites[0].read_text().splitlines(keepends=True)[:9]))
    assert set(shell("certify", DEMO, suites[0], "--json").json) >= {"complete", "method", "survivor", "reason"}
    here = shell("certify", DEMO, *suites, cut, "--json")
    there = shell("certify", DEMO, *suites, cut, "--json", "--cluster", scheduler.spec)
    assert (there.code, there.json) == (here.code, here.json)
    assert not (tmp_path / "cut.survivor.yaml").exists()
    assert here.code == 1
    assert here.json["complete"] is False
    assert [one["complete"] for one in here.json["suites"]] == [True, True, True, False]
    assert [one["suite"] for one in here.json["suites"]] == [*map(str, suites), str(cut)]
    assert shell("certify", DEMO, *suites).code == 0
    several = shell("certify", DEMO, *suites, "-o", tmp_path / "x.yaml")
    assert (several.code, several.err) == (
        4,
        "fullproof: --output is for the survivor of one suite, and several were given\n",
    )
