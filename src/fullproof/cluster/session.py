"""What happens in a worker of the cluster: batches go to processes of their own, which outlive the batch.

So a system that crashes, a solver that never looks up and a checker that holds the interpreter for minutes harm neither
the worker nor its heartbeat, threads of a worker do not share a solver, and everything can be ended at any moment.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.cluster.child import Child, dismiss, opened
from fullproof.cluster.work import Broken, Done, Ready, Refused

_PATIENCE = 60.0
"""Seconds after which a session that nobody uses is over: whoever began it may have been killed."""


@dataclass(frozen=True, slots=True)
class Lost:
    """One item ended its process, and the next one that tried it: how."""

    reason: str


Reply: TypeAlias = Refused | Done | Broken | Lost

MISSING = b"missing"
"""Instead of replies, with the worker's address: it does not know the work yet."""


class _Died(Exception):
    """A process ended in mid-batch."""


class _Session:
    """The processes of one worker for one piece of work."""

    def __init__(self, work: bytes) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._idle: list[Child] = []
        self._busy: set[Child] = set()
        self._used = time.monotonic()
        self.ended = threading.Event()

    def perform(self, batch: bytes) -> list[bytes]:
        """The replies to a batch: one, or one for each item where a process died on the way."""
        try:
            return [self._tried(batch)]
        except _Died:
            return [self._alone(pickle.dumps([item])) for item in pickle.loads(batch)]

    def end(self) -> None:
        """End all processes."""
        self.ended.set()
        with self._lock:
            idle, busy = self._idle, list(self._busy)
            self._idle = []
        dismiss(idle, busy)

    def is_forgotten(self) -> bool:
        """Whether nobody has used it for long."""
        with self._lock:
            return not self._busy and time.monotonic() - self._used > _PATIENCE

    def _alone(self, batch: bytes) -> bytes:
        try:
            return self._tried(batch)
        except _Died as death:
            return pickle.dumps(Lost(str(death)))

    def _tried(self, batch: bytes) -> bytes:
        child = self._take()
        try:
            if child is None:
                child = self._started()
                first = child.answer()
                if not isinstance(opened(first), Ready):
                    self._let_go(child)
                    return first
            child.ask(batch)
            answer = child.answer()
        except (EOFError, OSError):
            if child is None:
                raise
            reason = child.end()
            self._let_go(child)
            raise _Died(reason) from None
        with self._lock:
            self._busy.discard(child)
            self._used = time.monotonic()
            if not self.ended.is_set():
                self._idle.append(child)
                return answer
        dismiss([child])
        return answer

    def _take(self) -> Child | None:
        with self._lock:
            self._used = time.monotonic()
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
        if self.ended.is_set():  # in the meantime: ``end`` may have missed this one
            child.kill()
        return child

    def _let_go(self, child: Child) -> None:
        with self._lock:
            self._busy.discard(child)
        dismiss([child])


_lock = threading.Lock()
_sessions: dict[str, _Session] = {}
_ended: deque[str] = deque(maxlen=1_000)
"""Sessions that are over: a batch of theirs that was on its way must not begin them again."""


def perform(name: str, version: str, work: bytes | None, batch: bytes) -> list[bytes]:
    """Do a batch; ``work`` may be left out where this worker has seen the session before."""
    import fullproof

    if version != fullproof.__version__:
        raise RuntimeError(f"this worker has fullproof {fullproof.__version__}, the command is {version}")
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


def _session(name: str, work: bytes | None) -> _Session | None:
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
