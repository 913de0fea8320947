"""The journal of learning: a line of JSON for each sequence of inputs that a system was asked, with its answers.

It is written as learning goes on. A line that was cut off, by a full disk or the end of the process, is not there for
the reader. Lines that take an answer back say so: two answers contradicted each other, and the majority was another.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fullproof.core.errors import Place, UserError
from fullproof.core.files import check_writable, second_name

_FORMAT = "fullproof questions 1"
_HEAD = 1_000_000
"""Bytes within which the second line of a journal begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedWord:
    """A sequence of inputs with its answers; without answers, the one to its last input is taken back."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...] | None


class QuestionJournal:
    """An open journal, locked against other writers. Questions that were asked before stand in ``known``."""

    def __init__(self, path: Path, *, sut: str, inputs: Sequence[str], resume: bool) -> None:
        if resume and not path.exists():
            raise UserError("cannot be resumed: no such file", at=Place(file=str(path)))
        check_writable(path)
        self.path = path
        self.known: list[AskedWord] = []
        self.kept: Path | None = None
        """Where the journal of earlier learning is now, in whose place this one is."""
        self._handle = _locked(path)
        try:
            if not resume and self._holds_answers():
                self._set_aside()
            size = self._continued(sut, inputs) if resume else 0
            os.ftruncate(self._handle, size)
            if not size:
                self._write({"journal": _FORMAT, "sut": sut, "inputs": list(inputs)})
        except BaseException:
            self.close()
            raise

    def add(self, question: AskedWord) -> None:
        """Add a question, at once."""
        record: dict[str, object] = {"inputs": question.inputs}
        record |= {"forget": True} if question.outputs is None else {"outputs": question.outputs}
        self._write(record)

    def close(self) -> None:
        """Close the file; may be called twice."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _holds_answers(self) -> bool:
        """Whether the file has more than the head of a journal: answers that may have cost hours, or another text."""
        mode = os.fstat(self._handle).st_mode
        return stat.S_ISREG(mode) and os.pread(self._handle, _HEAD, 0).count(b"\n") > 1

    def _set_aside(self) -> None:
        """Keep what there is under another name, and begin a file of its own."""
        self.kept = second_name(self.path)
        Path(os.path.realpath(self.path)).unlink()
        self.close()
        self._handle = _locked(self.path)

    def _write(self, record: dict[str, object]) -> None:
        text = json.dumps(record, ensure_ascii=False) + "\n"
        try:
            left = memoryview(text.encode())
            while left:
                left = left[os.write(self._handle, left) :]
        except OSError as error:
            raise UserError(f"cannot write: {error.strerror or error}", at=Place(file=str(self.path))) from error

    def _continued(self, sut: str, inputs: Sequence[str]) -> int:
        """Read what there is; returns how many bytes of the file are whole lines."""
        with os.fdopen(os.dup(self._handle), "rb") as file:
            file.seek(0)
            whole = file.read()
        whole = whole[: whole.rfind(b"\n") + 1]
        if not whole:
            raise UserError("cannot be resumed: it is no journal of learning", at=Place(file=str(self.path)))
        records = _records(whole.splitlines(), str(self.path))
        head = next(records)
        _check_head(head, sut, inputs, str(self.path))
        self.known = [_question(record, Place(file=str(self.path), line=n)) for n, record in enumerate(records, 2)]
        os.lseek(self._handle, len(whole), os.SEEK_SET)
        return len(whole)


def _locked(path: Path) -> int:
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise UserError(f"cannot write: {error.strerror or error}", at=Place(file=str(path))) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise UserError("another process is writing this journal", at=Place(file=str(path))) from None
    return handle


def _records(lines: Iterable[bytes], file: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            raise UserError("expected one JSON object", at=Place(file=file, line=number))
        yield record


def _check_head(head: dict[str, Any], sut: str, inputs: Sequence[str], file: str) -> None:
    if head.get("journal") != _FORMAT:
        raise UserError("cannot be resumed: it is no journal of learning", at=Place(file=file, line=1))
    for what, now, before in (("system", sut, head.get("sut")), ("inputs", list(inputs), head.get("inputs"))):
        if now != before:
            message = f"cannot be resumed: the {what} of the journal is {before!r}, now it is {now!r}"
            raise UserError(message, at=Place(file=file, line=1))


def _question(record: dict[str, Any], at: Place) -> AskedWord:
    inputs, outputs = _word(record.get("inputs")), _word(record.get("outputs"))
    if inputs and record.get("forget") is True:
        return AskedWord(inputs=inputs, outputs=None)
    if inputs is None or outputs is None or len(outputs) > len(inputs):
        raise UserError("expected inputs and outputs, lists of texts, with no more outputs than inputs", at=at)
    return AskedWord(inputs=inputs, outputs=outputs)


def _word(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list) or not all(isinstance(symbol, str) for symbol in value):
        return None
    return tuple(value)
