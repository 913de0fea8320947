"""Traces that others recorded, as JSON Lines: one input with its output a line, and a mapping for other shapes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fullproof.artefacts.execution import Execution, Step
from fullproof.artefacts.suite import Test
from fullproof.core.errors import Place, UserError
from fullproof.execute.adapters.mapping import MappingFile, read_mapping
from fullproof.execute.observation import reader_of, shown
from fullproof.execute.sut import SutError
from fullproof.formats.source import source_lines
from fullproof.model.interface import Interface

_OF_EVENTS = ("values", "silence", "time", "gap", "crossing")
"""Keys for systems that emit outputs spontaneously."""
_KEYS = ("trace", "reset", "only", "input", "output", "inputs", "outputs", *_OF_EVENTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogMapping:
    """Where a line has what: paths are names separated by points, ``request.path``.

    ``trace`` is the path of what distinguishes traces, such as a session; ``reset`` and ``only`` are values by path:
    lines that begin a new trace, and lines that count. ``inputs`` and ``outputs`` translate what was recorded. The
    others are for systems that emit outputs spontaneously: where the values of a gate are, which lines say that the
    system was silent, when a line was written, and a distance in seconds that counts as silence; ``crossing``: whether
    inputs and outputs may have crossed on their way to the log.
    """

    trace: str | None = "trace"
    reset: Mapping[str, object] = field(default_factory=dict)
    only: Mapping[str, object] = field(default_factory=dict)
    input: str | Mapping[str, str] | None = None
    output: str | Mapping[str, str] | None = None
    inputs: Mapping[str, object] = field(default_factory=dict)
    outputs: Mapping[str, object] = field(default_factory=dict)
    values: str | Mapping[str, str] | None = None
    silence: Mapping[str, object] = field(default_factory=dict)
    time: str | None = None
    gap: float | None = None
    crossing: bool = False
    events_at: Place | None = None
    """Where a mapping file has the first key for systems that emit outputs spontaneously."""


@dataclass(frozen=True, slots=True)
class RecordedTrace:
    """One trace, and the lines of its steps."""

    name: str
    execution: Execution
    lines: tuple[int, ...]


def read_log_mapping(path: Path | None) -> LogMapping:
    """The mapping of a file; None: lines have ``trace``, ``input`` and ``output``."""
    if path is None:
        return LogMapping()
    read = read_mapping(path, keys=_KEYS)
    return LogMapping(
        trace=read.text("trace"),
        reset=_values(read, "reset"),
        only=_values(read, "only"),
        input=_paths(read, "input"),
        output=_paths(read, "output"),
        inputs=_values(read, "inputs"),
        outputs=_values(read, "outputs"),
        values=_paths(read, "values"),
        silence=_values(read, "silence"),
        time=read.text("time"),
        gap=_gap(read),
        crossing=_yes(read, "crossing"),
        events_at=next((read.place(key) for key in _OF_EVENTS if key in read), None),
    )


def _gap(read: MappingFile) -> float | None:
    """The distance in seconds that counts as silence."""
    if "gap" not in read:
        return None
    found = read.plain("gap")
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 < found < math.inf:
        raise UserError(f"expected seconds above 0 for 'gap', found {shown(found)}", at=read.place("gap"))
    if "time" not in read:
        raise UserError("'gap' needs 'time': where a line has the time at which it was written", at=read.place("gap"))
    return float(found)


def _yes(read: MappingFile, key: str) -> bool:
    found = read.plain(key) if key in read else False
    if not isinstance(found, bool):
        raise UserError(f"expected true or false for {key!r}, found {shown(found)}", at=read.place(key))
    return found


def _values(read: MappingFile, key: str) -> dict[str, object]:
    part = read.part(key)
    return {} if part is None else {name: part.plain(name) for name in part}


def _texts(read: MappingFile, key: str) -> dict[str, str]:
    part = read.part(key)
    return {} if part is None else {name: part.text(name) or "" for name in part}


def _paths(read: MappingFile, key: str) -> str | dict[str, str] | None:
    return _texts(read, key) if read.is_keys(key) else read.text(key)


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a log that belongs to a trace."""

    trace: str
    number: int
    record: Mapping[str, object]
    at: Place

    def has(self, where: str | Mapping[str, str]) -> bool:
        """Whether there is something at a path, or at one of several."""
        return _has(self.record, where)

    def taken(self, where: str | Mapping[str, str]) -> object:
        """What is at a path, or at several by their names."""
        return _taken(self.record, where)

    def says(self, values: Mapping[str, object]) -> bool:
        """Whether it has these values by path."""
        return all(_at(self.record, where) == value for where, value in values.items())

    def lacking(self, *where: str | Mapping[str, str]) -> UserError:
        """The complaint about a line that has nothing at a path."""
        return UserError(f"no {' or '.join(map(_named, where))} in {shown(self.record)}", at=self.at)


