"""The parent's side of a child process that does batches of some work: it starts the process, sends batches, and
detects its end.
"""

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
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from fullproof.cluster.record import Record
from fullproof.cluster.work import Answer, Death, Packed
from fullproof.core.interrupts import holding_on
from fullproof.core.lifeline import Lifeline

TICK = 0.25
"""Seconds between two checks for signs of life."""
_GRACE = 2.0
_SAYING = 1.0
"""Seconds that a hanging process has to report its stack."""
_SAID = 0.1
"""Seconds without further text after which the report is regarded as complete."""
_DYING = 2.0
"""Seconds to wait between the end of a process's connection and its exit, which are not simultaneous on a busy
machine."""
_BY_ANYBODY = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""Signals that usually come from outside: from a user, or from the kernel when memory runs out."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The remains of a batch whose process ended, or was ended because it hung."""

    results: list[Any]
    """The results of the items that were done."""
    death: Death
    """The notes on the item after them, where the work is recorded."""
    counts: tuple[int, int, int] = (0, 0, 0)
    """The counters of the record."""


class Child:
    """The process receives the work when it starts; first it reports that it is ready, then it answers batches.

    Batches and answers are pickles, so that code that only forwards them need not unpickle them. It ends with this
    process.
    """

    def __init__(self, packed: Packed) -> None:
        self.record = Record() if packed.recorded else None
        self._vigil = packed.vigil
        self._begun, self._more = False, 0.0
        self._sign, self._still = b"", 0.0
        self._lifeline = Lifeline()
        ours, theirs = socket.socketpair()
        with theirs:
            handed = [theirs.fileno(), self._lifeline.theirs]
            if self.record is not None:
                handed += [self.record.notes, self.record.words]
            command = [sys.executable, "-P", "-m", "fullproof.cluster.child_process", *map(str, handed)]
            try:
                with holding_on():
                    # A group of its own: Ctrl-C reaches only the parent, which ends the others.
                    self.process = subprocess.Popen(command, pass_fds=handed, stdin=subprocess.DEVNULL, process_group=0)
                    self._lifeline.tie(self.process.pid)
            except OSError:
                ours.close()
                self._let_go()
                raise
        self.connection = Connection(ours.detach())
        self._send(packed.work)

    def ask(self, batch: bytes, *, more: float = 0.0) -> None:
        """Send a batch; a process that has ended is detected when its answer is read.

        ``more`` are additional seconds without a sign of life that this batch may take.
        """
        self._begun, self._more = True, more
        self._sign, self._still = b"", 0.0
        self._send(batch)

    def answer(self) -> bytes:
        """The next answer. Raises EOFError or OSError where the process has ended, TimeoutError where it hangs."""
        while not self.connection.poll(TICK):
            if self.hangs(TICK):
                raise TimeoutError
        return self.connection.recv_bytes()

    def hangs(self, seconds: float) -> bool:
        """Whether the process has shown no sign of life for too long; ``seconds`` have passed since the last call.

        Time in which this process did not wait does not count: both may have been stopped together.
        """
        if self._vigil is None or self.record is None:
            return False
        sign = self.record.sign()
        if sign != self._sign:
            self._sign, self._still = sign, 0.0
            return False
        self._still += seconds
        return self._still > self._more + (self._vigil.patience if self._begun else self._vigil.opening)

    def end(self, *, hung: bool = False) -> Ending:
        """Kill the process; return how it had ended if it had ended before, and what it had done of its batch."""
        evidence = ""
        if hung and self._vigil is not None:
            evidence = self._whereabouts()
            reason, certain = f"no answer within {self._vigil.limit:g} s", True
        else:
            reason, certain = self._exit_error()
        results, notes = self.record.read() if self.record is not None else ([], [])
        counts = self.record.counts() if self.record is not None else (0, 0, 0)
        self.connection.close()
        self.kill()
        return Ending(results, Death(reason, evidence=evidence, notes=notes, certain=certain), counts)

    def kill(self) -> None:
        """End the process and those of its group at once."""
        # Until it is waited for, its process number cannot be reused.
        if self.process.returncode is None:
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self._let_go()

    def _let_go(self) -> None:
        self._lifeline.cut()
        if self.record is not None:
            self.record.close()
            self.record = None

    def _exit_error(self) -> tuple[str, bool]:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=_DYING)
        status = self.process.poll()
        if status is None:
            return "closed its connection", True
        if status < 0:
            with contextlib.suppress(ValueError):
                return f"died: killed by {signal.Signals(-status).name}", -status not in _BY_ANYBODY
        return f"died: exit status {status}", True

    def _whereabouts(self) -> str:
        """The stack of the process, which it can report even in a call into C (``faulthandler``)."""
        with contextlib.suppress(OSError):
            os.kill(self.process.pid, signal.SIGQUIT)
        end, text = time.monotonic() + _SAYING, ""
        while self.record is not None and time.monotonic() < end:
            time.sleep(_SAID)
            before, text = text, self.record.text()
            if text and text == before:  # the report is written piece by piece
                break
        return text

    def _send(self, message: bytes) -> None:
        with contextlib.suppress(OSError):
            self.connection.send_bytes(message)


def dismiss(idle: Iterable[Child], busy: Iterable[Child] = ()) -> None:
    """End processes: idle ones gracefully, the others at once."""
    waiting, working = list(idle), list(busy)
    for child in waiting:
        child.connection.close()
    for child in working:
        child.kill()
        child.connection.close()
    deadline = time.monotonic() + _GRACE
    for child in waiting:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.process.wait(timeout=max(0.0, deadline - time.monotonic()))
        child.kill()


def opened(answer: bytes) -> Answer:
    """An answer as a value."""
    value: Answer = pickle.loads(answer)
    return value
