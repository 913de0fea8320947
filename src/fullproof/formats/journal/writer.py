"""The journal of a run: an append-only SQLite file (WAL) with one row for each execution of a test.

A row is written once the test has ended and never changed. Rows are committed together every few milliseconds; rows
that a killed process had not committed are lost, and their tests run again. ``synchronous=NORMAL``: a power cut may
cost the last commits, never the file. Rows are chained by hashes (``journal.seal``).
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.journal import JOURNAL_FORMAT, JournalHeader, Part
from fullproof.core.errors import Place, UserError
from fullproof.core.files import second_name
from fullproof.core.interrupts import holding_on
from fullproof.formats.journal.reader import OldJournal, complaining, connect, extent_of, read_journal
from fullproof.formats.journal.rows import Row, row_of
from fullproof.formats.journal.seal import check_of, first_link, next_link, seal_of

_TABLES = """
create table about (key text primary key, value text not null, hash text not null) without rowid;
create table execution (
  number integer primary key, test text not null, repetition integer not null, inputs text not null,
  outputs text not null, enabled text, at_end text, events text, error text, evidence text not null,
  hash blob not null
);
"""
_INSERT = "insert into execution values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_SAY = "insert or replace into about values (?, ?, ?)"
_PATIENCE = 0.05
"""Seconds between commits."""
_CHEAP = 60.0
"""Seconds of a run that was ended early, and sealed, below which its journal is not kept: it is quickly made again."""
_DATABASE = b"SQLite format 3\0"
"""How every journal begins, damaged ones and those of other versions, too."""
_TRIES = 20
"""How often to look again for a journal that another run has just replaced."""


class Journal:
    """An open journal, locked against other writers."""

    def __init__(self, path: Path, database: sqlite3.Connection, lock: int, state: _State) -> None:
        self.path = path
        self._database = database
        self._lock = lock
        self._rows, self._last, self._parts = state.rows, state.last, state.parts
        self._waiting: list[tuple[Row, bytes]] = []
        """Rows with their links that are not written yet; the chain continues from the last one."""
        self._committed = time.monotonic()
        self.kept: Path | None = None
        """Where the journal of an interrupted run is now, in whose place this one is."""

    def add(self, execution: Execution) -> None:
        """Add one execution of a test, whose number in the run is larger than those before it."""
        row = row_of(execution)
        last = self._waiting[-1][1] if self._waiting else self._last
        self._waiting.append((row, next_link(last, row)))
        if time.monotonic() - self._committed > _PATIENCE:
            self.commit()

    def commit(self) -> None:
        """Commit all rows so far."""
        if self._waiting:
            with holding_on():  # written rows leave the queue, even if an interrupt comes
                with complaining(self.path, "cannot write the journal"), self._database:
                    self._database.executemany(_INSERT, [(*row, link) for row, link in self._waiting])
                self._rows, self._last = self._rows + len(self._waiting), self._waiting[-1][1]
                self._waiting.clear()
        self._committed = time.monotonic()

    def reopen(self) -> None:
        """Remove the seal: the run continues."""
        about = {"parts": _listed(self._parts), "told": json.dumps(None), "seal": json.dumps(None)}
        try:
            with complaining(self.path, "cannot write the journal"), self._database:
                self._database.executemany(_SAY, _checked(about))
        except BaseException:
            self.close()
            raise

    def conclude(self, *, seconds: float, told: object = None) -> None:
        """Store the time spent so far, and once the run is complete its guarantee and notes, which are any JSON; seal
        the journal.
        """
        self.commit()
        about = {"seconds": json.dumps(seconds), "told": json.dumps(told), "parts": _listed(self._parts)}
        with complaining(self.path, "cannot write the journal"), self._database:
            sealed = {**about, "seal": json.dumps(seal_of(self._rows, self._last, about))}
            self._database.executemany(_SAY, _checked(sealed))

    def close(self) -> None:
        """Commit and close the file."""
        try:
            self.commit()
        finally:
            self._database.close()
            # After the database: closing any other descriptor of a file drops the locks that SQLite has on it.
            os.close(self._lock)


@dataclasses.dataclass(frozen=True, slots=True)
class _State:
    """The state from which a journal continues."""

    rows: int
    last: bytes
    parts: tuple[Part, ...]


def new_journal(path: Path, header: JournalHeader, part: Part | None = None) -> Journal:
    """Begin a journal; an existing one is replaced as a whole, unless a run is writing it. Other files are refused."""
    parts = () if part is None else (part,)
    about = {"format": JOURNAL_FORMAT, "header": dataclasses.asdict(header), "seconds": 0.0, "told": None, "seal": None}
    texts = {key: json.dumps(value) for key, value in about.items()} | {"parts": _listed(parts)}
    is_new = not path.exists()
    with _writing(path), contextlib.ExitStack() as stack:
        if path.is_file() and not _is_replaceable(path):
            raise UserError("is no journal, and would be replaced by one", at=Place(file=str(path)))
        old = _locked(path, create=True)
        stack.callback(os.close, old)
        try:
            # The new file is complete and locked before it gets its name: a second start finds the old or the new one.
            with holding_on():  # it is registered before an interrupt may end this
                fresh = _fresh(path, texts)
                stack.callback(_remove, fresh)
            lock = _locked(fresh, create=False)
            kept = _kept_interrupted(path)
            for leftover in ("-wal", "-shm"):
                path.with_name(path.name + leftover).unlink(missing_ok=True)
            fresh.replace(path.resolve())
        except BaseException:
            if is_new:
                path.unlink(missing_ok=True)
            raise
    journal = _opened(path, lock, _State(0, first_link(texts["header"]), parts))
    journal.kept = kept
    return journal


def _is_replaceable(path: Path) -> bool:
    """Whether a file is a database, or empty: any other file that is named by mistake would be lost."""
    with path.open("rb") as file:
        return file.read(len(_DATABASE)) in (b"", _DATABASE)


def _kept_interrupted(path: Path) -> Path | None:
    """A further name for the journal of a run that was cut off, if what it holds took long; None for others.

    It is needed for ``--resume``, and its rows may have cost hours. Needs: the lock of the journal.
    """
    try:
        old = read_journal(path)
        if old.told is not None or not old.rows or (old.seconds < _CHEAP and old.is_sealed):
            return None
        with contextlib.closing(connect(path, "rw")) as database, complaining(path, "cannot read the journal"):
            database.execute("pragma wal_checkpoint(truncate)")  # what was written last may be in a file beside it
    except UserError:
        return None  # it is no journal, or a damaged one, which cannot be resumed
    return second_name(path)


def _fresh(path: Path, texts: dict[str, str]) -> Path:
    """An empty journal, in the folder of its final place."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".tmp", dir=path.resolve().parent)
    os.close(handle)
    fresh = Path(name)
    try:
        with complaining(path, "cannot write the journal"), contextlib.closing(connect(fresh, "rw")) as database:
            database.executescript(_TABLES)
            with database:
                database.executemany(_SAY, _checked(texts))
        fresh.chmod(0o666 & ~_mask())
    except BaseException:
        _remove(fresh)
        raise
    return fresh


