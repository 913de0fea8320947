"""Critical sections that delay an interruption: a started process must be registered before this process may end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Interrupted(KeyboardInterrupt):
    """An interruption that says what was found so far, and how to go on."""


@contextmanager
def telling(found: Callable[[], str], advice: str) -> Iterator[None]:
    """Say, where this block is interrupted, what it has found so far and how to go on; the innermost block says it."""
    try:
        yield
    except Interrupted:
        raise
    except KeyboardInterrupt:
        raise Interrupted(f"{found()}; {advice}") from None


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
def answering_one() -> Iterator[None]:
    """Forget further interruptions while one is answered in this block, which must end by itself."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _State.depth += 1
    try:
        yield
    finally:
        _State.depth -= 1
        if _State.depth == 0:
            _State.pending = False


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
