"""Keeps what the system under test prints off standard output, which may carry one JSON object and nothing else."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from types import TracebackType
from typing import Self, TextIO

_lock = threading.Lock()


class _State:
    depth = 0
    stdout: TextIO | None = None
    descriptor: int | None = None


class Shield:
    """While it is up, ``sys.stdout`` and file descriptor 1 both lead to standard error.

    Standard output belongs to the process, so all shields share one state: the first raises it, the last lowers it.
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


def _raise() -> None:
    _State.stdout = sys.stdout
    with contextlib.suppress(OSError, ValueError):
        if sys.stdout is not None:
            sys.stdout.flush()
    sys.stdout = sys.stderr
    _State.descriptor = None
    # Without descriptors 1 and 2 there is nothing to protect.
    with contextlib.suppress(OSError):
        saved = os.dup(1)
        try:
            os.dup2(2, 1)
            _State.descriptor = saved
        except OSError:
            os.close(saved)


def _lower() -> None:
    with contextlib.suppress(OSError, ValueError):
        if sys.stdout is not None:
            sys.stdout.flush()
    if _State.stdout is not None:
        sys.stdout = _State.stdout
    if _State.descriptor is not None:
        os.dup2(_State.descriptor, 1)
        os.close(_State.descriptor)
        _State.descriptor = None
