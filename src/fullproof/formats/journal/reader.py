"""Reads journals and verifies everything: damage is reported in one line."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.journal import JOURNAL_FORMAT, JournalHeader, Part
from fullproof.core.counted import counted
from fullproof.core.errors import Place, UserError
from fullproof.formats.journal.rows import read_row
from fullproof.formats.journal.seal import check_of, first_link, next_link, seal_of
from fullproof.model.inputs import EVENT_KINDS

_DAMAGED = (ValueError, TypeError, KeyError, AttributeError, OverflowError, ArithmeticError, RecursionError)
"""The exceptions that readers of JSON and of values raise for invalid data."""
_KINDS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "bool": (bool,),
    "int | None": (int, type(None)),
    "tuple[str, ...]": (tuple,),
}
_SEALED = ("seconds", "told", "parts")


@dataclasses.dataclass(frozen=True, slots=True)
class OldJournal:
    """The contents of a journal; ``executions`` reads and checks them one by one."""

    path: Path
    header: JournalHeader
    rows: int
    last: int
    """The number of the last execution, 0 where there is none."""
    seconds: float
    told: Any
    """The guarantee and notes stored at the end of the run; None where it has not ended."""
    parts: tuple[Part, ...] = ()
    first: bytes = b""
    """The start of the hash chain."""
    is_sealed: bool = False
    """Whether its writer closed it: not where that was killed."""

    def executions(self) -> Iterator[Execution]:
        """The executions in the order in which they ended."""
        has_events = json.loads(self.header.suite).get("kind") in EVENT_KINDS
        for row in self._rows():
            try:
                yield read_row(row[:-1], has_events=has_events)
            except _DAMAGED as error:
                raise self._damaged(f"row {row[0]!r} is not an execution of a test") from error

    def checked(self) -> bytes:
        """The hash of the last row, after a check of all rows."""
        link = self.first
        for row in self._rows():
            link = row[-1]
        return link

    def _rows(self) -> Iterator[Sequence[Any]]:
        """The rows, each of which fits those before it."""
        link, count = self.first, 0
        with closing(connect(self.path, "ro")) as database, complaining(self.path, "cannot read the journal"):
            for row in database.execute("select * from execution order by number"):
                link = next_link(link, row[:-1])
                if link != row[-1]:
                    raise self._damaged(
                        f"the hash of row {row[0]!r} does not fit: it was changed, or rows before it lost"
                    )
                count += 1
                yield row
        if count != self.rows:
            raise self._damaged(
                f"{counted(self.rows, 'row was', 'rows were')} there a moment ago, now there are {count:,}"
            )

    def _damaged(self, what: str) -> UserError:
        return UserError(f"is damaged: {what}", at=Place(file=str(self.path)))


def read_journal(path: Path) -> OldJournal:
    """Open a journal, or raise a UserError in one line."""
    at = Place(file=str(path))
    if not path.is_file():
        raise UserError("no such journal", at=at)
    if not path.stat().st_size:
        raise UserError("is empty: the run was stopped before its first test", at=at)
    with closing(connect(path, "ro")) as database:
        try:
            with complaining(path, "cannot read the journal"):
                names = [name for _, name, *_ in database.execute("pragma table_info(about)")]
                table = database.execute("select * from about").fetchall()
                texts = {row[0]: row[1] for row in table}
                _expect_format(json.loads(texts.get("format", '"nothing"')), at, chained="hash" in names)
                for key, value, check in table:
                    if check != check_of(key, value):
                        raise UserError(f"is damaged: its entry {key!r} does not fit its hash", at=at)
                rows, last = extent_of(database)
                end = _last_link(database) or first_link(texts["header"])
            return _journal(path, texts, rows, last, end)
        except _DAMAGED as error:
            raise UserError("is not a journal of a run: its header cannot be read", at=at) from error


def _journal(path: Path, texts: dict[str, str], rows: int, last: int, end: bytes) -> OldJournal:
    about = {key: json.loads(value) for key, value in texts.items()}
    known = {field.name for field in dataclasses.fields(JournalHeader)}
    fields = {key: value for key, value in about["header"].items() if key in known}
    lists = {name: tuple(fields[name]) for name in ("properties", "meta") if name in fields}
    header = JournalHeader(**{**fields, **lists})
    for field in dataclasses.fields(JournalHeader):
        value, kinds = getattr(header, field.name), _KINDS[str(field.type)]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise TypeError(field.name)
    if about["seal"] is not None and about["seal"] != seal_of(rows, end, {key: texts[key] for key in _SEALED}):
        message = f"is damaged: it was sealed with other rows than the {rows:,} that it holds"
        raise UserError(message, at=Place(file=str(path)))
    if about["told"] is not None and about["seal"] is None:
        raise UserError("is damaged: it stores the end of a run and has no seal", at=Place(file=str(path)))
    parts = tuple(Part(**part) for part in about["parts"])
    return OldJournal(
        path,
        header,
        rows,
        last,
        float(about["seconds"]),
        about["told"],
        parts,
        first_link(texts["header"]),
        about["seal"] is not None,
    )


def _expect_format(found: object, at: Place, *, chained: bool) -> None:
    if found != JOURNAL_FORMAT:
        raise UserError(f"is a journal of format {found!r}, expected {JOURNAL_FORMAT!r}", at=at)
    if not chained:
        raise UserError("is damaged: its rows have no hashes", at=at)


def extent_of(database: sqlite3.Connection) -> tuple[int, int]:
    """How many executions there are, and the number of the last one."""
    rows, last = database.execute("select count(*), coalesce(max(number), 0) from execution").fetchone()
    return rows, last


def _last_link(database: sqlite3.Connection) -> bytes | None:
    found = database.execute("select hash from execution order by number desc limit 1").fetchone()
    if found is None:
        return None
    return bytes(found[0]) if isinstance(found[0], bytes) else b""


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open the database of a journal."""
    with complaining(path, "cannot open the journal"):
        try:
            uri = f"{path.resolve().as_uri()}?mode={mode}"
            beside = path.with_name(path.name + "-wal")
            if mode == "ro" and path.is_file() and (not beside.exists() or beside.stat().st_size == 0):
                uri += "&immutable=1"  # no writer is active: a reader need not leave files beside it
        except (OSError, ValueError) as error:
            raise UserError(f"cannot open the journal: {error}", at=Place(file=str(path))) from error
        return sqlite3.connect(uri, uri=True, timeout=0.2)


@contextmanager
def complaining(path: Path, what: str) -> Iterator[None]:
    """Convert errors of the database to one line."""
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning, UnicodeDecodeError) as error:  # the latter for damaged names of columns
        raise UserError(f"{what}: {error}", at=Place(file=str(path))) from error
