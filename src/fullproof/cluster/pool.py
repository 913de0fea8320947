"""Runs batches of some work on a Dask cluster and gives the results in the order of the items.

A batch whose worker fails runs again on another one (by Dask); a batch on which several workers fail in a row is split,
so that one item cannot affect others. No item is left out and none has two results; the work for an item may have been
begun more than once. Memory is bounded: only a limited number of batches is ahead of the first unfinished one.
"""

from __future__ import annotations

import pickle
import time
import uuid
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Generic

from fullproof.cluster.session import MISSING, Lost, Reply, end_session, perform
from fullproof.cluster.work import (
    BatchSize,
    BrokenBatch,
    Common,
    Death,
    DoneBatch,
    Item,
    RefusedBatch,
    Result,
    Work,
    packed,
)
from fullproof.core.errors import Bug, UserError
from fullproof.core.version import __version__

_BATCH_SECONDS = 0.4
"""The target duration of a batch in seconds; Dask's overhead of a few milliseconds is about a hundredth of it."""
_LARGEST = 20_000
_QUEUED = 2
"""Batches per thread of the workers that are under way: one is worked on while the next one travels."""
_AHEAD = 16
"""Batches per thread that may wait for an earlier one: more would cost memory without end."""
_TICK = 1.0
_GRACE = 5.0
_PATIENCE = 60.0
"""Seconds without any worker after which none is expected to come back."""


class ClusterPool:
    """A running cluster, valid within the context that opened it."""

    def __init__(self, client: Any, name: str) -> None:
        self._client = client
        self.name = name

    @property
    def threads(self) -> int:
        """How many threads its workers have now."""
        threads: int = sum(self._client.nthreads().values())
        return max(1, threads)

    def map(
        self, work: Work[Common, Item, Result], items: Iterable[Item], *, largest: int = _LARGEST
    ) -> Generator[Result, None, None]:
        """The result of each item, in order, as they come; at most ``largest`` items make up a batch.

        A UserError of the work is raised where the result of the item would be. Close the generator to end early:
        the processes of this work are ended with it.
        """
        run = _Map(self._client, self.name, work, largest=largest)
        try:
            yield from run.results(iter(items))
        finally:
            run.end()


