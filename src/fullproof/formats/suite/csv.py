"""Suites as tables: the header as rows of a key and a value, then a row for each test.

    fullproof,suite/1
    model,turnstile
    ...
    test,covers,inputs
    t-4aba6a0b0071,,coin,coin,push,coin

Each input has a cell of its own. A cell that begins with ``"``, ``{`` or ``[`` is JSON, any other one is the symbol
itself; one that a spreadsheet would take for a formula is written as JSON. ``covers`` is empty or a JSON array. Every
row is one line, blank cells at the end of a row do not count, and semicolons or tabs may separate the cells, as
spreadsheets have it.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from fullproof.artefacts.suite import Test
from fullproof.artefacts.tables import FORMULA_MARKS
from fullproof.core.errors import Place, UserError
from fullproof.formats.source import source_lines
from fullproof.formats.suite.records import FORMAT_KEY, NUMBERS, SuiteRecord, decode_value, test_of

_COLUMNS = ("test", "covers", "inputs")
_HEAD = re.compile(rf'"?{FORMAT_KEY}"?([,;\t])"?suite/')


def csv_text(lines: Iterable[str]) -> Iterator[str]:
    """The rows of a suite that comes as JSON Lines, each with its line end; nothing is kept."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for number, line in enumerate(lines):
        record = json.loads(line)
        if number:
            covers = [json_cell(record["covers"]) if record["covers"] else ""]
            writer.writerow([_cell(record["id"]), *covers, *map(_cell, record["inputs"])])
        else:
            writer.writerows([key, _cell(value)] for key, value in record.items())
            writer.writerow(_COLUMNS)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def json_cell(value: object) -> str:
    """A value as JSON on one line, with all characters escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if text.isprintable() else json.dumps(value, separators=(",", ":"))


def _cell(value: object) -> str:
    """A symbol as it is where that can be read back from one line; anything else as JSON.

    JSON, too, what a spreadsheet would take for a formula.
    """
    if not isinstance(value, str):
        return json_cell(value)
    plain = value and value[0] not in '"{[' + FORMULA_MARKS and value.isprintable() and value == value.strip()
    return value if plain else json_cell(value)


def is_csv_head(line: str) -> bool:
    """Whether the first line of a file is that of a suite in CSV."""
    return _separator(line) is not None


def _separator(line: str) -> str | None:
    """The separator of the first two cells of a suite; None where the line does not belong to a suite."""
    found = _HEAD.match(line)
    return found[1] if found else None


def read_csv_suite(path: Path) -> tuple[SuiteRecord, Iterator[tuple[Place, Test]]]:
    """Read the header now and the tests with their places while they are asked for; a mistake names its line."""
    rows = _rows(path)
    record = SuiteRecord()
    record.at = Place(file=str(path), line=1)
    for at, row in rows:
        if tuple(cell.strip() for cell in row) == _COLUMNS:
            return record, ((at, _test(at, row, record.get("kind"))) for at, row in rows)
        if len(row) != 2:
            raise UserError(f"expected a key and a value, or the row {','.join(_COLUMNS)}", at=at)
        key, value = row
        record[key] = int(value) if key in NUMBERS and value.isascii() and value.isdigit() else _value(value, at)
    raise UserError(f"not a suite: the row {','.join(_COLUMNS)} is missing", at=Place(file=str(path)))


def _test(at: Place, row: list[str], kind: object) -> Test:
    record = SuiteRecord(id=_value(row[0], at), covers=[], inputs=[_value(cell, at) for cell in row[2:]])
    if len(row) > 1 and row[1]:
        record["covers"] = _value(row[1], at)
    record.at = at
    return test_of(record, kind)


def _value(cell: str, at: Place) -> object:
    """What a cell stands for; numbers inside JSON are exact."""
    if cell[:1] not in ('"', "{", "["):
        return cell
    try:
        return decode_value(cell, at)
    except UserError as error:
        raise UserError(f"{error.message} in the cell {cell[:60]}", at=at) from None


def _rows(path: Path) -> Iterator[tuple[Place, list[str]]]:
    """The rows that are not blank, without the blank cells at their ends."""
    separator: str | None = None
    for number, text in source_lines(path):
        at = Place(file=str(path), line=number)
        separator = separator or _separator(text) or ","
        try:
            row = next(csv.reader([text], delimiter=separator, strict=True))
        except csv.Error as error:
            raise UserError(f"not CSV: {error}", at=at) from None
        while row and not row[-1]:
            row.pop()
        if row:
            yield at, row
