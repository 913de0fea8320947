"""A process that does batches of some work: this side starts it, asks it, and knows how it ended."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from multiprocessing.connection import Connection

from fullproof.cluster.work import Answer

_GRACE = 2.0


class Child:
    """The process hears the work when it starts; first it says that it has begun, then it answers batches.

    Batches and answers are pickles, so that who only passes them on need not open them.
    """

    def __init__(self, work: bytes) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            command = [sys.executable, "-P", "-m", "fullproof.cluster.child_process", str(number)]
            # A group of its own: Ctrl-C is for us, and we end the others.
            self.process = subprocess.Popen(command, pass_fds=[number], stdin=subprocess.DEVNULL, process_group=0)
        self.connection = Connection(ours.detach())
        self._send(work)

    def ask(self, batch: bytes) -> None:
        """Hand out work; a process that is gone will be noticed when its answer is read."""
        self._send(batch)

    def answer(self) -> bytes:
        """The next answer. Raises EOFError or OSError where the process is gone."""
        return self.connection.recv_bytes()

    def end(self) -> str:
        """Kill the process, and say how it died if it was dead already."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=0.2)
        status = self.process.poll()
        self.connection.close()
        if status is None:
            self.kill()
            return "closed its connection"
        if status < 0:
            with contextlib.suppress(ValueError):
                return f"died: killed by {signal.Signals(-status).name}"
        return f"died: exit status {status}"

    def kill(self) -> None:
        """End the process and those of its group at once."""
        if self.process.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def _send(self, message: bytes) -> None:
        with contextlib.suppress(OSError):
            self.connection.send_bytes(message)


def dismiss(idle: Iterable[Child], busy: Iterable[Child] = ()) -> None:
    """End processes: those that wait for work in good order, the others at once."""
    waiting, working = list(idle), list(busy)
    for child in waiting:
        child.connection.close()
    for child in working:
        child.kill()
    deadline = time.monotonic() + _GRACE
    for child in waiting:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.process.wait(timeout=max(0.0, deadline - time.monotonic()))
        child.kill()


def opened(answer: bytes) -> Answer:
    """An answer as a value."""
    value: Answer = pickle.loads(answer)
    return value
