"""Reads suite files, test by test."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path

from fullproof.artefacts.suite import SuiteHeader, Test, make_test
from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.formats.source import source_lines
from fullproof.formats.suite.csv import is_csv_head, read_csv_suite
from fullproof.formats.suite.records import FORMAT_KEY, SuiteRecord, decode_record, header_of, test_of
from fullproof.model.input_text import input_of, typed_words
from fullproof.model.inputs import TestInput
from fullproof.model.interface import Interface


def read_suite(path: Path) -> tuple[SuiteHeader, Iterator[Test]]:
    """Read the header now and the tests while they are asked for; a mistake names its line and what was expected there.

    Numbers are exact: ``0.9`` is 9/10, and a text such as ``"20/3"`` is that fraction. Unknown keys are ignored.
    Whether a file is CSV is seen by its first line.
    """
    record, tests = placed_tests(path)
    return header_of(record), (test for _, test in tests)


def placed_tests(path: Path) -> tuple[SuiteRecord, Iterator[tuple[Place, Test]]]:
    """The header of a suite as it is, and its tests, each with its place."""
    path = Path(path)
    number, text = next(source_lines(path), (1, ""))
    if not text:
        raise UserError("the file is empty, expected the header of a suite", at=Place(file=str(path)))
    if is_csv_head(text):
        return read_csv_suite(path)
    record = decode_record(text, Place(file=str(path), line=number))
    return record, _tests(path, record.get("kind"))


def is_suite(path: Path) -> bool:
    """Whether a file begins like a suite of fullproof; a plain one begins with a symbol."""
    _, text = next(source_lines(Path(path)), (1, ""))
    return is_csv_head(text) or (text.lstrip().startswith("{") and f'"{FORMAT_KEY}"' in text)


def is_plain(path: Path) -> bool:
    """Whether a file holds tests as plain text: it begins neither like JSON nor like a suite in CSV."""
    _, text = next(source_lines(Path(path)), (1, ""))
    return bool(text) and not is_csv_head(text) and not text.lstrip().startswith(("{", "["))


def read_plain_suite(path: Path, *, inputs: Collection[str] = (), interface: Interface | None = None) -> Iterator[Test]:
    """Read tests that another tool or a person wrote: one a line, inputs separated by blanks or commas.

    Lines that begin with ``#`` are comments. Symbols may hold blanks or commas themselves where ``inputs`` lists all
    symbols: the line is taken apart in the way that yields known symbols only; where none does, that is an error.
    Inputs of an ``interface`` that are no symbols are separated by blanks: ``temp=17 temp=22``, ``go(x=3) stop``.
    """
    path = Path(path)
    known = set(inputs or (() if interface is None else interface.symbols))
    for number, text in source_lines(path):
        if text.lstrip().startswith("#") and text.strip() not in known:
            continue
        at = Place(file=str(path), line=number)
        if known or interface is None:
            yield make_test(_plain_word(text, known, at))
        else:
            yield make_test(_typed(text, interface, at))


def _typed(text: str, interface: Interface, at: Place) -> list[TestInput]:
    try:
        return [input_of(word, interface) for word in typed_words(text)]
    except UserError as error:
        raise UserError(error.message, at=at) from None


def _plain_word(text: str, known: Collection[str], at: Place) -> list[str]:
    by_commas = [word.strip() for word in text.strip().strip(",").split(",")]
    readings = [re.split(r"[\s,]+", text.strip(" \t,")), text.split(), by_commas]
    unknown = [[word for word in reading if word not in known] for reading in readings]
    if not known:
        return readings[0]
    if [] in unknown:
        return readings[unknown.index([])]
    wrong = min(unknown, key=len)[0]
    raise UserError(f"unknown input {wrong[:60]!r}{did_you_mean(wrong[:60], known)}", at=at)


def _tests(path: Path, kind: object) -> Iterator[tuple[Place, Test]]:
    for number, text in islice(source_lines(path), 1, None):
        at = Place(file=str(path), line=number)
        yield at, test_of(decode_record(text, at), kind)
