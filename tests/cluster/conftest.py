"""Clusters of real processes, once for a module: a local one, and a scheduler with workers as they are elsewhere."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.processes import PATIENCE, children, command, eventually, lists_children
from tests.shared import ROOT

from fullproof.cluster.connection import open_pool
from fullproof.cluster.pool import ClusterPool

DASK = [sys.executable, "-m", "dask"]


@pytest.fixture(scope="session")
def paths() -> Iterator[None]:
    """Processes of clusters find the modules of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        yield


@pytest.fixture(scope="module")
def pool(paths: None) -> Iterator[ClusterPool]:
    with open_pool("local:2") as opened:
        yield opened


@dataclass(frozen=True)
class Scheduler:
    """A scheduler in a process of its own, with two workers under a nanny that replaces those that die."""

    spec: str
    nanny: int

    def workers(self) -> list[int]:
        """The processes of the workers that are there now."""
        return sorted(pid for pid in children(self.nanny) if b"spawn_main" in command(pid))


@pytest.fixture(scope="module")
def scheduler(paths: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scheduler]:
    if not lists_children():
        pytest.skip("this kernel does not list children")
    folder = tmp_path_factory.mktemp("dask")
    file = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, "start_new_session": True}
    first = [*DASK, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
    second = [*DASK, "worker", "--nworkers", "2", "--nthreads", "1", "--no-dashboard", "--memory-limit", "0"]
    started = subprocess.Popen([*first, "--scheduler-file", str(file)], **quiet)
    nanny = subprocess.Popen([*second, "--scheduler-file", str(file), "--host", "127.0.0.1"], **quiet)
    try:
        assert eventually(lambda: file.exists() and file.read_text())
        address = json.loads(file.read_text())["address"]
        # A command waits ten seconds for a worker: on a busy machine they take longer to start.
        from distributed import Client

        with Client(address, timeout=PATIENCE, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=PATIENCE)
        yield Scheduler(address.replace("tcp://", "dask://"), nanny.pid)
    finally:
        for process in (nanny, started):
            os.killpg(process.pid, 9)
            process.wait()
