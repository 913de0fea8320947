"""Connections to a system, one for each session, and the server process that a mapping file may start."""

from __future__ import annotations

import contextlib
import select
import shlex
import time
from collections.abc import Mapping
from typing import Protocol

from fullproof.core.errors import UserError
from fullproof.execute.adapters.address import parse_address
from fullproof.execute.adapters.command_line import run_command
from fullproof.execute.adapters.exec_sut import Process
from fullproof.execute.adapters.lines import Closed, Lines
from fullproof.execute.adapters.protocol.place import Whereabouts
from fullproof.execute.adapters.tcp_sut import Dialogue
from fullproof.execute.sut import SutError

_ENDING = 2.0
"""Seconds that a server gets to end when it is asked to."""
_KEPT = 1 << 16
_PAUSE = 0.02


class MessageLink(Protocol):
    """One connection, process or line."""

    lines: Lines

    def exit_error(self, closed: Closed) -> SutError:
        """The error that describes how it ended."""

    def tail(self, patience: float = 0.0) -> str:
        """The end of its diagnostics."""

    def close(self) -> None:
        """End it gracefully."""

    def kill(self) -> None:
        """End it at once."""


class Plant:
    """The server process, where the mapping file starts one, and the way to make connections."""

    def __init__(self, where: Whereabouts, timeout: float | None) -> None:
        self._where = where
        self._timeout = timeout
        self._server: Process | None = None
        self._log = bytearray()
        self.port = ""
        self._address = where.address

    @property
    def has_server(self) -> bool:
        """Whether there is a process besides the connections."""
        return self._where.start is not None and self._where.scheme != "exec"

    def start(self) -> None:
        """Make sure that the server runs and is ready; SutError where it is not."""
        if not self.has_server or (self._server is not None and not self._server.ended):
            return
        self.stop()
        self._address, self.port = self._where.with_port(self._where.address)
        self._log.clear()
        self._server = self._process()
        end = time.monotonic() + self._where.within
        while not self._is_ready(self._server):
            if self._server.ended:
                raise self.blamed(SutError("ended before it was ready"))
            if time.monotonic() > end:
                raise self.blamed(SutError(f"not ready within {self._where.within} s"))
            self._listen(_PAUSE)

    def connect(self) -> MessageLink:
        """A new connection; SutError where there is none."""
        match self._where.scheme:
            case "exec":
                return self._process()
            case "serial":
                from fullproof.execute.adapters.protocol.serial_line import SerialLine

                return SerialLine(self._where)
        address = parse_address(self._address, what="")
        try:
            return Dialogue(address, timeout=self._timeout, nodelay=self._where.nodelay)
        except OSError as error:
            raise self.blamed(SutError(f"cannot connect to {address}: {error.strerror or error}")) from error

    def run(self, command: str) -> None:
        """A command of a reset; SutError where it fails."""
        run_command(command.replace("{port}", self.port), self._where.folder, timeout=self._timeout)

    def stop(self) -> None:
        """End the server."""
        if self._server is not None:
            self._server.end(_ENDING)
            self._server = None

    def lines(self) -> Lines | None:
        """What the server writes, which must be read, since it blocks otherwise."""
        return None if self._server is None else self._server.lines

    def note(self) -> None:
        """Keep the end of what the server has written."""
        if self._server is not None:
            self._log += self._server.lines.buffer
            self._server.lines.buffer.clear()
            del self._log[:-_KEPT]

    def blamed(self, error: SutError) -> SutError:
        """The error with what is known of the server: how it has ended, and what it wrote last."""
        if self._server is None:
            return error
        self.note()
        said = self._log[-2000:].decode("utf-8", "replace") + self._server.tail()
        if not self._server.ended:
            return SutError(error.reason, evidence=error.evidence or said)
        died = self._server.exit_error(Closed(error.reason))
        return SutError(f"{died.reason} ({error.reason})", evidence=died.evidence or said)

    def _process(self) -> Process:
        assert self._where.start is not None
        command = shlex.split(self._where.start.replace("{port}", self.port))
        try:
            return Process(command, folder=self._where.folder)
        except OSError as error:
            raise UserError(f"cannot start {command[0]!r}: {error.strerror}") from error

    def _is_ready(self, server: Process) -> bool:
        if self._where.ready is not None:
            self.note()
            return bool(self._where.ready.search(self._log) or self._where.ready.search(server.tail().encode()))
        with contextlib.suppress(OSError):
            Dialogue(parse_address(self._address, what=""), timeout=1.0).kill()
            return True
        return False

    def _listen(self, seconds: float) -> None:
        """Read what the server writes for a while."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            wait_for({"": lines} if (lines := self.lines()) is not None else {}, left)
            self.note()


def wait_for(all_lines: Mapping[str, Lines], seconds: float | None) -> dict[str, Closed | None]:
    """Wait until something comes from one of them, and read it: those that had something, or how they have ended."""
    poll = select.poll()
    owners: dict[int, str] = {}
    for name, lines in all_lines.items():
        for descriptor in lines.descriptors():
            poll.register(descriptor, select.POLLIN)
            owners[descriptor] = name
    found: dict[str, Closed | None] = {}
    if not owners:
        time.sleep(min(seconds or 0, _PAUSE))
        return found
    for descriptor, _ in poll.poll(None if seconds is None else max(0, round(seconds * 1000 + 0.5))):
        name = owners[descriptor]
        try:
            all_lines[name].pull(descriptor)
            found.setdefault(name, None)
        except Closed as closed:
            found[name] = closed
    return found