def log_lines(path: Path, mapping: LogMapping) -> Iterator[LogLine]:
    """The lines that count, each with its trace. Traces of different names may be interleaved."""
    begun: dict[str, int] = {}
    for number, text in source_lines(Path(path)):
        at = Place(file=str(path), line=number)
        record = _record(text, at)
        session = str(_at(record, mapping.trace)) if mapping.trace and _has(record, mapping.trace) else ""
        line = LogLine("", number, record, at)
        if mapping.reset and line.says(mapping.reset):
            begun[session] = begun.get(session, 0) + 1
            continue
        if line.says(mapping.only):
            name = session if begun.get(session, 0) < 2 else f"{session} ({begun[session]})"
            yield LogLine(name, number, record, at)


def recorded_traces(path: Path, interface: Interface, mapping: LogMapping) -> Iterator[RecordedTrace]:
    """The traces of a log of a system that answers each input, in the order of their first steps; a line that does not
    fit is a UserError with its place.
    """
    if mapping.events_at is not None:
        names = ", ".join(_OF_EVENTS)
        message = f"{names} are for systems that emit outputs spontaneously (sts), not for those that answer each input"
        raise UserError(message, at=mapping.events_at)
    steps: dict[str, list[tuple[int, Step]]] = {}
    reader = reader_of(interface)
    asked, answered = mapping.input or "input", mapping.output or "output"
    for line in log_lines(path, mapping):
        if not line.has(asked):
            raise line.lacking(asked)
        try:
            given = interface.decode(translated(line.taken(asked), mapping.inputs))
            if (misfit := interface.misfit(given)) is not None:
                raise UserError(misfit)
            answer = reader(translated(line.taken(answered), mapping.outputs))
        except (UserError, SutError) as error:
            raise UserError(error.message if isinstance(error, UserError) else str(error), at=line.at) from None
        steps.setdefault(line.trace, []).append((line.number, Step(given, answer)))
    for count, (name, listed) in enumerate(steps.items(), 1):
        observed = [step for _, step in listed]
        test = Test(inputs=tuple(step.input for step in observed), id=name or "log")
        yield RecordedTrace(
            name, Execution(test=test, steps=observed, number=count), tuple(number for number, _ in listed)
        )


def _record(text: str, at: Place) -> Mapping[str, object]:
    try:
        record = json.loads(text)
    except ValueError as error:
        raise UserError(f"not JSON: {error}", at=at) from None
    if not isinstance(record, dict):
        raise UserError(f"expected an object, found {shown(record)}", at=at)
    return record


def _taken(record: Mapping[str, object], where: str | Mapping[str, str]) -> object:
    if isinstance(where, str):
        return _at(record, where)
    return {name: _at(record, path) for name, path in where.items() if _has(record, path)}


def _has(record: Mapping[str, object], where: str | Mapping[str, str]) -> bool:
    if not isinstance(where, str):
        return any(_has(record, path) for path in where.values())
    missing = object()
    return _at(record, where, missing) is not missing


def _at(record: object, where: str, default: object = None) -> object:
    for name in where.split("."):
        if not isinstance(record, Mapping) or name not in record:
            return default
        record = record[name]
    return record


def translated(raw: object, names: Mapping[str, object]) -> object:
    """What was recorded, in the names of the model."""
    key = raw if isinstance(raw, str) else json.dumps(raw)
    return names.get(key, raw)


def _named(where: str | Mapping[str, str]) -> str:
    return repr(where) if isinstance(where, str) else ", ".join(map(repr, where.values()))
