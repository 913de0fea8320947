"""The records of a suite file, in any notation: a header and tests, each checked where it is read."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any, NoReturn

from fullproof.artefacts.guarantee import Guarantee, stated
from fullproof.artefacts.guarantee_json import from_json
from fullproof.artefacts.suite import SUITE_FORMAT, SuiteDomain, SuiteHeader, Test, TestInput
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.language.types import Value
from fullproof.language.values import number_from_json
from fullproof.model.inputs import EVENT_KINDS, SignalEvent, read_input

FORMAT_KEY = "fullproof"
NUMBERS = ("extra_states", "regions", "tests", "inputs")
_RATIO = re.compile(r"-?[0-9]+/[0-9]+\Z")


class SuiteRecord(dict[str, object]):
    """A JSON object with its place."""

    at: Place = Place()


def decode_record(text: str, at: Place) -> SuiteRecord:
    """Read a JSON object; numbers are exact."""
    record = decode_value(text, at)
    if not isinstance(record, dict):
        raise UserError("expected a JSON object, one on each line", at=at)
    found = SuiteRecord(record)
    found.at = at
    return found


def decode_value(text: str, at: Place) -> object:
    """Read any JSON value; numbers are exact."""
    try:
        value: object = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        place = Place(file=at.file, line=at.line, column=error.colno)
        raise UserError(f"not JSON: {error.msg[0].lower()}{error.msg[1:]}", at=place) from None
    except UserError as error:
        raise UserError(error.message, at=at) from None
    except RecursionError:
        raise UserError("not a suite: brackets are nested too deeply", at=at) from None
    if "\\ud" in text.lower() and not _is_text(value):
        raise UserError("half of a surrogate pair is not a character", at=at)
    return value


def header_of(record: SuiteRecord) -> SuiteHeader:
    """Check and build a header."""
    if record.get(FORMAT_KEY) != SUITE_FORMAT:
        message = f'not a suite: the first line should hold "{FORMAT_KEY}": "{SUITE_FORMAT}"'
        if FORMAT_KEY in record:
            message = f"suite format {_shown(record[FORMAT_KEY])} is unknown, expected {SUITE_FORMAT!r}"
        raise UserError(message, at=record.at)
    values: dict[str, Any] = {}
    for field in fields(SuiteHeader):
        value, is_number = record.get(field.name), field.name in NUMBERS
        if value is None and field.default is None:
            continue
        if field.name == "domain":
            values[field.name] = domain_of(value, record.at)
            continue
        if field.name == "events":
            values[field.name] = events_of(value, record.at)
            continue
        if field.name == "guarantee":
            values[field.name] = guarantee_of(record, record.at)
            continue
        if is_number and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
            message = f"the header's {field.name!r} should be a whole number, found {_shown(value)}"
            raise UserError(message, at=record.at)
        if not is_number and not isinstance(value, str):
            raise UserError(f"the header's {field.name!r} should be a text, found {_shown(value)}", at=record.at)
        values[field.name] = value
    return SuiteHeader(**values)


def guarantee_of(record: Mapping[str, object], at: Place = NOWHERE) -> Guarantee:
    """The guarantee of a header: its data, or, where a file has none, its sentence alone."""
    sentence, claim = record.get("guarantee"), record.get("claim")
    if not isinstance(sentence, str):
        raise UserError(f"the header's 'guarantee' should be a text, found {_shown(sentence)}", at=at)
    return stated(sentence) if claim is None else from_json(claim, at=at)


def domain_of(value: object, at: Place) -> SuiteDomain:
    """Check and build the fault domain of a header."""
    known = value if isinstance(value, Mapping) else {}
    values: dict[str, Any] = {}
    for field in fields(SuiteDomain):
        found, what = known.get(field.name), f"the header's 'domain' should be an object whose {field.name!r} is"
        if found is None and field.default == ():
            continue
        if field.name == "states":
            if not isinstance(found, int) or isinstance(found, bool) or found < 0:
                raise UserError(f"{what} a whole number, found {_shown(found)}", at=at)
        elif field.name == "single":
            if not isinstance(found, bool):
                raise UserError(f"{what} true or false, found {_shown(found)}", at=at)
        elif not isinstance(found, list | tuple) or not all(isinstance(text, str) for text in found):
            raise UserError(f"{what} a list of texts, found {_shown(found)}", at=at)
        values[field.name] = tuple(found) if isinstance(found, list | tuple) else found
    return SuiteDomain(**values)


def events_of(value: object, at: Place) -> tuple[tuple[SignalEvent, ...], ...]:
    """Check and build the events that the claim of a suite is about."""
    parts = [part for part in value if isinstance(part, list)] if isinstance(value, list) else []
    if not isinstance(value, list) or len(parts) < len(value):
        raise UserError(f"the header's 'events' should be a list of lists of events, found {_shown(value)}", at=at)
    read = [tuple(_input(item, at, has_events=True) for item in part) for part in parts]
    found = tuple(tuple(event for event in part if isinstance(event, SignalEvent)) for part in read)
    if [*map(len, found)] != [*map(len, read)]:
        raise UserError("the header's 'events' should be events, signals with values", at=at)
    return found


def test_of(record: SuiteRecord, kind: object) -> Test:
    """Check and build a test for models of this kind."""
    name, inputs, covers = record.get("id"), record.get("inputs"), record.get("covers", [])
    if not isinstance(name, str):
        raise UserError(f"the test's 'id' should be a text, found {_shown(name)}", at=record.at)
    if not isinstance(inputs, list):
        raise UserError(f"the test's 'inputs' should be a list, found {_shown(inputs)}", at=record.at)
    if not isinstance(covers, list) or not all(isinstance(item, str) for item in covers):
        raise UserError(f"the test's 'covers' should be a list of texts, found {_shown(covers)}", at=record.at)
    has_events = kind in EVENT_KINDS
    read = tuple(_input(item, record.at, has_events=has_events) for item in inputs)
    return Test(id=name, inputs=read, covers=tuple(covers))


def _input(item: object, at: Place, *, has_events: bool) -> TestInput:
    if not isinstance(item, str | dict):
        raise UserError(f'an input should be a text or an object such as {{"x": 200}}, found {_shown(item)}', at=at)
    return read_input(item, lambda _name, value: _value(value, at), has_events=has_events)


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
