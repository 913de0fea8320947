"""Lines from a stream, with a limit on how long to wait for the next one."""

from __future__ import annotations

import io
import os
import select
import time
from enum import Enum
from typing import BinaryIO, TextIO

from fullproof.execute.json_protocol import LONGEST_LINE


class Nothing(Enum):
    """Instead of a line."""

    YET = "not yet"
    MORE = "the stream has ended"
    TOO_LONG = "a line of more than the longest"


class LineSource:
    """Reads the descriptor below a stream where there is one: only that can be waited for without a thread."""

    def __init__(self, reader: TextIO | BinaryIO) -> None:
        self._reader: TextIO | BinaryIO = getattr(reader, "buffer", reader)
        try:
            self._descriptor: int | None = self._reader.fileno()
        except (OSError, AttributeError, io.UnsupportedOperation):
            self._descriptor = None
        self._buffer = bytearray()
        self._ended = False

    def next(self, patience: float | None = None) -> bytes | Nothing:
        """The next line without its end; None waits for ever. A stream in memory always has a line or has ended."""
        if self._descriptor is None:
            return self._from_memory()
        end = None if patience is None else time.monotonic() + patience
        while (position := self._buffer.find(b"\n")) < 0 and not self._ended:
            left = None if end is None else max(0.0, end - time.monotonic())
            if not select.select([self._descriptor], [], [], left)[0]:
                return Nothing.YET
            chunk = os.read(self._descriptor, 1 << 16)
            self._ended = not chunk
            self._keep(chunk)
        if position < 0:
            if not self._buffer:
                return Nothing.MORE
            position = len(self._buffer)
        line = bytes(self._buffer[:position])
        del self._buffer[: position + 1]
        return line if len(line) <= LONGEST_LINE else Nothing.TOO_LONG

    def _keep(self, chunk: bytes) -> None:
        """Of a line that is too long already, only the end matters."""
        self._buffer += chunk
        if len(self._buffer) > 2 * LONGEST_LINE and b"\n" not in self._buffer:
            del self._buffer[LONGEST_LINE + 1 :]

    def _from_memory(self) -> bytes | Nothing:
        raw = self._reader.readline()
        if not raw:
            return Nothing.MORE
        line = (raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw).removesuffix(b"\n")
        return line if len(line) <= LONGEST_LINE else Nothing.TOO_LONG
