"""Several instances of the system at the same time, each in a process of its own, their traces in the order of the run.

A process that dies takes its batch with it: those executions are repeated one by one, and the one that kills its
process again is an error of the system. Choices of a playing model depend on the number of an execution (``Sut``), so
that the traces are the same whatever the number of processes.
"""

from __future__ import annotations

import heapq
import pickle
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from multiprocessing.connection import Connection, wait

from fullproof.artefacts.suite import Test
from fullproof.artefacts.trace import Trace
from fullproof.cluster.child import Child, dismiss, opened
from fullproof.cluster.work import BatchSize, Broken, Done, Refused
from fullproof.core.errors import UserError
from fullproof.execute.crew import Crew, died, executions, trace_of
from fullproof.execute.runner import Job, numbered

_BATCH_SECONDS = 0.1
_LARGEST = 2_000
_AHEAD = 64
"""Batches that may wait for an earlier one: more would cost memory without end."""


def execute_in_parallel(
    crew: Crew, tests: Iterable[Test], *, jobs: int, after: int = 0
) -> Generator[Trace, None, None]:
    """Run each test ``repeat`` times on ``jobs`` instances of the system; see ``runner.execute``."""
    run = _Run(crew, numbered(tests, crew.options, after=after), first=after + 1)
    try:
        for _ in range(jobs):
            run.hire()
        yield from run.traces()
    finally:
        run.dismiss()


class _Worker(Child):
    """A process and what it is doing."""

    def __init__(self, work: bytes) -> None:
        super().__init__(work)
        self.batch: list[Job] = []


class _Run:
    """Hands out batches, takes traces back, puts them in order."""

    def __init__(self, crew: Crew, jobs: Iterator[Job], *, first: int) -> None:
        self._work = pickle.dumps(executions(crew), pickle.HIGHEST_PROTOCOL)
        self._jobs = jobs
        self._again: list[Job] = []
        """Executions whose process died, to be repeated one by one; a heap."""
        self._next = first
        self._done: dict[int, Trace] = {}
        self._size = BatchSize(seconds=_BATCH_SECONDS, largest=_LARGEST)
        self._workers: list[_Worker] = []
        self._idle: list[_Worker] = []

    def hire(self) -> None:
        """Start a process; the first message it sends says that its system is open."""
        self._workers.append(_Worker(self._work))

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
        """End all processes."""
        dismiss(self._idle, [worker for worker in self._workers if worker not in self._idle])

    def _hand_out(self) -> None:
        while self._idle:
            batch = self._batch()
            if not batch:
                return
            worker = self._idle.pop()
            worker.batch = batch
            worker.ask(pickle.dumps(batch, pickle.HIGHEST_PROTOCOL))

    def _batch(self) -> list[Job]:
        if self._again:
            return [heapq.heappop(self._again)]
        if len(self._done) > _AHEAD * self._size.now:
            return []
        return list(islice(self._jobs, self._size.now))

    def _take(self, worker: _Worker) -> None:
        try:
            answer = opened(worker.answer())
        except (EOFError, OSError):
            self._bury(worker)
            return
        if isinstance(answer, Refused | Broken):
            raise answer.error()
        if isinstance(answer, Done):
            if answer.refused is not None:
                raise answer.refused.error()
            for job, seen in zip(worker.batch, answer.results, strict=True):
                self._done[job[0]] = trace_of(job, seen)
            self._size.learn(len(worker.batch), answer.seconds)
        worker.batch = []
        self._idle.append(worker)

    def _bury(self, worker: _Worker) -> None:
        reason = worker.end()
        self._workers.remove(worker)
        if not worker.batch:
            raise UserError(f"a process for the system {reason} before its first test")
        if len(worker.batch) == 1:
            job = worker.batch[0]
            self._done[job[0]] = died(job, reason)
        else:
            for job in worker.batch:
                heapq.heappush(self._again, job)
        self.hire()
