"""Keeps what the system under test prints off standard output, which may carry one JSON object and nothing else."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import NoReturn, Self, TextIO

_lock = threading.Lock()
_exit = os._exit


class _State:
    depth = 0
    streams: tuple[TextIO, TextIO] = (sys.stdout, sys.stderr)
    copies: tuple[TextIO, ...] = ()
    descriptors: tuple[tuple[int, int], ...] = ()
    """Each number with a copy of what stood behind it."""
    stays = False
    process = 0


class Shield:
    """While it is active, ``sys.stdout`` and file descriptor 1 both lead to standard error, and code cannot end the
    process.

    ``os._exit`` would end a run with any exit code of the system, which may look like a pass; it raises SystemExit
    instead, except in processes that the system has forked. A system may close the streams and descriptors that it
    finds, or put others in their place: ours come back. They belong to the process, so all shields share one state:
    the first activates it, the last deactivates it.
    """

    def __enter__(self) -> Self:
        with _lock:
            _State.depth += 1
            if _State.depth == 1:
                _raise()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with _lock:
            _State.depth -= 1
            if _State.depth == 0:
                _lower()


def stay() -> None:
    """Never give standard output back: threads of a system may print long after the last shield was deactivated.

    For a process that answers inside its last shield, and then ends.
    """
    _State.stays = True


@contextmanager
def outside() -> Iterator[TextIO]:
    """The standard output that a shield keeps free."""
    stream = _State.streams[0] if _State.depth else sys.stdout
    saved = dict(_State.descriptors).get(1) if _State.depth and _number(stream) == 1 else None
    if saved is None:
        yield stream
        return
    own = open(os.dup(saved), "w", encoding=stream.encoding, errors=stream.errors)  # noqa: SIM115, PTH123
    try:
        yield own
    finally:
        with contextlib.suppress(OSError):  # callers have flushed
            own.close()


def _raise() -> None:
    _State.streams = (sys.stdout, sys.stderr)
    for stream in _State.streams:
        _flush(stream)
    _State.descriptors = tuple(_copied(1) + _copied(2))
    # Without descriptors 1 and 2 there is nothing to protect.
    with contextlib.suppress(OSError):
        os.dup2(2, 1)
    _State.copies = (_copy(sys.stderr), _copy(sys.stderr))
    sys.stdout, sys.stderr = _State.copies
    _State.process = os.getpid()
    os._exit = _end


def _end(status: int) -> NoReturn:
    if os.getpid() == _State.process:
        raise SystemExit(status)
    _exit(status)


def _lower() -> None:
    os._exit = _exit
    for copy in _State.copies:
        _flush(copy)
        if copy not in _State.streams:
            with contextlib.suppress(OSError, ValueError):
                copy.close()
    stdout, sys.stderr = _State.streams
    sys.stdout = sys.stderr if _State.stays else stdout
    for number, saved in reversed(_State.descriptors):
        os.dup2(2 if _State.stays and number == 1 else saved, number)
        os.close(saved)
    _State.descriptors = ()


def _copied(number: int) -> list[tuple[int, int]]:
    with contextlib.suppress(OSError):
        return [(number, os.dup(number))]
    return []


def _copy(stream: TextIO) -> TextIO:
    """Another object for the same file; a stream in memory stands for itself."""
    number = _number(stream)
    if number is None:
        return stream
    with contextlib.suppress(OSError):
        return open(os.dup(number), "w", buffering=1, encoding=stream.encoding, errors="backslashreplace")  # noqa: PTH123
    return stream


def _number(stream: TextIO) -> int | None:
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return stream.fileno()
    return None


def _flush(stream: TextIO | None) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):
        if stream is not None:
            stream.flush()
