"""One input of a model, by its type: a symbol, values by name, or an event; and how files and systems write it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from fullproof.language.lists import Listed
from fullproof.language.strings import StringValue
from fullproof.language.types import Value
from fullproof.language.values import number_from_json

TRIGGER = "trigger"
SENDS = "send"
ADVANCE = "advance"
"""Where suites, journals and systems have the signal of an event, the signals sent in an answer, and a delay."""

EVENT_KINDS = frozenset({"statemachine"})
"""Kinds of models whose inputs are events: what files need to know where they name a kind and no model is at hand."""


@dataclass(frozen=True, slots=True)
class SignalEvent:
    """An input of a state machine: a signal, or none, and new values of input attributes; the others keep theirs."""

    signal: str | None
    inputs: tuple[tuple[str, Value], ...] = ()

    @property
    def values(self) -> dict[str, Value]:
        """The new values by name."""
        return dict(self.inputs)

    @classmethod
    def of(cls, signal: str | None, values: Mapping[str, Value]) -> SignalEvent:
        """An event with these values."""
        return cls(signal, tuple(values.items()))

    def written(self) -> dict[str, Value | None]:
        """As suites, journals and systems have it: one object, with the signal, where there is one, in front."""
        if self.signal is None and self.values.keys() == {ADVANCE}:
            return {TRIGGER: None, **self.values}  # the variable of that name is no delay
        return {**({} if self.signal is None else {TRIGGER: self.signal}), **self.values}


@dataclass(frozen=True, slots=True)
class Advance:
    """An input of a state machine with timers: nothing is given to it for so many seconds."""

    seconds: Fraction

    def written(self) -> dict[str, Value | None]:
        """As suites, journals and systems have it."""
        return {ADVANCE: self.seconds}


TestInput: TypeAlias = str | Mapping[str, Value] | SignalEvent | Advance
"""One input: a symbol of an fsm, the values of all input variables of an sfsm, an event or a delay of a statemachine.

An sts has names of switches: its inputs are chosen while a test runs.
"""


def written(symbol: TestInput) -> str | Mapping[str, Value | None]:
    """An input as files have it."""
    return symbol.written() if isinstance(symbol, SignalEvent | Advance) else symbol


def read_input(
    raw: str | Mapping[str, object], value: Callable[[str, object], Value], *, has_events: bool
) -> TestInput:
    """An input from a file or a system; ``value`` reads that of a variable. Whether it fits is for an interface.

    The empty trigger of an event may be left out or null. An object with nothing but ``advance`` is a delay.
    """
    if isinstance(raw, str):
        return raw
    if not has_events:
        return {name: value(name, part) for name, part in raw.items()}
    if raw.keys() == {ADVANCE}:
        seconds = number_from_json(value(ADVANCE, raw[ADVANCE]))
        if seconds is not None and seconds >= 0:
            return Advance(Fraction(seconds))
    signal = raw.get(TRIGGER)
    if signal is not None and not isinstance(signal, str):
        signal = f"{type(signal).__name__} {signal}"  # no name of a signal, and found wrong as one
    return SignalEvent(signal, tuple((name, value(name, part)) for name, part in raw.items() if name != TRIGGER))


def json_value(value: Value | None) -> object:
    """A JSON number where that is exact in decimal, else a string such as "20/3"; a list of such things for a list."""
    if isinstance(value, StringValue):
        return value.text
    if isinstance(value, Listed):
        return [json_value(item) for item in value.items]
    if not isinstance(value, Fraction):
        return value
    if value.denominator == 1:
        return int(value)
    ratio = f"{value.numerator}/{value.denominator}"
    try:
        as_float = float(value)
    except OverflowError:
        return ratio
    return as_float if Fraction(repr(as_float)) == value else ratio


def json_input(symbol: TestInput) -> object:
    """The JSON form of an input."""
    raw = written(symbol)
    return raw if isinstance(raw, str) else {name: json_value(value) for name, value in raw.items()}
