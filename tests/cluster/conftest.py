"""Clusters of real processes, once for a module: a local one, and a scheduler with workers as they are elsewhere."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.shared import ROOT

from fullproof.cluster.connecting import open_pool
from fullproof.cluster.pool import Pool

DASK = [sys.executable, "-m", "dask"]


@pytest.fixture(scope="session")
def paths() -> Iterator[None]:
    """Processes of clusters find the modules of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        yield


@pytest.fixture(scope="module")
def pool(paths: None) -> Iterator[Pool]:
    with open_pool("local:2") as opened:
        yield opened


@dataclass(frozen=True)
class Scheduler:
    """A scheduler in a process of its own, with two workers under a nanny that replaces those that die."""

    spec: str
    nanny: int

    def workers(self) -> list[int]:
        """The processes of the workers that are there now."""
        lists = [path.read_text().split() for path in Path(f"/proc/{self.nanny}/task").glob("*/children")]
        children = [pid for listed in lists for pid in listed]
        return [int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


@pytest.fixture(scope="module")
def scheduler(paths: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scheduler]:
    if not Path(f"/proc/self/task/{os.getpid()}/children").exists():
        pytest.skip("this kernel does not list children")
    folder = tmp_path_factory.mktemp("dask")
    file = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, "start_new_session": True}
    first = [*DASK, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
    second = [*DASK, "worker", "--nworkers", "2", "--nthreads", "1", "--no-dashboard", "--memory-limit", "0"]
    started = subprocess.Popen([*first, "--scheduler-file", str(file)], **quiet)
    nanny = subprocess.Popen([*second, "--scheduler-file", str(file), "--host", "127.0.0.1"], **quiet)
    try:
        for _ in range(600):
            if file.exists() and file.read_text():
                break
            time.sleep(0.05)
        address = json.loads(file.read_text())["address"]
        yield Scheduler(address.replace("tcp://", "dask://"), nanny.pid)
    finally:
        for process in (nanny, started):
            os.killpg(process.pid, 9)
            process.wait()
