"""Several instances of the system at the same time, each in a process of its own, their traces in the order of the run.

A process that dies takes its batch with it: those executions are repeated one by one, and the one that kills its
process again is an error of the system. Choices of a playing model depend on the number of an execution (``Sut``), so
that the traces are the same whatever the number of processes.
"""

from __future__ import annotations

import contextlib
import heapq
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait

from fullproof.artefacts.suite import Test
from fullproof.artefacts.trace import Trace
from fullproof.core.errors import Place, UserError
from fullproof.execute.runner import Job, Options, Watch, numbered
from fullproof.model import Model

_BATCH_SECONDS = 0.1
_LARGEST = 2_000
_AHEAD = 64
"""Batches that may wait for an earlier one: more would cost memory without end."""
_GRACE = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """What each process opens. ``options.watch`` stays here: ``watch`` makes one in the process itself."""

    sut: str
    model: Model
    seed: int
    options: Options
    watch: Callable[[], Watch] | None = None


def execute_in_parallel(
    crew: Crew, tests: Iterable[Test], *, jobs: int, after: int = 0
) -> Generator[Trace, None, None]:
    """Run each test ``repeat`` times on ``jobs`` instances of the system; see ``runner.execute``.

    Needs: options without ``more``, which would have to know what other processes have seen.
    """
    run = _Run(crew, numbered(tests, crew.options, after=after), first=after + 1)
    try:
        for _ in range(jobs):
            run.hire()
        yield from run.traces()
    finally:
        run.dismiss()


class _Worker:
    """A process and what it is doing."""

    def __init__(self, crew: Crew) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            command = [sys.executable, "-P", "-m", "fullproof.execute.worker", str(number)]
            # A group of its own: Ctrl-C is for us, and we end the others.
            self.process = subprocess.Popen(command, pass_fds=[number], stdin=subprocess.DEVNULL, process_group=0)
        self.connection = Connection(ours.detach())
        self.batch: list[Job] = []
        self.begun = time.monotonic()
        with contextlib.suppress(OSError):
            self.connection.send(crew)

    def ask(self, batch: list[Job]) -> None:
        """Hand out work; a process that is gone will be noticed when its answer is read."""
        self.batch, self.begun = batch, time.monotonic()
        with contextlib.suppress(OSError):
            self.connection.send(batch)

    def end(self) -> str:
        """Kill the process, and say how it died if it was dead already."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=0.2)
        status = self.process.poll()
        self.connection.close()
        if status is None:
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            return "closed its connection"
        if status < 0:
            with contextlib.suppress(ValueError):
                return f"died: killed by {signal.Signals(-status).name}"
        return f"died: exit status {status}"


class _Run:
    """Hands out batches, takes traces back, puts them in order."""

    def __init__(self, crew: Crew, jobs: Iterator[Job], *, first: int) -> None:
        self._crew = crew
        self._jobs = jobs
        self._again: list[Job] = []
        """Executions whose process died, to be repeated one by one; a heap."""
        self._next = first
        self._done: dict[int, Trace] = {}
        self._size = 1
        self._workers: list[_Worker] = []
        self._idle: list[_Worker] = []

    def hire(self) -> None:
        """Start a process; the first message it sends says that its system is open."""
        self._workers.append(_Worker(self._crew))

    def traces(self) -> Iterator[Trace]:
        """All traces in order."""
        while True:
            self._hand_out()
            while (trace := self._done.pop(self._next, None)) is not None:
                self._next += 1
                yield trace
            busy = {worker.connection: worker for worker in self._workers if worker not in self._idle}
            if not busy:
                return
            for connection in wait(list(busy)):
                assert isinstance(connection, Connection)
                self._take(busy[connection])

    def dismiss(self) -> None:
        """End all processes: those that wait for work in good order, the others at once."""
        for worker in self._workers:
            worker.connection.close()
        deadline = time.monotonic() + _GRACE
        for worker in self._workers:
            if worker in self._idle:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    worker.process.wait(timeout=max(0.0, deadline - time.monotonic()))
            if worker.process.poll() is None:
                with contextlib.suppress(OSError):
                    os.killpg(worker.process.pid, signal.SIGKILL)
                worker.process.wait()

    def _hand_out(self) -> None:
        while self._idle:
            batch = self._batch()
            if not batch:
                return
            self._idle.pop().ask(batch)

    def _batch(self) -> list[Job]:
        if self._again:
            return [heapq.heappop(self._again)]
        if len(self._done) > _AHEAD * self._size:
            return []
        return list(islice(self._jobs, self._size))

    def _take(self, worker: _Worker) -> None:
        try:
            kind, content = worker.connection.recv()
        except (EOFError, OSError):
            self._bury(worker)
            return
        if kind == "refused":
            message, place = content
            raise UserError(message, at=place if isinstance(place, Place) else Place())
        if kind == "traces":
            self._done |= {trace.number: trace for trace in content}
            took = max(time.monotonic() - worker.begun, 1e-6)
            wanted = int(len(worker.batch) * _BATCH_SECONDS / took)
            self._size = max(1, min(_LARGEST, wanted, 2 * self._size))
        worker.batch = []
        self._idle.append(worker)

    def _bury(self, worker: _Worker) -> None:
        reason = worker.end()
        self._workers.remove(worker)
        if not worker.batch:
            raise UserError(f"a process for the system {reason} before its first test")
        if len(worker.batch) == 1:
            number, test, repetition = worker.batch[0]
            self._done[number] = Trace(test, (), None, reason, "", repetition, number)
        else:
            for job in worker.batch:
                heapq.heappush(self._again, job)
        self.hire()
