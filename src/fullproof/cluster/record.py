"""A record of the work of a process, step by step, in memory that outlives the process.

An answer comes when a whole batch is done. Where the process ends before, or hangs in a call that never returns, the
record says which items were done and the progress of the next one: no observation is lost, and nothing is done twice.
Its growth is also the sign of life by which the parent detects that the process does not hang.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import tempfile
from collections.abc import Callable
from typing import Any

_HEAD = 32
_SIZE = 1 << 16
_LENGTH = 4
_REMEMBERED = 10_000
SEEN = b"s"
"""The tag of notes from which a result may be composed."""
_DONE = b"\0"
"""The tag of a frame that ends an item; its value is the result."""


class Record:
    """Reads what the child has written."""

    def __init__(self) -> None:
        self.notes = _file()
        self.words = _file()
        """Two descriptors for the child: the record itself, and the file for its stack report."""
        os.ftruncate(self.notes, _SIZE)

    def sign(self) -> bytes:
        """A value that changes with each sign of life."""
        return os.pread(self.notes, _HEAD, 0)

    def counts(self) -> tuple[int, int, int]:
        """Three counters for use by the work."""
        return tuple(memoryview(self.sign()).cast("q")[1:])  # type: ignore[return-value]  # a head of four numbers

    def read(self) -> tuple[list[Any], list[tuple[bytes, Any]]]:
        """The results of the items that were done, and the tagged notes on the one after them."""
        used = memoryview(self.sign()).cast("q")[0]
        frames, place = os.pread(self.notes, max(0, used - _HEAD), _HEAD), 0
        results: list[Any] = []
        notes: list[tuple[bytes, Any]] = []
        with contextlib.suppress(pickle.UnpicklingError, EOFError, ValueError):  # the last frame may be incomplete
            while place + _LENGTH < len(frames):
                end = place + _LENGTH + int.from_bytes(frames[place : place + _LENGTH], "little")
                tag, value = frames[place + _LENGTH : place + _LENGTH + 1], frames[place + _LENGTH + 1 : end]
                place = end
                found = pickle.loads(value)
                if tag == _DONE:
                    results.append([note for kind, note in notes if kind == SEEN] if found is None else found)
                    notes = []
                else:
                    notes.append((tag, found))
        return results, notes

    def text(self) -> str:
        """The stack report of the process."""
        return os.pread(self.words, 1 << 16, 0).decode("utf-8", "replace")

    def close(self) -> None:
        """Release the memory."""
        for number in (self.notes, self.words):
            with contextlib.suppress(OSError):
                os.close(number)
        self.notes = self.words = -1


class RecordWriter:
    """The writer, used in the process that does the work."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._size = os.fstat(number).st_size
        self._map()
        self._frames: dict[tuple[bytes, str], bytes] = {}
        self._end = _HEAD

    def _map(self) -> None:
        self._memory = mmap.mmap(self._number, self._size)
        self._head = memoryview(self._memory)[:_HEAD].cast("q")
        self.counts = self._head[1:]
        """Three numbers for use by the work."""

    def begin(self) -> None:
        """Start a new batch: the contents so far were read by the parent."""
        self._end = self._head[0] = _HEAD
        for place in range(len(self.counts)):
            self.counts[place] = 0

    def note(self, tag: bytes, value: object) -> None:
        """Record an event; None is a sign of life only."""
        if type(value) is str:
            frame = self._frames.get((tag, value))
            if frame is None:
                if len(self._frames) >= _REMEMBERED:
                    self._frames.clear()
                frame = self._frames[tag, value] = _frame(tag, value)
        else:
            frame = _frame(tag, value)
        begin, end = self._end, self._end + len(frame)
        if end > self._size:
            self._grow(end)
        self._memory[begin:end] = frame
        self._end = self._head[0] = end

    def done(self, result: object = None) -> None:
        """The item is done; None stands for the list of what was ``SEEN``."""
        self.note(_DONE, result)

    def noted(self, tag: bytes) -> list[Any]:
        """A list that notes what is appended to it."""
        return _Noted(self.note, tag)

    def _grow(self, wanted: int) -> None:
        self._size = max(2 * self._size, wanted)
        os.ftruncate(self._number, self._size)
        self._map()  # holders of ``counts`` still write to the same memory


class _Noted(list[Any]):
    __slots__ = ("_note", "_tag")

    def __init__(self, note: Callable[[bytes, object], None], tag: bytes) -> None:
        super().__init__()
        self._note = note
        self._tag = tag

    def append(self, value: Any) -> None:
        super().append(value)
        self._note(self._tag, value)


def _frame(tag: bytes, value: object) -> bytes:
    content = tag + pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return len(content).to_bytes(_LENGTH, "little") + content


def _file() -> int:
    """A file without a name: in memory where the operating system offers it."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("fullproof")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


class _State:
    recorder: RecordWriter | None = None


def record_in(number: int) -> RecordWriter:
    """From now on the events of this process are recorded there."""
    _State.recorder = RecordWriter(number)
    return _State.recorder


def of_this_process() -> RecordWriter | None:
    """The record writer of a process that does recorded work."""
    return _State.recorder
