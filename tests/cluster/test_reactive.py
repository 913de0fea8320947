"""Runs of transition systems on a cluster: the conversations, journal and verdict of one process."""

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
from tests.shared import REFERENCE, ROOT

from fullproof.core.errors import UserError
from fullproof.formats.journal import read_journal

PROGRAM = [sys.executable, "-m", "fullproof"]
SLOW = pytest.mark.slow
BRP = REFERENCE / "brp"
PROTOCOLS = ROOT / "examples" / "protocols"
COURIER = """\
machine: sts
name: courier
variables: {held: int 0..3 = 0}
inputs: {post: {n: int 1..3}, ask: {}}
outputs: {deliver: {n: int 1..3}, sorry: {}, count: {n: int 0..3}}
initial: idle
states:
  idle:
    - {gate: post, set: {held: n}, to: road}
    - {gate: ask, to: asked}
  asked:
    - {gate: count, when: n == held, to: idle}
  road:
    - {gate: tau, when: held >= 2, to: lost}
    - {gate: deliver, when: n == held, to: idle}
  lost:
    - {gate: sorry, set: {held: 0}, to: idle}
"""
SYSTEM = """
import os, signal, time
class Courier:
    def reset(self): self.held = 0; self.out = []
    def send(self, gate, *values):
        if gate == "post":
            self.held = values[0]; self.out.append(("deliver", (self.held,)))
            {fault}
        else:
            self.out.append(("count", (self.held,)))
    def receive(self, timeout):
        if self.out: return self.out.pop(0)
        time.sleep({pause} if timeout else 0)
        return None
"""


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@pytest.fixture
def courier(tmp_path: Path):
    (tmp_path / "courier.yaml").write_text(COURIER)

    def written(*, pause: float = 0.0, fault: str = "pass", repeat: int = 6) -> list[str]:
        (tmp_path / "system.py").write_text(SYSTEM.format(pause=pause, fault=fault))
        sut = f"python:{tmp_path / 'system.py'}:Courier"
        return ["run", str(tmp_path / "courier.yaml"), "--sut", sut, "--repeat", str(repeat), "--seed", "3"]

    return written


def without_times(ended: Ended) -> dict[str, object]:
    return {name: value for name, value in ended.json.items() if name not in VARYING}


def held(journal: Path) -> list:
    try:
        return list(read_journal(journal).executions())
    except UserError:  # it has only just been begun
        return []


@pytest.mark.parametrize(
    ("model", "system", "options"),
    [
        ("courier", "courier", ["--repeat", "6"]),
        pytest.param("courier", "courier", ["--coverage", "switch-pair", "--values", "boundary"], marks=SLOW),
        pytest.param("courier", "courier", ["--method", "random", "--repeat", "5", "--max-length", "30"], marks=SLOW),
        pytest.param(PROTOCOLS / "login/model.yaml", PROTOCOLS / "login/mutant3.yaml", ["--repeat", "3"], marks=SLOW),
        pytest.param(BRP / "brp.yaml", BRP / "mutant6.yaml", ["--order", "longest", "--repeat", "2"], marks=SLOW),
    ],
)
def test_a_run_is_that_of_one_process(
    shell: Shell, tmp_path: Path, scheduler: Scheduler, model: object, system: object, options: list[str]
) -> None:
    (tmp_path / "courier.yaml").write_text(COURIER)
    paths = [tmp_path / "courier.yaml" if name == "courier" else name for name in (model, system)]
    words = ["run", paths[0], "--sut", f"model:{paths[1]}", "--seed", "5", "--jobs", "2", *options, "--json"]
    words += ["--shrink-failures", "0"]
    here = shell(*words, "--report", tmp_path / "here")
    there = shell(*words, "--cluster", scheduler.spec, "--report", tmp_path / "there")
    assert (there.code, without_times(there)) == (here.code, without_times(here))
    assert held(tmp_path / "there/run.sqlite") == held(tmp_path / "here/run.sqlite") != []
    assert (tmp_path / "there/tests.csv").read_bytes() == (tmp_path / "here/tests.csv").read_bytes()


def test_the_number_of_instances_may_be_given(shell: Shell, courier, tmp_path: Path, scheduler: Scheduler) -> None:
    """Three instances on two workers are three instances; what was begun there goes on here."""
    words = [*courier(), "--jobs", "3", "--json"]
    here = shell(*words, "--journal", tmp_path / "here")
    there = shell(*words, "--cluster", scheduler.spec, "--journal", tmp_path / "there", "--stop-on-failure")
    assert (there.code, held(tmp_path / "there")) == (here.code, held(tmp_path / "here"))
    assert len(held(tmp_path / "here")) > 3


def test_a_system_that_ends_its_process_is_an_error(
    shell: Shell, courier, tmp_path: Path, scheduler: Scheduler
) -> None:
    fault = "if self.held == 3: os.kill(os.getpid(), signal.SIGSEGV)"
    ended = shell(*courier(fault=fault), "--cluster", scheduler.spec, "--json", "--journal", tmp_path / "j")
    assert (ended.code, ended.json["verdict"]) == (1, "error")
    broken = [conversation for conversation in held(tmp_path / "j") if conversation.error is not None]
    assert broken
    assert all("SIGSEGV" in str(conversation.error) for conversation in broken)


@pytest.mark.slow
def test_workers_killed_in_mid_run_cost_nothing(courier, tmp_path: Path, scheduler: Scheduler) -> None:
    words = [*courier(pause=0.05, repeat=12), "--jobs", "2"]
    alone = [*PROGRAM, *words, "--json", "--journal", str(tmp_path / "alone")]
    expected = subprocess.run(alone, capture_output=True, text=True, check=False)
    journal = tmp_path / "run.sqlite"
    options = ["--cluster", scheduler.spec, "--journal", str(journal), "--json"]
    process = subprocess.Popen([*PROGRAM, *words, *options], stdout=subprocess.PIPE, text=True)
    killed = 0
    while process.poll() is None and killed < 2:
        if len(held(journal)) > 2 + 4 * killed:
            os.kill(random.Random(killed).choice(scheduler.workers()), signal.SIGKILL)
            killed += 1
        time.sleep(0.02)
    out, _ = process.communicate(timeout=90)
    assert killed == 2
    first, second = (json.loads(text) for text in (out, expected.stdout))
    assert all(first[name] == second[name] for name in first.keys() | second.keys() if name not in VARYING)
    assert held(journal) == held(tmp_path / "alone")


@pytest.mark.slow
def test_a_command_that_is_killed_goes_on_without_a_cluster(courier, tmp_path: Path, scheduler: Scheduler) -> None:
    words = [*courier(pause=0.05, repeat=12), "--jobs", "2"]
    whole = subprocess.run([*PROGRAM, *words, "--journal", str(tmp_path / "w")], capture_output=True, check=False)
    journal = tmp_path / "run.sqlite"
    cluster = ["--cluster", scheduler.spec, "--journal", str(journal)]
    process = subprocess.Popen([*PROGRAM, *words, *cluster], stdout=subprocess.DEVNULL)
    while process.poll() is None and len(held(journal)) < 4:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert 4 <= len(held(journal)) < len(held(tmp_path / "w"))
    again = [*PROGRAM, *words, "--journal", str(journal), "--resume"]
    assert subprocess.run(again, capture_output=True, check=False).returncode == whole.returncode
    assert held(journal) == held(tmp_path / "w")
