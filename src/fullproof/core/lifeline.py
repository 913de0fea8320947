"""Ends the processes that we have started when we are gone, however we went: a kill -9 runs no code of ours.

A pipe, one end of which only this process holds. The kernel closes it when this process ends, and on Linux tells that
to the group of the other process by SIGKILL (``F_SETSIG``), which no code that runs there can hold up: not a call into
C that keeps the interpreter, not a handler. Unlike ``PR_SET_PDEATHSIG`` this does not depend on the thread that
started the process. Elsewhere a process of ours has a thread that waits for the end of the pipe (``hold``).
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
    """The end that is ours. Close it when the other process has ended."""

    def __init__(self) -> None:
        self.theirs, self._ours = os.pipe()
        """``theirs`` is to be handed on to the process that is started."""

    def tie(self, group: int) -> None:
        """Let the processes of this group, which have their end now, die with us."""
        if _SET_SIGNAL is not None:
            with contextlib.suppress(OSError):
                fcntl.fcntl(self.theirs, _SET_SIGNAL, signal.SIGKILL)
                fcntl.fcntl(self.theirs, fcntl.F_SETOWN, -group)
                fcntl.fcntl(self.theirs, fcntl.F_SETFL, fcntl.fcntl(self.theirs, fcntl.F_GETFL) | os.O_ASYNC)
        self._close(self.theirs)

    def cut(self) -> None:
        """Let go of the processes, which are gone, or never came to be; may be called twice."""
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
    """In a process of ours: end with the process that started us, whose end of the pipe this is not."""
    watched = select.poll()
    watched.register(number, 0)  # its end is told in any case
    if watched.poll(0):  # it was faster than we are
        os.killpg(0, signal.SIGKILL)
    if _SET_SIGNAL is None:
        threading.Thread(target=_wait, args=(number,), daemon=True).start()


def _wait(number: int) -> None:
    with contextlib.suppress(OSError):
        os.read(number, 1)
    os.killpg(0, signal.SIGKILL)
