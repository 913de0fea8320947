"""The journal of a run: an append-only SQLite file (WAL) with one row for each execution of a test.

A row is written once the test has ended and never changed. Rows are committed together every few milliseconds; what a
killed process had not committed is as if it had not run. ``synchronous=NORMAL``: a power cut may cost the last commits,
never the file.
"""

from __future__ import annotations

import dataclasses
import fcntl
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fullproof.artefacts.conversation import Conversation
from fullproof.artefacts.journal import JOURNAL_FORMAT, JournalHeader
from fullproof.artefacts.trace import Trace
from fullproof.core.errors import Place, UserError
from fullproof.formats.journal_rows import Row, conversation_row, read_conversation, read_trace, trace_row

_TABLES = """
create table about (key text primary key, value text not null) without rowid;
create table trace (
  number integer primary key, test text not null, repetition integer not null, inputs text not null,
  outputs text not null, enabled text, at_end text, error text, evidence text not null
);
create table conversation (
  number integer primary key, test text not null, inputs text not null, covers text not null, events text not null,
  reached integer not null, reason text not null, synchronous integer not null, error text, evidence text not null
);
"""
_INSERT = "insert into trace values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_TALK = "insert into conversation values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_COUNT = "select count(*), coalesce(max(number), 0) from"
_PATIENCE = 0.05
"""Seconds between commits."""


class Journal:
    """A journal that is being written; nobody else may write it meanwhile."""

    def __init__(self, path: Path, database: sqlite3.Connection, lock: int) -> None:
        self.path = path
        self._database = database
        self._lock = lock
        self._waiting: list[Row] = []
        self._talks: list[Row] = []
        self._committed = time.monotonic()

    def add(self, execution: Trace | Conversation) -> None:
        """Write down one execution of a test, whose number in the run is larger than those before it."""
        if isinstance(execution, Trace):
            self._waiting.append(trace_row(execution))
        else:
            self._talks.append(conversation_row(execution))
        if time.monotonic() - self._committed > _PATIENCE:
            self.commit()

    def commit(self) -> None:
        """Make everything so far survive the end of this process."""
        if self._waiting or self._talks:
            with _complaining(self.path), self._database:
                self._database.executemany(_INSERT, self._waiting)
                self._database.executemany(_INSERT_TALK, self._talks)
            self._waiting.clear()
            self._talks.clear()
        self._committed = time.monotonic()

    def conclude(self, *, seconds: float, told: object = None) -> None:
        """Keep the time spent so far, and once the run is complete what was told of it, which is any JSON."""
        self.commit()
        with _complaining(self.path), self._database:
            values = [("seconds", json.dumps(seconds)), ("told", json.dumps(told))]
            self._database.executemany("insert or replace into about values (?, ?)", values)

    def close(self) -> None:
        """Commit and let go of the file."""
        try:
            self.commit()
        finally:
            self._database.close()
            # After the database: closing any other descriptor of a file drops the locks that SQLite has on it.
            os.close(self._lock)


@dataclasses.dataclass(frozen=True, slots=True)
class OldJournal:
    """What a journal holds; ``traces`` reads them one by one."""

    path: Path
    header: JournalHeader
    rows: int
    last: int
    """The number of the last execution, 0 where there is none."""
    seconds: float
    told: Any
    """What was told at the end of the run; None where it has not ended."""

    def traces(self) -> Iterator[Trace]:
        """The executions in the order in which they ended."""
        return map(read_trace, self._rows("trace"))

    def conversations(self) -> Iterator[Conversation]:
        """The same of a run of an sts."""
        return map(read_conversation, self._rows("conversation"))

    def _rows(self, table: str) -> Iterator[Row]:
        database = _connect(self.path, "ro")
        try:
            with _complaining(self.path, "cannot read the journal"):
                yield from database.execute(f"select * from {table} order by number")
        finally:
            database.close()


def new_journal(path: Path, header: JournalHeader) -> Journal:
    """Begin a journal; one that is there already is replaced, unless a run is writing it."""
    if path.exists() and _is_locked(path):
        raise UserError("another run is writing this journal", at=Place(file=str(path)))
    for leftover in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        try:
            leftover.unlink(missing_ok=True)
        except OSError as error:
            raise UserError(f"cannot write: {error.strerror}", at=Place(file=str(path))) from error
    database = _connect(path, "rwc")
    with _complaining(path):
        lock = _prepared(database, path)
        database.executescript(_TABLES)
        with database:
            about = {"format": JOURNAL_FORMAT, "header": dataclasses.asdict(header), "seconds": 0.0, "told": None}
            rows = [(key, json.dumps(value)) for key, value in about.items()]
            database.executemany("insert into about values (?, ?)", rows)
    return Journal(path, database, lock)


def read_journal(path: Path) -> OldJournal:
    """Look into a journal, or say in one line why it is none."""
    at = Place(file=str(path))
    if not path.is_file():
        raise UserError("no such journal", at=at)
    database = _connect(path, "ro")
    try:
        with _complaining(path, "cannot read the journal"):
            about = {key: json.loads(value) for key, value in database.execute("select key, value from about")}
            rows, last = _extent(database)
        if about.get("format") != JOURNAL_FORMAT:
            raise UserError(f"is a journal of format {about.get('format')!r}, expected {JOURNAL_FORMAT!r}", at=at)
        known = {field.name for field in dataclasses.fields(JournalHeader)}
        fields = {key: value for key, value in about["header"].items() if key in known}
        header = JournalHeader(**{**fields, "properties": tuple(fields["properties"])})
    except (ValueError, TypeError, KeyError) as error:
        raise UserError("is no journal of a run: its header cannot be read", at=at) from error
    finally:
        database.close()
    return OldJournal(path, header, rows, last, float(about["seconds"]), about["told"])


def continued(old: OldJournal) -> Journal:
    """Go on writing a journal."""
    database = _connect(old.path, "rw")
    with _complaining(old.path):
        lock = _prepared(database, old.path)
        rows, _ = _extent(database)
    if rows != old.rows:
        raise UserError("another run has written this journal meanwhile", at=Place(file=str(old.path)))
    return Journal(old.path, database, lock)


def _extent(database: sqlite3.Connection) -> tuple[int, int]:
    """How many executions there are, and the number of the last one; a run fills one of the tables."""
    counts = [database.execute(f"{_COUNT} {table}").fetchone() for table in ("trace", "conversation")]
    return sum(rows for rows, _ in counts), max(last for _, last in counts)


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    with _complaining(path, "cannot open the journal"):
        uri = f"{path.resolve().as_uri()}?mode={mode}"
        beside = path.with_name(path.name + "-wal")
        if mode == "ro" and path.is_file() and (not beside.exists() or beside.stat().st_size == 0):
            uri += "&immutable=1"  # nobody is writing: a reader need not leave files beside it
        return sqlite3.connect(uri, uri=True, timeout=0.2)


def _prepared(database: sqlite3.Connection, path: Path) -> int:
    """Set the database up, for one writer at a time as long as it lives; readers are welcome. Returns the lock."""
    database.execute("pragma journal_mode = wal")
    database.execute("pragma synchronous = normal")
    lock = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise UserError("another run is writing this journal", at=Place(file=str(path))) from None
    return lock


def _is_locked(path: Path) -> bool:
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


@contextmanager
def _complaining(path: Path, what: str = "cannot write the journal") -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise UserError(f"{what}: {error}", at=Place(file=str(path))) from error
