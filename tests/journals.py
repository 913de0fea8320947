"""Journals as something else has left them: cut by a kill, or edited with knowledge of how they are sealed."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from fullproof.formats.journal.seal import check_of, first_link, next_link, seal_of

SEALED = ("seconds", "told", "parts")


def cut(journal: Path, rows: int) -> None:
    """As a kill would leave it after so many executions."""
    with closing(sqlite3.connect(journal)) as database, database:
        for table in ("execution",):
            database.execute(f"delete from {table} where number > ?", (rows,))
        for key in ("told", "seal"):
            database.execute("update about set value = 'null', hash = ? where key = ?", (check_of(key, "null"), key))


def forge(journal: Path) -> None:
    """Make all hashes of a journal fit what it holds."""
    with closing(sqlite3.connect(journal)) as database, database:
        about = dict(database.execute("select key, value from about").fetchall())
        link, count = first_link(about["header"]), 0
        for table in ("execution",):
            for row in database.execute(f"select * from {table} order by number").fetchall():
                link, count = next_link(link, row[:-1]), count + 1
                database.execute(f"update {table} set hash = ? where number = ?", (link, row[0]))
        if about["seal"] != "null":
            about["seal"] = json.dumps(seal_of(count, link, {key: about[key] for key in SEALED}))
        for key, value in about.items():
            database.execute("update about set value = ?, hash = ? where key = ?", (value, check_of(key, value), key))


def execute(journal: Path, *statements: str) -> None:
    """Change a journal by SQL."""
    with closing(sqlite3.connect(journal)) as database, database:
        for statement in statements:
            database.execute(statement)


VARYING = {"seconds", "started", "command", "hashes"}
"""Fields that differ between two runs of the same outcome, or between a run and its judgement."""