def _remove(fresh: Path) -> None:
    """Remove a journal that has not got its name, and what SQLite leaves beside it on a disk that is full."""
    for ending in ("", "-journal", "-wal", "-shm"):
        fresh.with_name(fresh.name + ending).unlink(missing_ok=True)


def continued(old: OldJournal, part: Part | None = None) -> Journal:
    """Continue a journal, whose rows are checked first; it has no seal until this part ends."""
    parts = old.parts if part is None else (*old.parts, part)
    with _writing(old.path):
        lock = _locked(old.path, create=False)
    try:
        with contextlib.closing(connect(old.path, "ro")) as reader, complaining(old.path, "cannot read the journal"):
            if extent_of(reader) != (old.rows, old.last):
                raise UserError("another run has written this journal meanwhile", at=Place(file=str(old.path)))
        state = _State(old.rows, old.checked(), parts)
    except BaseException:
        os.close(lock)
        raise
    journal = _opened(old.path, lock, state)
    journal.reopen()
    return journal


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(f"cannot write: {error.strerror or error}", at=Place(file=str(path))) from error


def _listed(parts: Iterable[Part]) -> str:
    return json.dumps([dataclasses.asdict(part) for part in parts])


def _checked(about: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    return ((key, value, check_of(key, value)) for key, value in about.items())


def _locked(path: Path, *, create: bool) -> int:
    """A descriptor of the file that has this name now, locked against other writers."""
    for _ in range(_TRIES):
        handle = os.open(path, os.O_RDONLY | (os.O_CREAT if create else 0), 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            here = path.stat() if path.exists() else None
            if here is not None and os.path.samestat(here, os.fstat(handle)):
                return handle
        except BlockingIOError:
            os.close(handle)
            break
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # another start has put a new file in its place
    raise UserError("another run is writing this journal", at=Place(file=str(path)))


def _opened(path: Path, lock: int, state: _State) -> Journal:
    """Open the database for one writer, whose lock this is; readers are allowed."""
    try:
        database = connect(path, "rw")
        with complaining(path, "cannot write the journal"):
            database.execute("pragma journal_mode = wal")
            database.execute("pragma synchronous = normal")
    except BaseException:
        os.close(lock)
        raise
    return Journal(path, database, lock, state)


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


__all__ = ["Journal", "OldJournal", "continued", "new_journal", "read_journal"]
