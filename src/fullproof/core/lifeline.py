"""Ends the processes that this process has started when it ends for any reason: a kill -9 runs no clean-up code.

Only this process holds one end of a pipe. The kernel closes it when this process ends, and on Linux then sends SIGKILL
(``F_SETSIG``) to the group of the other process. No code that runs there can delay the signal: neither a call into C
that keeps the interpreter nor a handler. Unlike ``PR_SET_PDEATHSIG`` this does not depend on the thread that started
the process. On other systems the child process has a thread that waits for the end of the pipe (``hold``).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import threading

_SET_SIGNAL: int | None = getattr(fcntl, "F_SETSIG", None)


class Lifeline:
    """The parent's end of the pipe. Close it when the other process has ended."""

    def __init__(self) -> None:
        self.theirs, self._ours = os.pipe()
        """``theirs`` is the end that the started process inherits."""

    def tie(self, group: int) -> None:
        """Make the processes of this group, which hold their end now, end together with this process."""
        if _SET_SIGNAL is not None:
            with contextlib.suppress(OSError):
                fcntl.fcntl(self.theirs, _SET_SIGNAL, signal.SIGKILL)
                fcntl.fcntl(self.theirs, fcntl.F_SETOWN, -group)
                fcntl.fcntl(self.theirs, fcntl.F_SETFL, fcntl.fcntl(self.theirs, fcntl.F_GETFL) | os.O_ASYNC)
        self._close(self.theirs)

    def cut(self) -> None:
        """Release the processes, which have ended or were never started; may be called twice."""
        self._close(self.theirs)
        self._close(self._ours)
        self.theirs = self._ours = -1

    def _close(self, number: int) -> None:
        if number >= 0:
            with contextlib.suppress(OSError):
                os.close(number)
        if number == self.theirs:
            self.theirs = -1


def hold(number: int) -> None:
    """In a child process: end together with the parent; ``number`` is the child's end of the pipe."""
    watched = select.poll()
    watched.register(number, 0)  # the end of the pipe is reported in any case
    if watched.poll(0):  # the parent has already ended
        os.killpg(0, signal.SIGKILL)
    if _SET_SIGNAL is None:
        threading.Thread(target=_wait, args=(number,), daemon=True).start()


def _wait(number: int) -> None:
    with contextlib.suppress(OSError):
        os.read(number, 1)
    os.killpg(0, signal.SIGKILL)
