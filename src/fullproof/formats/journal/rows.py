"""Executions as rows of a journal, and back: all values exact, Fractions as pairs, so that no text is taken for one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from fullproof.artefacts.execution import Columns, Event, Execution, Received, Sent, Silence, Step
from fullproof.artefacts.suite import Test, TestInput
from fullproof.language.lists import Listed, listed
from fullproof.language.strings import StringValue, text_of
from fullproof.language.types import Value
from fullproof.model.inputs import Advance, SignalEvent, read_input

Row = tuple[object, ...]


def row_of(execution: Execution) -> Row:
    """A row of the table ``execution``; the events of a reactive system are one value."""
    steps = execution.steps
    enabled = events = None
    if isinstance(steps, Columns):
        outputs = steps.outputs
    else:
        outputs = [step.output for step in steps]
        events = None if steps else _events_text(execution)
        if any(step.enabled is not None for step in steps):
            enabled = _dumps([None if step.enabled is None else sorted(step.enabled) for step in steps])
    at_end = None if execution.enabled_at_end is None else _dumps(sorted(execution.enabled_at_end))
    test = execution.test
    return (
        execution.number, test.id, execution.repetition, _dumps(test.inputs), _dumps(outputs), enabled, at_end,
        events,
        None if execution.error is None else _text(execution.error), _text(execution.evidence),
    )  # fmt: skip


def read_row(row: Sequence[Any], *, has_events: bool = False) -> Execution:
    """What ``row_of`` has written; where ``has_events``, of a run whose inputs are events."""
    number, test, repetition, inputs, outputs, enabled, at_end, said, error, evidence = row
    _expect((number, repetition), int)
    _expect((test, inputs, outputs, evidence), str)
    word = tuple(_read_input(symbol, has_events=has_events) for symbol in _listed(inputs))
    ended = None if at_end is None else frozenset(_listed(at_end))
    if said is not None:
        return _read_events(Execution(Test(id=test, inputs=word), (), ended, error, evidence, repetition, number), said)
    seen = [_read_value(value) for value in _listed(outputs)]
    if len(seen) > len(word):
        raise ValueError("more outputs than inputs")
    steps: Sequence[Step]
    if enabled is None:
        steps = Columns(word, seen)
    else:
        offered = [None if names is None else frozenset(names) for names in _listed(enabled)]
        if len(offered) != len(seen):
            raise ValueError("not as many offers as outputs")
        steps = tuple(map(Step, word, seen, offered))
    return Execution(Test(id=test, inputs=word), steps, ended, error, evidence, repetition, number)


def _events_text(execution: Execution) -> str:
    events = [_event_row(event) for event in execution.events]
    return _dumps([events, execution.reached, _text(execution.reason), execution.synchronous])


def _read_events(execution: Execution, text: str) -> Execution:
    events, reached, reason, synchronous = _listed(text)
    _expect((reached, synchronous), bool)
    _expect((reason,), str)
    read = tuple(_read_event(event) for event in events)
    return execution._replace(events=read, reached=reached, reason=reason, synchronous=synchronous)


def _event_row(event: Event) -> object:
    match event:
        case Silence():
            return None
        case Sent(gate, values):
            return ["!", gate, *map(_said, values)]
        case Received(gate, values):
            return ["?", gate, *map(_said, values)]


def _said(value: Value) -> object:
    """A string is marked, so that it is not taken for the name of an enum value, and so is a list."""
    if isinstance(value, Listed):
        return {"list": [_said(item) for item in value.items]}
    return {"string": value.text} if isinstance(value, StringValue) else value


def _read_event(event: Any) -> Event:
    if event is None:
        return Silence()
    mark, gate, *values = event
    _expect((mark, gate), str)
    return (Sent if mark == "!" else Received)(gate, tuple(map(_read_said, values)))


def _read_said(value: Any) -> Any:
    match value:
        case {"string": str(text)}:
            return text_of(text)
        case {"list": list(items)}:
            return listed(_read_said(item) for item in items)
        case dict():
            raise TypeError("expected a value")
        case _:
            return _read_number(value)


def _listed(text: str) -> list[Any]:
    values = json.loads(text)
    if not isinstance(values, list):
        raise TypeError("expected a list")
    return values


def _expect(values: Sequence[object], kind: type) -> None:
    if not all(isinstance(value, kind) for value in values):
        raise TypeError(f"expected {kind.__name__}")


def _text(text: str) -> str:
    """A system may print surrogate halves, which UTF-8 cannot encode."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _dumps(value: object) -> str:
    return json.dumps(value, default=_exact, separators=(",", ":"))


def _exact(value: object) -> object:
    if isinstance(value, Fraction):
        return [value.numerator, value.denominator]
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, SignalEvent | Advance):
        return value.written()
    raise TypeError(type(value).__name__)


def _read_input(symbol: Any, *, has_events: bool) -> TestInput:
    return read_input(symbol, lambda _name, value: _read_number(value), has_events=has_events)


def _read_value(value: Any) -> object:
    return {name: _read_number(part) for name, part in value.items()} if isinstance(value, dict) else value


def _read_number(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(part, int) for part in value):
        return Fraction(value[0], value[1])
    return value  # a list of texts is the signals that a state machine has sent
