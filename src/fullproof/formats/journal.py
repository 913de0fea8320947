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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

from fullproof.artefacts.journal import JOURNAL_FORMAT, JournalHeader
from fullproof.artefacts.suite import Test, TestInput
from fullproof.artefacts.trace import Columns, Step, Trace
from fullproof.core.errors import Place, UserError

_TABLES = """
create table about (key text primary key, value text not null) without rowid;
create table trace (
  number integer primary key, test text not null, repetition integer not null, inputs text not null,
  outputs text not null, enabled text, at_end text, error text, evidence text not null
);
"""
_INSERT = "insert into trace values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_SELECT = "select * from trace order by number"
_PATIENCE = 0.05
"""Seconds between commits."""


class Journal:
    """A journal that is being written; nobody else may write it meanwhile."""

    def __init__(self, path: Path, database: sqlite3.Connection, lock: int) -> None:
        self.path = path
        self._database = database
        self._lock = lock
        self._waiting: list[tuple[object, ...]] = []
        self._committed = time.monotonic()

    def add(self, trace: Trace) -> None:
        """Write down one execution of a test, whose number in the run is larger than those before it."""
        steps = trace.steps
        enabled = None
        if not isinstance(steps, Columns) and any(step.enabled is not None for step in steps):
            enabled = _dumps([None if step.enabled is None else sorted(step.enabled) for step in steps])
        outputs = steps.outputs if isinstance(steps, Columns) else [step.output for step in steps]
        at_end = None if trace.enabled_at_end is None else _dumps(sorted(trace.enabled_at_end))
        test = trace.test
        row = (
            trace.number, test.id, trace.repetition, _dumps(test.inputs), _dumps(outputs), enabled, at_end,
            None if trace.error is None else _text(trace.error), _text(trace.evidence),
        )  # fmt: skip
        self._waiting.append(row)
        if time.monotonic() - self._committed > _PATIENCE:
            self.commit()

    def commit(self) -> None:
        """Make everything so far survive the end of this process."""
        if self._waiting:
            with _complaining(self.path), self._database:
                self._database.executemany(_INSERT, self._waiting)
            self._waiting.clear()
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
        database = _connect(self.path, "ro")
        try:
            with _complaining(self.path, "cannot read the journal"):
                for row in database.execute(_SELECT):
                    yield _trace(row)
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
            rows, last = database.execute("select count(*), coalesce(max(number), 0) from trace").fetchone()
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
        (rows,) = database.execute("select count(*) from trace").fetchone()
    if rows != old.rows:
        raise UserError("another run has written this journal meanwhile", at=Place(file=str(old.path)))
    return Journal(old.path, database, lock)


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


def _text(text: str) -> str:
    """A system may print halves of characters, which UTF-8 cannot hold."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


@contextmanager
def _complaining(path: Path, what: str = "cannot write the journal") -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise UserError(f"{what}: {error}", at=Place(file=str(path))) from error


def _trace(row: Sequence[Any]) -> Trace:
    number, test, repetition, inputs, outputs, enabled, at_end, error, evidence = row
    word = tuple(_read_input(symbol) for symbol in json.loads(inputs))
    seen = [_read_value(value) for value in json.loads(outputs)]
    steps: Sequence[Step]
    if enabled is None:
        steps = Columns(word, seen)
    else:
        offered = [None if names is None else frozenset(names) for names in json.loads(enabled)]
        steps = tuple(map(Step, word, seen, offered))
    ended = None if at_end is None else frozenset(json.loads(at_end))
    return Trace(Test(id=test, inputs=word), steps, ended, error, evidence, repetition, number)


def _dumps(value: object) -> str:
    return json.dumps(value, default=_exact, separators=(",", ":"))


def _exact(value: object) -> object:
    """Fractions are pairs, so that no text can be taken for one."""
    if isinstance(value, Fraction):
        return [value.numerator, value.denominator]
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)


def _read_input(symbol: Any) -> TestInput:
    return symbol if isinstance(symbol, str) else {name: _read_number(value) for name, value in symbol.items()}


def _read_value(value: Any) -> object:
    return {name: _read_number(part) for name, part in value.items()} if isinstance(value, dict) else value


def _read_number(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(part, int) for part in value):
        return Fraction(value[0], value[1])
    return value  # a list of texts is the signals that a state machine has sent
