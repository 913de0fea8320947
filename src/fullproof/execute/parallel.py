"""Several instances of the system at the same time, each in a process of its own, their traces in the order of the run.

The record of a process that ends or hangs shows what it had done of its batch, and its current execution is an error of
the system; only where the process may have been killed from outside is that execution repeated once, by itself. Choices
of a playing model depend on the number of an execution (``Sut``), so that the traces are the same whatever the number
of processes. One process is enough to isolate the system from the main process: that is ``--isolate``.
"""

from __future__ import annotations

import dataclasses
import heapq
import pickle
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from multiprocessing.connection import wait

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.suite import Test
from fullproof.cluster.child import TICK, Child, dismiss, opened
from fullproof.cluster.work import BatchSize, BrokenBatch, DoneBatch, Packed, RefusedBatch, packed
from fullproof.core.errors import UserError
from fullproof.execute.crew import Crew, died, executions, salvaged, trace_of
from fullproof.execute.runner import Job, numbered
from fullproof.execute.sweep import Expected
from fullproof.execute.worker import worker_number

_BATCH_SECONDS = 0.1
_LARGEST = 2_000
_AHEAD = 64
"""Batches that may wait for an earlier one: more would cost memory without end."""


def execute_in_parallel(
    crew: Crew, tests: Iterable[Test], *, jobs: int, after: int = 0, more: Callable[[Test], bool] | None = None
) -> Generator[Execution | Expected, None, None]:
    """Run each test ``repeat`` times on ``jobs`` instances of the system; see ``runner.execute``.

    ``more`` is that of ``runner.Options``. Needs, with ``more``: one job.
    """
    options = dataclasses.replace(crew.options, more=more)
    run = _Run(crew, numbered(tests, options, after=after), one_by_one=more is not None)
    try:
        first = (worker_number() or 0) * jobs
        for number in range(first, first + jobs):
            run.hire(number)
        yield from run.traces()
    finally:
        run.dismiss()


class _Worker(Child):
    """A process and what it is doing."""

    def __init__(self, work: Packed, number: int) -> None:
        super().__init__(work)
        self.number = number
        self.batch: list[Job] = []
        self.alone = False
        """Whether it repeats an execution whose process was killed."""


class _Run:
    """Distributes batches, collects traces, and orders them."""

    def __init__(self, crew: Crew, jobs: Iterator[Job], *, one_by_one: bool) -> None:
        """``one_by_one`` hands an execution out only when the one before it has been judged."""
        self._crew = crew
        self._jobs = jobs
        self._again: list[Job] = []
        """Executions whose process was killed, to be repeated one by one; a heap."""
        self._left: list[list[Job]] = []
        """Executions that such processes had not started."""
        self._order: deque[int] = deque()
        """The numbers of the executions that have been handed out, in order."""
        self._done: dict[int, Execution | Expected] = {}
        self._one_by_one = one_by_one
        self._size = BatchSize(seconds=_BATCH_SECONDS, largest=1 if one_by_one else _LARGEST)
        self._workers: list[_Worker] = []
        self._idle: list[_Worker] = []

    def hire(self, number: int) -> None:
        """Start a process; the first message it sends says that its system is open."""
        work = packed(executions(dataclasses.replace(self._crew, worker=number)))
        self._workers.append(_Worker(work, number))

    def traces(self) -> Iterator[Execution | Expected]:
        """All traces in order."""
        while True:
            if not self._one_by_one:
                self._hand_out()
            while self._order and (seen := self._done.pop(self._order[0], None)) is not None:
                for _ in range(seen.tests if isinstance(seen, Expected) else 1):
                    self._order.popleft()
                yield seen
            self._hand_out()
            busy = {worker.connection: worker for worker in self._workers if worker not in self._idle}
            if not busy:
                return
            begin = time.monotonic()
            heard = wait(list(busy), TICK)
            seconds = min(TICK, time.monotonic() - begin)
            for connection, worker in busy.items():
                if connection in heard:
                    self._take(worker)
                elif worker.hangs(seconds):
                    self._on_worker_death(worker, hung=True)

    def dismiss(self) -> None:
        """End all processes."""
        dismiss(self._idle, [worker for worker in self._workers if worker not in self._idle])

    def _hand_out(self) -> None:
        while self._idle:
            alone = bool(self._again)
            batch = self._batch()
            if not batch:
                return
            worker = self._idle.pop()
            worker.batch, worker.alone = batch, alone
            worker.ask(pickle.dumps(batch, pickle.HIGHEST_PROTOCOL))

    def _batch(self) -> list[Job]:
        if self._again:
            return [heapq.heappop(self._again)]
        if self._left:
            return self._left.pop()
        if len(self._done) > _AHEAD * self._size.now:
            return []
        batch = list(islice(self._jobs, self._size.now))
        self._order.extend(number for number, _, _ in batch)
        return batch

    def _take(self, worker: _Worker) -> None:
        try:
            answer = opened(worker.answer())
        except (EOFError, OSError):
            self._on_worker_death(worker)
            return
        if isinstance(answer, RefusedBatch | BrokenBatch):
            raise answer.error()
        if isinstance(answer, DoneBatch):
            if answer.refused is not None:
                raise answer.refused.error()
            place = 0
            for seen in answer.results:
                job = worker.batch[place]
                self._done[job[0]] = trace_of(job, seen)
                place += seen.tests if isinstance(seen, Expected) else 1
            self._size.learn(len(worker.batch), answer.seconds)
        worker.batch = []
        self._idle.append(worker)

    def _on_worker_death(self, worker: _Worker, *, hung: bool = False) -> None:
        ending = worker.end(hung=hung)
        self._workers.remove(worker)
        if not worker.batch:
            raise UserError(f"a process for the system: {ending.death}, before its first test")
        known, guilty, death = salvaged(self._crew, worker.batch, ending)
        for job, seen in known:
            self._done[job[0]] = trace_of(job, seen)
        if guilty is not None:
            if death.certain or worker.alone:
                self._done[guilty[0]] = died(guilty, death)
            else:
                heapq.heappush(self._again, guilty)
            if rest := worker.batch[worker.batch.index(guilty) + 1 :]:
                self._left.append(rest)
        self.hire(worker.number)