class _Batch(Generic[Item]):
    """Some items, the future of their batch, and in the end the replies."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        self.alone = False
        """Whether no other batch of ours is under way."""
        self.future: Any = None
        self.replies: list[Reply] | None = None


class _Map(Generic[Common, Item, Result]):
    """One piece of work on the cluster."""

    def __init__(self, client: Any, name: str, work: Work[Common, Item, Result], *, largest: int) -> None:
        self._client = client
        self._name = name
        self._work = work
        self._payload = packed(work)
        self._session = uuid.uuid4().hex
        self._size = BatchSize(seconds=_BATCH_SECONDS, largest=largest)
        self._open: deque[_Batch[Item]] = deque()
        """Batches in order, from the first whose results were not yielded yet."""
        self._suspects: deque[_Batch[Item]] = deque()
        """Single items of batches on which workers failed."""
        self._under_way = 0
        self._finished: SimpleQueue[tuple[_Batch[Item], Any]] = SimpleQueue()
        self._threads = 1
        self._looked = self._seen = time.monotonic()
        self._look()

    def results(self, items: Iterator[Item]) -> Iterator[Result]:
        """All results in order."""
        while True:
            self._hand_out(items)
            while self._open and self._open[0].replies is not None:
                yield from self._settled(self._open.popleft())
                self._hand_out(items)
            if not self._open:
                return
            self._wait()

    def end(self) -> None:
        """Drop what is under way and end the processes of this work."""
        futures = [batch.future for batch in self._open if batch.replies is None and batch.future is not None]
        self._open.clear()
        if self._client.status != "running":
            return  # no worker is connected
        # A worker that has just failed may block the others; they end the processes by themselves after a while.
        telling = Thread(target=self._tell, args=(futures,), daemon=True)
        telling.start()
        telling.join(_GRACE)

    def _tell(self, futures: list[Any]) -> None:
        with suppress(Exception):  # the cluster may have ended
            if futures:
                self._client.cancel(futures, force=True)
            self._client.run(end_session, self._session, on_error="ignore")

    def _hand_out(self, items: Iterator[Item]) -> None:
        if self._suspects:
            # Dask attributes the failure of a worker to all tasks that it held: only a task that was alone is certainly
            # the cause.
            if self._under_way == 0:
                suspect = self._suspects.popleft()
                suspect.alone = True
                self._submit(suspect)
            return
        while self._under_way < _QUEUED * self._threads and len(self._open) < _AHEAD * self._threads:
            batch = _Batch(list(islice(items, self._size.now)))
            if not batch.items:
                return
            self._open.append(batch)
            self._submit(batch)

    def _submit(self, batch: _Batch[Item], *, to: str | None = None) -> None:
        """Submit a batch, with the work itself for a worker that has requested it."""
        payload = None if to is None else self._payload
        items = pickle.dumps(batch.items, pickle.HIGHEST_PROTOCOL)
        where = {} if to is None else {"workers": [to], "allow_other_workers": True}
        future = self._client.submit(
            perform,
            self._session,
            __version__,
            payload,
            items,
            key=f"fullproof-{uuid.uuid4().hex}",
            pure=False,
            **where,
        )
        batch.future = future
        self._under_way += 1
        future.add_done_callback(lambda done: self._finished.put((batch, done)))

    def _wait(self) -> None:
        try:
            batch, future = self._finished.get(timeout=_TICK)
        except Empty:
            self._look()
            return
        if time.monotonic() - self._looked > 2 * _TICK:
            self._look()
        if future is not batch.future:
            return
        self._under_way -= 1
        self._take(batch)

    def _take(self, batch: _Batch[Item]) -> None:
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        try:
            replies = self._result(batch.future)
        except KilledWorker as death:
            self._take_apart(batch, f"died: {death.allowed_failures + 1} workers of the cluster, one after the other")
            return
        except FutureCancelledError:
            raise self._lost() from None
        except ImportError as error:
            raise UserError(f"--cluster {self._name}: a worker cannot load fullproof: {error}") from None
        except RuntimeError as error:
            raise UserError(f"--cluster {self._name}: {error}") from None
        if replies[0] == MISSING:
            self._submit(batch, to=replies[1].decode())
            return
        batch.replies = [pickle.loads(reply) for reply in replies]
        batch.future = None
        for reply in batch.replies:
            if isinstance(reply, DoneBatch):
                self._size.learn(len(reply.results), reply.seconds)

    def _result(self, future: Any) -> list[bytes]:
        """The result of a future; where its worker failed after the work, Dask repeats the work."""
        while True:
            try:
                replies: list[bytes] = future.result(timeout=_TICK)
            except TimeoutError:
                self._look()
            else:
                return replies

    def _take_apart(self, batch: _Batch[Item], reason: str) -> None:
        """Replace the batch by single items; an item that was alone is lost."""
        batch.future = None
        if batch.alone:
            batch.replies = [Lost(Death(reason))]
            return
        parts = [_Batch([item]) for item in batch.items]
        place = self._open.index(batch)
        del self._open[place]
        for k, part in enumerate(parts):
            self._open.insert(place + k, part)
        self._suspects.extend(parts)

    def _settled(self, batch: _Batch[Item]) -> Iterator[Result]:
        assert batch.replies is not None
        place = 0
        for reply in batch.replies:
            match reply:
                case DoneBatch(results, _, refused):
                    yield from results
                    place += len(results)
                    if refused is not None:
                        raise refused.error()
                case Lost(reason):
                    yield self._work.lost(batch.items[place], reason)
                    place += 1
                case RefusedBatch() | BrokenBatch():
                    raise reply.error()
        if place != len(batch.items):
            raise Bug(f"{len(batch.items)} items came back as {place} results")

    def _look(self) -> None:
        """Check whether the cluster still runs, and update the number of threads of its workers."""
        self._looked = time.monotonic()
        if self._client.status != "running":
            raise self._lost()
        try:
            threads = sum(self._client.nthreads().values())
        except (OSError, TimeoutError):
            raise self._lost() from None
        if threads:
            self._threads, self._seen = threads, self._looked
        elif self._looked - self._seen > _PATIENCE:
            raise UserError(f"--cluster {self._name}: all workers are gone, and none came back in {_PATIENCE:g} s")

    def _lost(self) -> UserError:
        return UserError(f"--cluster {self._name}: the connection to the scheduler was lost")
