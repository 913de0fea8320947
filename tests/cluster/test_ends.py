"""What can be wrong with a cluster, each in one line, and that nothing of it outlives the command."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.processes import PATIENCE, command, descendants, eventually, is_alive, lists_children
from tests.shared import ROOT

from fullproof.cluster.connection import _check_versions
from fullproof.core.errors import UserError

DEMO = ROOT / "src/fullproof/cli/demo_data/model.yaml"
SLOW = """
import time
class Slow:
    def reset(self): pass
    def step(self, symbol): time.sleep(0.01); return "x"
"""


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


def packages(**others: str | None) -> dict[str, object]:
    known = {"python": "3.11.7.final.0", "distributed": "2026.8.0", "dask": "2026.8.0", "fullproof": "1.0"}
    return {"packages": {**known, **others}}


@pytest.mark.parametrize(
    ("scheduler", "worker", "message"),
    [
        ({}, {"fullproof": None}, "the worker tcp://w:1 has no fullproof: install version"),
        ({}, {"fullproof": "0.9"}, "the worker tcp://w:1 has fullproof 0.9, this machine 1.0"),
        ({"python": "3.12.1.final.0"}, {}, "the scheduler runs Python 3.12, this command 3.11"),
        ({}, {"python": "3.13.0.final.0"}, "the worker tcp://w:1 runs Python 3.13, this command 3.11"),
        ({"distributed": "2025.1.0"}, {}, "the scheduler has distributed 2025.1.0, this machine 2026.8.0"),
        ({}, {"dask": None}, "the worker tcp://w:1 has dask None, this machine 2026.8.0"),
    ],
)
def test_versions_must_agree(scheduler: dict[str, str], worker: dict[str, str], message: str) -> None:
    known = {
        "client": packages(),
        "scheduler": packages(**scheduler),
        "workers": {"tcp://w:0": packages(), "tcp://w:1": packages(**worker)},
    }
    with pytest.raises(UserError, match=message) as caught:
        _check_versions(known, "dask://s:8786")
    assert str(caught.value).startswith("--cluster dask://s:8786: ")


def test_versions_that_agree_enough() -> None:
    newer = {"w": packages(python="3.11.9.final.0"), "gone": None}
    _check_versions({"client": packages(), "scheduler": packages(fullproof=None), "workers": newer}, "dask://s:8786")


def run(shell: Shell, *words: object) -> str:
    ended = shell("run", DEMO, "--sut", f"model:{DEMO}", *words)
    assert ended.code == 4
    assert ended.err.count("\n") == 1
    return ended.err


def test_without_dask(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'fullproof[cluster]'" in run(shell, "--cluster", "local:2")


def test_jobs_and_a_cluster_are_too_much(shell: Shell) -> None:
    assert "--jobs runs instances on this machine" in run(shell, "--cluster", "local:2", "--jobs", 2)


def test_nobody_answers(shell: Shell, tmp_path: Path) -> None:
    import dask
    import distributed  # noqa: F401 - brings its settings along, which must outlive ours

    journal = tmp_path / "run.sqlite"
    assert shell("run", DEMO, "--sut", f"model:{DEMO}", "--journal", journal).code == 0
    before = journal.read_bytes()
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        message = run(shell, "--cluster", "dask://127.0.0.1:1", "--journal", journal)
    assert "no Dask scheduler answers there within 1 s" in message
    assert journal.read_bytes() == before


def test_an_sts_runs_there_too(shell: Shell) -> None:
    model = next(path for path in sorted((ROOT / "tests/data/reference/sts-example").glob("*.yaml")))
    ended = shell("run", model, "--sut", f"model:{model}", "--cluster", "local:2", "--method", "tour", "--json")
    assert (ended.code, ended.json["verdict"]) == (0, "pass")


@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_of_a_local_cluster(tmp_path: Path, way: signal.Signals) -> None:
    if not lists_children():
        pytest.skip("this kernel does not list children")
    (tmp_path / "slow.py").write_text(SLOW)
    words = ["run", DEMO, "--sut", f"python:{tmp_path / 'slow.py'}:Slow", "--extra-states", 4, "--method", "w"]
    program = [sys.executable, "-m", "fullproof", *map(str, words), "--cluster", "local:2"]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0)
    # The holder of the cluster, its two workers and what helps them, and the two processes of the system.
    assert eventually(lambda: sum(b"child_process" in command(pid) for pid in descendants(process.pid)) == 2)
    started = descendants(process.pid)
    assert len(started) >= 5
    os.killpg(process.pid, way)
    out, err = process.communicate(timeout=PATIENCE)
    if way is signal.SIGINT:
        assert (process.returncode, out[:13]) == (2, "INCONCLUSIVE ") and "fullproof: interrupted" in err
    assert eventually(lambda: not any(map(is_alive, started)))
