"""Suite files: JSON Lines, a header and then one test a line, so that a suite of any size can be streamed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from fullproof.artefacts.suite import SUITE_FORMAT, SuiteHeader, Test, TestInput, id_of, json_input, make_test
from fullproof.core.errors import Place, UserError
from fullproof.core.files import replacing
from fullproof.core.suggest import did_you_mean
from fullproof.formats.source import source_lines
from fullproof.language.types import Value
from fullproof.language.values import number_from_json

FORMAT_KEY = "fullproof"
_NUMBERS = ("extra_states", "tests", "inputs")
_RATIO = re.compile(r"-?[0-9]+/[0-9]+\Z")


def write_suite(path: Path, header: SuiteHeader, tests: Iterable[Test]) -> None:
    """Write a suite in one step and constant memory: until the last test is written, the old file stays.

    The same header and tests give the same bytes.
    """
    with replacing(Path(path)) as out:
        out.writelines(suite_lines(header, tests))


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write the lines of a suite in one step, like ``write_suite``."""
    with replacing(Path(path)) as out:
        out.writelines(lines)


def header_line(header: SuiteHeader) -> str:
    """The first line of a suite file."""
    known = {name: value for name, value in asdict(header).items() if value is not None}
    return _line({FORMAT_KEY: SUITE_FORMAT, **known})


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
        inputs = [json_input(symbol) for symbol in test.inputs]
        yield _line({"id": test.id, "inputs": inputs, "covers": list(test.covers)})


def read_suite(path: Path) -> tuple[SuiteHeader, Iterator[Test]]:
    """Read the header now and the tests while they are asked for; a mistake names its line and what was expected there.

    Numbers are exact: ``0.9`` is 9/10, and a text such as ``"20/3"`` is that fraction. Keys that this version does not
    know are passed over.
    """
    path = Path(path)
    lines = source_lines(path)
    number, text = next(lines, (1, ""))
    if not text:
        raise UserError("the file is empty, expected the header of a suite", at=Place(file=str(path)))
    return _header(_object(text, Place(file=str(path), line=number))), _tests(path)


def model_sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", at=Place(file=str(path))) from None


def read_plain_suite(path: Path, *, inputs: Collection[str] = ()) -> Iterator[Test]:
    """Read tests of an fsm that another tool wrote: one a line, inputs separated by blanks or commas.

    Lines that begin with ``#`` are comments. Symbols may hold blanks or commas themselves where ``inputs`` lists all
    symbols: the line is taken apart in the way that yields known symbols only; where none does, that is an error.
    """
    path = Path(path)
    known = set(inputs)
    for number, text in source_lines(path):
        if text.lstrip().startswith("#") and text.strip() not in known:
            continue
        yield make_test(_plain_word(text, known, Place(file=str(path), line=number)))


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


class _Object(dict[str, object]):
    """A JSON object that remembers where it stood."""

    at: Place = Place()


def _line(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def _tests(path: Path) -> Iterator[Test]:
    for number, text in islice(source_lines(path), 1, None):
        yield _test(_object(text, Place(file=str(path), line=number)))


def _object(text: str, at: Place) -> _Object:
    try:
        record = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        place = Place(file=at.file, line=at.line, column=error.colno)
        raise UserError(f"not JSON: {error.msg[0].lower()}{error.msg[1:]}", at=place) from None
    except UserError as error:
        raise UserError(error.message, at=at) from None
    except RecursionError:
        raise UserError("not a suite: brackets are nested too deeply", at=at) from None
    if not isinstance(record, dict):
        raise UserError("expected a JSON object, one on each line", at=at)
    if "\\ud" in text.lower() and not _is_text(record):
        raise UserError("half of a surrogate pair is not a character", at=at)
    found = _Object(record)
    found.at = at
    return found


def _header(record: _Object) -> SuiteHeader:
    if record.get(FORMAT_KEY) != SUITE_FORMAT:
        message = f'not a suite: the first line should hold "{FORMAT_KEY}": "{SUITE_FORMAT}"'
        if FORMAT_KEY in record:
            message = f"suite format {_shown(record[FORMAT_KEY])} is unknown, expected {SUITE_FORMAT!r}"
        raise UserError(message, at=record.at)
    values: dict[str, Any] = {}
    for field in fields(SuiteHeader):
        value, is_number = record.get(field.name), field.name in _NUMBERS
        if value is None and field.default is None:
            continue
        if is_number and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
            message = f"the header's {field.name!r} should be a whole number, found {_shown(value)}"
            raise UserError(message, at=record.at)
        if not is_number and not isinstance(value, str):
            raise UserError(f"the header's {field.name!r} should be a text, found {_shown(value)}", at=record.at)
        values[field.name] = value
    return SuiteHeader(**values)


def _test(record: _Object) -> Test:
    name, inputs, covers = record.get("id"), record.get("inputs"), record.get("covers", [])
    if not isinstance(name, str):
        raise UserError(f"the test's 'id' should be a text, found {_shown(name)}", at=record.at)
    if not isinstance(inputs, list):
        raise UserError(f"the test's 'inputs' should be a list, found {_shown(inputs)}", at=record.at)
    if not isinstance(covers, list) or not all(isinstance(item, str) for item in covers):
        raise UserError(f"the test's 'covers' should be a list of texts, found {_shown(covers)}", at=record.at)
    return Test(id=name, inputs=tuple(_input(item, record.at) for item in inputs), covers=tuple(covers))


def _input(item: object, at: Place) -> TestInput:
    if isinstance(item, str):
        return item
    if not isinstance(item, dict):
        raise UserError(f'an input should be a text or an object such as {{"x": 200}}, found {_shown(item)}', at=at)
    return {name: _value(value, at) for name, value in item.items()}


def _value(value: object, at: Place) -> Value:
    if isinstance(value, bool | int | Fraction):
        return value
    if isinstance(value, str):
        if not _RATIO.match(value):
            return value
        number = number_from_json(value, at=at)
        if number is not None:
            return number
    raise UserError(f"expected a number, a truth value or a text, found {_shown(value)}", at=at)


def _exact(text: str) -> Fraction | int:
    number = number_from_json(text)
    if number is None:
        raise UserError(f"{text[:60]} is not a number")
    return number


def _refuse(text: str) -> NoReturn:
    raise UserError(f"{text} is not a number")


def _is_text(record: object) -> bool:
    try:
        json.dumps(record, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


_DECODER = json.JSONDecoder(parse_float=_exact, parse_int=_exact, parse_constant=_refuse)
