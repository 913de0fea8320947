"""The cluster worker's side: batches go to separate processes, which outlive the batch.

So a system that crashes, a solver that ignores signals and a checker that holds the interpreter for minutes affect
neither the worker nor its heartbeat, threads of a worker do not share a solver, and everything can be ended at any
moment.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.cluster.child import Child, Ending, dismiss, opened
from fullproof.cluster.work import BrokenBatch, Death, DoneBatch, Packed, Ready, RefusedBatch
from fullproof.core.errors import Place
from fullproof.core.version import __version__

_PATIENCE = 60.0
"""Seconds after which an unused session ends: the command that started it may have been killed."""


@dataclass(frozen=True, slots=True)
class Lost:
    """One item ended its process and, where the cause may have been external, also the next process that tried it; how
    it ended.
    """

    reason: Death


Reply: TypeAlias = RefusedBatch | DoneBatch | BrokenBatch | Lost

MISSING = b"missing"
"""Sent instead of replies, with the worker's address: the worker does not have the work yet."""


class _Died(Exception):
    """A process ended in mid-batch."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(str(ending.death))
        self.ending = ending


class _Session:
    """The processes of one worker for one piece of work."""

    def __init__(self, work: Packed) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._idle: list[Child] = []
        self._busy: set[Child] = set()
        self._asked = 0
        """Batches in progress, including those whose process is not started yet."""
        self._used = time.monotonic()
        self.ended = threading.Event()

    def perform(self, batch: bytes) -> list[bytes]:
        """The replies to a batch: one, or several for its parts where a process died on the way."""
        with self._lock:
            self._asked += 1
        try:
            return self._performed(batch)
        finally:
            with self._lock:
                self._asked -= 1
                self._used = time.monotonic()

    def _performed(self, batch: bytes) -> list[bytes]:
        try:
            return [self._tried(batch)]
        except _Died as died:
            items, ending = pickle.loads(batch), died.ending
        if not self._work.recorded:
            return [self._alone(item) for item in items]
        done = len(ending.results)
        replies = [pickle.dumps(DoneBatch(ending.results, 0.0))] if done else []
        if done < len(items):
            lost = pickle.dumps(Lost(ending.death))
            replies.append(lost if ending.death.certain else self._alone(items[done]))
        if rest := items[done + 1 :]:
            replies += self._performed(pickle.dumps(rest))
        return replies

    def end(self) -> None:
        """End all processes."""
        self.ended.set()
        with self._lock:
            idle, busy = self._idle, list(self._busy)
            self._idle = []
        dismiss(idle, busy)

    def is_forgotten(self) -> bool:
        """Whether it was unused for long."""
        with self._lock:
            return not self._asked and time.monotonic() - self._used > _PATIENCE

    def _alone(self, item: object) -> bytes:
        try:
            return self._tried(pickle.dumps([item]))
        except _Died as died:
            return pickle.dumps(Lost(died.ending.death))

    def _tried(self, batch: bytes) -> bytes:
        child = self._take()
        begun = child is not None
        hung = False
        try:
            if child is None:
                child = self._started()
                first = child.answer()
                if not isinstance(opened(first), Ready):
                    self._let_go(child)
                    return first
                begun = True
            child.ask(batch)
            answer = child.answer()
        except (EOFError, OSError) as error:
            if child is None:
                raise
            hung = isinstance(error, TimeoutError)
            ending = child.end(hung=hung)
            self._let_go(child)
            if hung and not begun:
                return pickle.dumps(
                    RefusedBatch(f"a process for the system: {ending.death} before its first test", Place())
                )
            raise _Died(ending) from None
        with self._lock:
            self._busy.discard(child)
            if not self.ended.is_set():
                self._idle.append(child)
                return answer
        dismiss([child])
        return answer

    def _take(self) -> Child | None:
        with self._lock:
            child = self._idle.pop() if self._idle else None
            if child is not None:
                self._busy.add(child)
            return child

    def _started(self) -> Child:
        if self.ended.is_set():
            raise OSError("the session is over")
        child = Child(self._work)
        with self._lock:
            self._busy.add(child)
        if self.ended.is_set():  # ``end`` may have missed this process in the meantime
            child.kill()
        return child

    def _let_go(self, child: Child) -> None:
        with self._lock:
            self._busy.discard(child)
        dismiss([child])


_lock = threading.Lock()
_sessions: dict[str, _Session] = {}
_ended: deque[str] = deque(maxlen=1_000)
"""Ended sessions: a late batch must not start them again."""


def perform(name: str, version: str, work: Packed | None, batch: bytes) -> list[bytes]:
    """Do a batch; ``work`` may be left out where this worker has seen the session before."""
    if version != __version__:
        raise RuntimeError(f"this worker has fullproof {__version__}, the command is {version}")
    session = _session(name, work)
    if session is None:
        from distributed import get_worker

        return [MISSING, get_worker().address.encode()]
    return session.perform(batch)


def end_session(name: str) -> None:
    """End the processes of a session, also those that are in mid-batch."""
    with _lock:
        session = _sessions.pop(name, None)
        _ended.append(name)
    if session is not None:
        session.end()


def _session(name: str, work: Packed | None) -> _Session | None:
    with _lock:
        session = _sessions.get(name)
        if session is None and name in _ended:
            raise OSError("the session is over")
        if session is None and work is not None:
            session = _sessions[name] = _Session(work)
            threading.Thread(target=_guard, args=(name, session), daemon=True).start()
        return session


def _guard(name: str, session: _Session) -> None:
    while not session.ended.wait(_PATIENCE / 10):
        if session.is_forgotten():
            end_session(name)
