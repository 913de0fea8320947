"""What long work is doing: one changing line on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str], None]
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Let this function hear what work inside the block is doing."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def report_status(text: Callable[[], str]) -> None:
    """Say what is going on; the text is made only where it is heard."""
    listener = _listener.get()
    if listener is not None:
        listener(text())
