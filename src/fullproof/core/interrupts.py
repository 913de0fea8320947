"""Critical sections that delay an interruption: a started process must be registered before this process may end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _State:
    depth = 0
    pending = False


def interrupt() -> None:
    """Raise KeyboardInterrupt, now or at the end of the critical section. For signal handlers."""
    if _State.depth:
        _State.pending = True
        return
    raise KeyboardInterrupt


def postpone() -> None:
    """Record an interruption that cannot be raised here: it is raised after the next critical section, or at exit."""
    _State.pending = True


def is_pending() -> bool:
    """Whether an interruption has come that has not been raised."""
    return _State.pending


@contextmanager
def holding_on() -> Iterator[None]:
    """Delay interruptions until the end of this block, which must be short. They reach the main thread only."""
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
