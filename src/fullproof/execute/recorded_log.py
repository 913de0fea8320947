"""Traces that others recorded, as JSON Lines: one input with its output a line, and a mapping for other shapes."""

from __future__ import annotations

import json
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

_KEYS = ("trace", "reset", "only", "input", "output", "inputs", "outputs")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogMapping:
    """Where a line has what: paths are names separated by points, ``request.path``.

    ``trace`` is the path of what distinguishes traces, such as a session; ``reset`` and ``only`` are values by path:
    lines that begin a new trace, and lines that count. ``inputs`` and ``outputs`` translate what was recorded.
    """

    trace: str | None = "trace"
    reset: Mapping[str, object] = field(default_factory=dict)
    only: Mapping[str, object] = field(default_factory=dict)
    input: str | Mapping[str, str] = "input"
    output: str | Mapping[str, str] = "output"
    inputs: Mapping[str, object] = field(default_factory=dict)
    outputs: Mapping[str, object] = field(default_factory=dict)


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
    )


def _values(read: MappingFile, key: str) -> dict[str, object]:
    part = read.part(key)
    return {} if part is None else {name: part.plain(name) for name in part}


def _texts(read: MappingFile, key: str) -> dict[str, str]:
    part = read.part(key)
    return {} if part is None else {name: part.text(name) or "" for name in part}


def _paths(read: MappingFile, key: str) -> str | dict[str, str]:
    return _texts(read, key) if read.is_keys(key) else read.text(key) or key


def recorded_traces(path: Path, interface: Interface, mapping: LogMapping) -> Iterator[RecordedTrace]:
    """The traces of a log, in the order of their first steps; a line that does not fit is a UserError with its place.

    Traces of different names may be interleaved. Lines that ``only`` excludes, or that are no steps, are skipped.
    """
    steps: dict[str, list[tuple[int, Step]]] = {}
    begun: dict[str, int] = {}
    reader = reader_of(interface)
    for number, text in source_lines(Path(path)):
        at = Place(file=str(path), line=number)
        record = _record(text, at)
        session = str(_at(record, mapping.trace)) if mapping.trace and _has(record, mapping.trace) else ""
        if mapping.reset and all(_at(record, where) == value for where, value in mapping.reset.items()):
            begun[session] = begun.get(session, 0) + 1
            continue
        if any(_at(record, where) != value for where, value in mapping.only.items()):
            continue
        if not _has(record, mapping.input):
            raise UserError(f"no {_named(mapping.input)} in {shown(record)}", at=at)
        name = session if begun.get(session, 0) < 2 else f"{session} ({begun[session]})"
        try:
            given = interface.decode(_translated(_taken(record, mapping.input), mapping.inputs))
            if (misfit := interface.misfit(given)) is not None:
                raise UserError(misfit)
            answer = reader(_translated(_taken(record, mapping.output), mapping.outputs))
        except (UserError, SutError) as error:
            raise UserError(error.message if isinstance(error, UserError) else str(error), at=at) from None
        steps.setdefault(name, []).append((number, Step(given, answer)))
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


def _translated(raw: object, names: Mapping[str, object]) -> object:
    key = raw if isinstance(raw, str) else json.dumps(raw)
    return names.get(key, raw)


def _named(where: str | Mapping[str, str]) -> str:
    return repr(where) if isinstance(where, str) else ", ".join(map(repr, where.values()))
