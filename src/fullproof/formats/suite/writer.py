"""Writes suite files, with the digest of what they hold."""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from fullproof.artefacts.suite import SUITE_FORMAT, SuiteHeader, Test, header_record, id_of, json_input
from fullproof.core.files import replacing
from fullproof.formats.suite.csv import csv_text
from fullproof.formats.suite.digest import Sealing
from fullproof.formats.suite.records import FORMAT_KEY

CSV_ENDING = ".csv"


def write_suite(path: Path, header: SuiteHeader, tests: Iterable[Test]) -> None:
    """Write a suite in one step and constant memory: until the last test is written, the old file stays.

    The same header and tests give the same bytes.
    """
    write_lines(path, suite_lines(header, tests))


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a suite that comes as JSON Lines in one step, in the notation of the file's ending, with its digest."""
    sealing = Sealing(lines)
    texts = csv_text(sealing.lines()) if Path(path).suffix.lower() == CSV_ENDING else sealing.lines()
    with replacing(Path(path)) as out:
        if out.seekable():
            sealing.write(out, texts)
        else:
            _by_way_of_a_file(sealing, texts, out)


def print_lines(out: TextIO, lines: Iterable[str]) -> None:
    """Write a suite that comes as JSON Lines to a stream that is not seekable, with its digest."""
    sealing = Sealing(lines)
    _by_way_of_a_file(sealing, sealing.lines(), out)


def lines_sha256(lines: Iterable[str]) -> str:
    """The SHA-256 of the file that ``write_lines`` would make of them, as JSON Lines. It is made in memory."""
    sealing, raw = Sealing(lines), io.BytesIO()
    with io.TextIOWrapper(raw, encoding="utf-8", newline="\n") as out:
        sealing.write(out, sealing.lines())
        out.flush()
        return hashlib.sha256(raw.getvalue()).hexdigest()


def _by_way_of_a_file(sealing: Sealing, texts: Iterator[str], out: TextIO) -> None:
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n") as spool:
        sealing.write(spool, texts)
        spool.seek(0)
        out.writelines(spool)


def header_line(header: SuiteHeader) -> str:
    """The first line of a suite file."""
    return _line({FORMAT_KEY: SUITE_FORMAT, **header_record(header)})


def symbol_line(symbols: Sequence[str], covers: Iterable[str]) -> str:
    """One test of an fsm whose inputs are JSON texts already: five times as fast as by way of a Test, the same bytes.

    Suites have tens of millions of tests, over a handful of symbols.
    """
    inner = ",".join(symbols)
    name = id_of(f"[{inner}]")
    return f'{{"id":"{name}","inputs":[{inner}],"covers":[{",".join(map(json_text, covers))}]}}\n'


def json_text(symbol: object) -> str:
    """An input, in its JSON form, as it stands in a suite file and as the ids of tests are made from it."""
    return json.dumps(symbol, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def suite_lines(header: SuiteHeader, tests: Iterable[Test]) -> Iterator[str]:
    """Yield the lines of a suite file."""
    yield header_line(header)
    for test in tests:
        yield test_line(test)[0]


def test_line(test: Test) -> tuple[str, str]:
    """One test as it stands in a suite file, and its inputs alone."""
    inputs = [json_input(symbol) for symbol in test.inputs]
    return _line({"id": test.id, "inputs": inputs, "covers": list(test.covers)}), json_text(inputs)


def _line(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
