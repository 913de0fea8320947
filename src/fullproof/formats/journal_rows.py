"""Executions as rows of a journal, and back: all values exact, Fractions as pairs, so that no text is taken for one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from fullproof.artefacts.conversation import Conversation, Event, Received, Sent, Silence
from fullproof.artefacts.suite import Test, TestInput
from fullproof.artefacts.trace import Columns, Step, Trace
from fullproof.language.strings import Text, text_of
from fullproof.language.types import Value

Row = tuple[object, ...]


def trace_row(trace: Trace) -> Row:
    """A row of the table ``trace``."""
    steps = trace.steps
    enabled = None
    if not isinstance(steps, Columns) and any(step.enabled is not None for step in steps):
        enabled = _dumps([None if step.enabled is None else sorted(step.enabled) for step in steps])
    outputs = steps.outputs if isinstance(steps, Columns) else [step.output for step in steps]
    at_end = None if trace.enabled_at_end is None else _dumps(sorted(trace.enabled_at_end))
    test = trace.test
    return (
        trace.number, test.id, trace.repetition, _dumps(test.inputs), _dumps(outputs), enabled, at_end,
        None if trace.error is None else _text(trace.error), _text(trace.evidence),
    )  # fmt: skip


def read_trace(row: Sequence[Any]) -> Trace:
    """What ``trace_row`` has written."""
    number, test, repetition, inputs, outputs, enabled, at_end, error, evidence = row
    _expect((number, repetition), int)
    _expect((test, inputs, outputs, evidence), str)
    word = tuple(_read_input(symbol) for symbol in _listed(inputs))
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
    ended = None if at_end is None else frozenset(_listed(at_end))
    return Trace(Test(id=test, inputs=word), steps, ended, error, evidence, repetition, number)


def conversation_row(conversation: Conversation) -> Row:
    """A row of the table ``conversation``."""
    test = conversation.test
    return (
        conversation.number, test.id, _dumps(test.inputs), _dumps(test.covers),
        _dumps([_event_row(event) for event in conversation.events]),
        int(conversation.reached), _text(conversation.reason), int(conversation.synchronous),
        None if conversation.error is None else _text(conversation.error), _text(conversation.evidence),
    )  # fmt: skip


def read_conversation(row: Sequence[Any]) -> Conversation:
    """What ``conversation_row`` has written."""
    number, test, inputs, covers, events, reached, reason, synchronous, error, evidence = row
    _expect((number, reached, synchronous), int)
    _expect((test, inputs, covers, events, reason, evidence), str)
    return Conversation(
        test=Test(id=test, inputs=tuple(_listed(inputs)), covers=tuple(_listed(covers))),
        events=tuple(_read_event(event) for event in _listed(events)),
        reached=bool(reached),
        reason=reason,
        synchronous=bool(synchronous),
        error=error,
        evidence=evidence,
        number=number,
    )


def _event_row(event: Event) -> object:
    match event:
        case Silence():
            return None
        case Sent(gate, values):
            return ["!", gate, *map(_said, values)]
        case Received(gate, values):
            return ["?", gate, *map(_said, values)]


def _said(value: Value) -> object:
    """A string is marked, so that it is not taken for the name of an enum value."""
    return {"string": value.text} if isinstance(value, Text) else value


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
    """A system may print halves of characters, which UTF-8 cannot hold."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _dumps(value: object) -> str:
    return json.dumps(value, default=_exact, separators=(",", ":"))


def _exact(value: object) -> object:
    if isinstance(value, Fraction):
        return [value.numerator, value.denominator]
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)


def _read_input(symbol: Any) -> TestInput:
    return symbol if isinstance(symbol, str) else {name: _read_number(value) for name, value in symbol.items()}


def _read_value(value: Any) -> object:
    return {name: _read_number(part) for name, part in value.items()} if isinstance(value, dict) else value


def _read_number(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(part, int) for part in value):
        return Fraction(value[0], value[1])
    return value  # a list of texts is the signals that a state machine has sent
