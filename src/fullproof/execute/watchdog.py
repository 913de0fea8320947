"""Ends a call into the system under test that makes no progress, at no cost per step.

A timer periodically checks how many outputs have arrived. Where that number stands still for the limit, the call is
interrupted by a ``Hang``: in the main thread by SIGALRM, which also ends sleeps and waits; in other threads, or where
there is no SIGALRM, by an asynchronous exception, which ends only code that executes bytecode. Neither ends a call
into C that never looks at signals: such a system belongs behind ``exec:``.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Sized
from types import FrameType, TracebackType
from typing import Self

_LONGEST_TICK = 0.5


class Hang(BaseException):
    """No answer within the limit. No Exception, so that an ``except Exception`` of the system cannot swallow it."""


class Watchdog:
    """Watches a growing list between ``watch`` and ``rest``. A limit of None watches nothing."""

    def __init__(self, limit: float | None) -> None:
        self.limit = limit
        self._watched: Sized | None = None
        self._seen: Sized | None = None
        self._length = 0
        self._since = 0.0
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._previous: object = None
        self._armed = False

    def watch(self, progress: Sized) -> None:
        """From now on ``progress``, an object not watched before, must grow at least once per limit."""
        self._watched = progress

    def rest(self) -> None:
        """Pause: no call is in progress."""
        self._watched = None
        if self._thread is not None:
            # An interruption that is under way arrives before the lock is free, so it is caught by the caller.
            with self._lock:
                pass

    def __enter__(self) -> Self:
        if self.limit is None:
            return self
        tick = min(self.limit / 4, _LONGEST_TICK)
        if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
            self._previous = signal.signal(signal.SIGALRM, self._on_alarm)
            signal.setitimer(signal.ITIMER_REAL, tick, tick)
            self._armed = True
        else:
            target = threading.get_ident()
            self._thread = threading.Thread(target=self._guard, args=(target, tick), daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._watched = None
        if self._armed and threading.current_thread() is threading.main_thread():
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._previous)  # type: ignore[arg-type]  # what signal.signal gave us
            self._armed = False
        if self._thread is not None:
            self._ended.set()
            self._thread.join()
            self._thread = None

    def _stands_still(self) -> bool:
        watched = self._watched
        if watched is None or self.limit is None:
            return False
        now = time.monotonic()
        if watched is not self._seen or len(watched) != self._length:
            self._seen, self._length, self._since = watched, len(watched), now
            return False
        if now - self._since < self.limit:
            return False
        self._since = now  # code that swallows the interruption is interrupted again after another limit
        return True

    def _on_alarm(self, _signum: int, _frame: FrameType | None) -> None:
        if self._stands_still():
            raise Hang

    def _guard(self, thread: int, tick: float) -> None:
        import ctypes

        while not self._ended.wait(tick):
            with self._lock:
                if self._stands_still():
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Hang))
