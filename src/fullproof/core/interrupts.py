"""Moments in which an interruption has to wait: a process that has been started must be known before we may end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _State:
    depth = 0
    pending = False


def interrupt() -> None:
    """Raise KeyboardInterrupt, now or when the moment is over. For handlers of signals."""
    if _State.depth:
        _State.pending = True
        return
    raise KeyboardInterrupt


def postpone() -> None:
    """An interruption came where nothing can be raised: it counts at the next moment that is over, or at the end."""
    _State.pending = True


def is_pending() -> bool:
    """Whether an interruption has come that has not been raised."""
    return _State.pending


@contextmanager
def holding_on() -> Iterator[None]:
    """Let interruptions wait until the end of this block, which must be short. They reach the main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _State.depth += 1
    try:
        yield
    finally:
        _State.depth -= 1
        if _State.depth == 0 and _State.pending:
            _State.pending = False
            raise KeyboardInterrupt
