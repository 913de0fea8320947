"""``exec:``: a child process that speaks JSON Lines on its standard input and output.

``restart:`` is the same for a process without a reset message: each test gets a new one.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

from fullproof.core.deadline import Deadline
from fullproof.core.errors import UserError
from fullproof.core.interrupts import holding_on
from fullproof.core.lifeline import Lifeline
from fullproof.execute.adapters.command_line import command_of
from fullproof.execute.adapters.json_lines import JsonLinesSut
from fullproof.execute.adapters.lines import Closed, Lines
from fullproof.execute.sut import SutError
from fullproof.model import Model

_CLOSING = 0.3
"""Seconds that a process gets to end by itself after its input is closed."""
_DYING = 2.0
"""Seconds to wait between the end of its output and its exit, which are not simultaneous on a busy machine."""
STARTING = 10.0
"""The minimum time limit in seconds for the first answer of a process: starting is not a step."""


class Process:
    """One child process, in a session of its own, so that its children end with it, and it ends with the parent."""

    @property
    def starting(self) -> float:
        """Seconds that the first answer may take at least."""
        return STARTING

    def __init__(self, command: list[str], *, folder: Path | None = None) -> None:
        # A Python child without flushes would seem to hang.
        environment = {"PYTHONUNBUFFERED": "1"} | os.environ
        self._lifeline = Lifeline()
        try:
            with holding_on():
                self._child = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    start_new_session=True,
                    env=environment,
                    cwd=folder,
                    pass_fds=[self._lifeline.theirs],
                )
                self._lifeline.tie(self._child.pid)
        except OSError:
            self._lifeline.cut()
            raise
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        assert self._child.stderr is not None
        self._pipes = (self._child.stdin, self._child.stdout, self._child.stderr)
        self.lines = Lines(
            self._child.stdout.fileno(), self._child.stdin.fileno(), diagnostics=self._child.stderr.fileno()
        )

    def exchange(self, message: bytes, deadline: Deadline) -> bytes:
        """Send one line, wait for one line."""
        return self.lines.exchange(message, deadline)

    def send(self, message: bytes, deadline: Deadline) -> None:
        """Send one line."""
        self.lines.send(message, deadline)

    def receive(self, seconds: float) -> bytes | None:
        """The next line, None where none comes in time."""
        return self.lines.receive(seconds)

    def unasked(self) -> bytes:
        """Unsolicited output."""
        return self.lines.unasked()

    def tail(self, patience: float = 0.0) -> str:
        """The end of its standard error."""
        return self.lines.tail(patience)

    def exit_error(self, closed: Closed) -> SutError:
        """The exit status, where the process has one, and the end of its standard error."""
        ended = self._has_ended(_DYING)
        evidence = self.lines.tail(0.05)
        if not ended:
            return SutError(f"{closed.reason}, but the process is still there", evidence=evidence)
        self.kill()
        status = self._child.returncode
        if status < 0:
            return SutError(f"died: killed by {_signal_name(-status)}", evidence=evidence)
        return SutError(f"died: exit status {status}", evidence=evidence)

    def end(self, patience: float) -> None:
        """Ask it to end, as a service is; kill it if it does not end in time."""
        if self._child.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._child.pid, signal.SIGTERM)
        self._has_ended(patience)
        self.kill()

    @property
    def ended(self) -> bool:
        """Whether it has ended by itself."""
        return self._has_ended(0)

    def close(self) -> None:
        """Close its input, which signals it to end; kill it if it does not end soon."""
        with contextlib.suppress(OSError):
            self._pipes[0].close()
        self._has_ended(_CLOSING)
        self.kill()

    def kill(self) -> None:
        """Kill the process and everything it has started."""
        # Until the child is waited for, its process number cannot be reused.
        if self._child.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
        self._lifeline.cut()
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                pipe.close()

    def _has_ended(self, patience: float) -> bool:
        """Whether the child ends in time, without waiting for it in the sense of the operating system."""
        end = time.monotonic() + patience
        pause = 0.001
        while self._child.returncode is None:
            if os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                return True
            if time.monotonic() >= end:
                return False
            time.sleep(pause)
            pause = min(2 * pause, 0.02)
        return True


def open_exec(command_line: str, model: Model, *, step_timeout: float | None, restart: bool = False) -> JsonLinesSut:
    """Start the process, or say in one line why not; with ``restart`` anew for every test."""
    command = command_of(command_line)
    try:
        first = Process(command)
    except OSError as error:
        raise UserError(f"cannot start {command[0]!r}: {error.strerror}") from error
    return JsonLinesSut(lambda: _start(command), first, model, step_timeout=step_timeout, restart=restart)


def _start(command: list[str]) -> Process:
    try:
        return Process(command)
    except OSError as error:
        raise SutError(f"cannot start {command[0]!r}: {error.strerror}") from error


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
