"""Lines of bytes to and from another process: every wait has a deadline, every line a bound."""

from __future__ import annotations

import contextlib
import math
import os
import select
import time

from fullproof.core.deadline import Deadline
from fullproof.execute.json_protocol import LONGEST_LINE
from fullproof.execute.observation import shown
from fullproof.execute.sut import SutError, no_answer

_CHUNK = 1 << 16
_TAIL = 4000
_DAY = 86_400.0
"""Seconds: the longest wait in one piece, far below what the operating system can count to."""


class Closed(SutError):
    """The other side has ended."""


def for_first_answer(limit: float | None, starting: float) -> float | None:
    """Seconds for the first answer of a life that may have to start: its ``starting`` is no part of a step."""
    return None if limit is None else max(limit, starting)


def milliseconds(deadline: Deadline) -> int | None:
    """What is left, for ``poll``: None without an end; SutError where it is nothing."""
    left = deadline.left()
    if left == math.inf:
        return None
    if left <= 0:
        raise no_answer(deadline.seconds)
    return math.ceil(min(left, _DAY) * 1000)


class Lines:
    """A pair of descriptors, and a third whose last bytes are kept as evidence. The caller closes them."""

    def __init__(self, read: int, write: int, diagnostics: int | None = None) -> None:
        self._read, self._write, self._diagnostics = read, write, diagnostics
        self._buffer = bytearray()
        self._tail = bytearray()
        self._incoming = select.poll()
        self._outgoing = select.poll()
        self._outgoing.register(write, select.POLLOUT)
        for descriptor in {read, write} | ({diagnostics} if diagnostics is not None else set()):
            os.set_blocking(descriptor, False)
        self._incoming.register(read, select.POLLIN)
        if diagnostics is not None:
            self._incoming.register(diagnostics, select.POLLIN)

    def exchange(self, message: bytes, deadline: Deadline) -> bytes:
        """Send one line, wait for one line. Raises Closed where the other side has ended."""
        self._send(message, deadline)
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > LONGEST_LINE:
                raise SutError(f"unexpected output: more than {LONGEST_LINE} bytes without an end of line")
            self._wait(deadline)
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    def send(self, message: bytes, deadline: Deadline) -> None:
        """Send one line, to which there is no answer. Raises Closed where the other side has ended."""
        self._send(message, deadline)

    def receive(self, seconds: float) -> bytes | None:
        """The next line, None where none is complete within this many seconds; 0 takes what has arrived."""
        end = time.monotonic() + seconds
        while (position := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > LONGEST_LINE:
                raise SutError(f"unexpected output: more than {LONGEST_LINE} bytes without an end of line")
            left = max(0.0, end - time.monotonic())
            found = self._incoming.poll(math.ceil(min(left, _DAY) * 1000))
            if not found and left == 0:
                return None
            self._take(found)
        line = bytes(self._buffer[:position])
        del self._buffer[: position + 1]
        return line

    def unasked(self) -> bytes:
        """Unsolicited output so far, without waiting."""
        if not self._buffer:
            with contextlib.suppress(BlockingIOError, OSError):
                self._buffer += os.read(self._read, _CHUNK)
        return bytes(self._buffer[:200])

    @property
    def buffer(self) -> bytearray:
        """What has arrived and was not taken, for those who cut it into messages themselves."""
        return self._buffer

    def descriptors(self) -> list[int]:
        """Those to wait for."""
        return [self._read] if self._diagnostics is None else [self._read, self._diagnostics]

    def pull(self, descriptor: int) -> None:
        """Read from a descriptor that has something. Raises Closed where the other side has ended."""
        self._take([(descriptor, select.POLLIN)])

    def tail(self, patience: float = 0.0) -> str:
        """The end of the diagnostics; ``patience`` is the time to wait for a process that is ending."""
        end = time.monotonic() + patience
        while self._diagnostics is not None:
            poll = select.poll()
            poll.register(self._diagnostics, select.POLLIN)
            if not poll.poll(max(0, (end - time.monotonic()) * 1000)):
                break
            self._drain(self._diagnostics)
        return self._tail.decode("utf-8", "replace")

    def _send(self, message: bytes, deadline: Deadline) -> None:
        rest = memoryview(message)
        while rest:
            try:
                rest = rest[os.write(self._write, rest) :]
            except BlockingIOError:
                self._outgoing.poll(milliseconds(deadline))
            except OSError as error:
                raise Closed(f"does not listen: {error.strerror}") from error

    def _wait(self, deadline: Deadline) -> None:
        self._take(self._incoming.poll(milliseconds(deadline)))

    def _take(self, found: list[tuple[int, int]]) -> None:
        for descriptor, _ in found:
            if descriptor == self._diagnostics:
                self._drain(descriptor)
                continue
            try:
                chunk = os.read(self._read, _CHUNK)
            except BlockingIOError:
                continue
            except OSError as error:
                raise Closed(f"connection lost: {error.strerror}") from error
            if not chunk:
                left = f" in the middle of {shown(bytes(self._buffer[:80]))}" if self._buffer else ""
                raise Closed(f"ended its output{left}")
            self._buffer += chunk

    def _drain(self, descriptor: int) -> None:
        try:
            chunk = os.read(descriptor, _CHUNK)
        except OSError:
            chunk = b""
        if not chunk:
            self._incoming.unregister(descriptor)
            self._diagnostics = None
            return
        self._tail += chunk
        del self._tail[:-_TAIL]
