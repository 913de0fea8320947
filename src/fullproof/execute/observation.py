"""From what a system answers to what a trace holds, and from exact inputs to what Python code expects.

A binary float stands for its shortest decimal: 2.01 is 201/100, as it would be in JSON. What is not a value of the
expression language at all (None, an object, NaN, nothing) breaks the contract and is a SutError; a value of the
wrong type or out of range is an observation, which ``judge`` finds wrong.
"""

from __future__ import annotations

import numbers
import re
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from fullproof.core.errors import UserError
from fullproof.execute.sut import SutError
from fullproof.language.lists import Listed, listed
from fullproof.language.strings import StringValue, text_of
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, StringType, Type, Value, Variable
from fullproof.language.values import number_from_json
from fullproof.model.interface import Interface

_shorten = reprlib.Repr()
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""The memory address in a ``repr``, which differs in every run."""
_shorten.maxstring = _shorten.maxother = 120


def shown(raw: object) -> str:
    """A short rendering for messages, whatever the object's own ``repr`` does."""
    try:
        return _ADDRESS.sub("", _shorten.repr(raw))
    except Exception:  # noqa: BLE001  # code of the system under test runs here
        return f"<{type(raw).__name__}>"


def read_symbol(raw: object) -> str:
    """The output of an fsm: a string, or a subclass such as a StrEnum."""
    if isinstance(raw, str):
        return str.__str__(raw)
    raise SutError(f"answered {shown(raw)} ({type(raw).__name__}), expected an output symbol, a string")


def python_symbol(raw: object) -> str:
    """The output of an fsm that Python code answers, as a model file writes it.

    A string is itself, an int is written in digits, ``True``, ``False`` and ``None`` are ``true``, ``false`` and
    ``null``, bytes are UTF-8 with other bytes escaped in hexadecimal. A member of an enum is its value where that is a
    string, else its name.
    """
    if isinstance(raw, Enum):
        raw = raw.value if isinstance(raw.value, str) else str(raw.name)
    match raw:
        case str():
            return str.__str__(raw)
        case None:
            return "null"
        case bool():
            return "true" if raw else "false"
        case int():
            return int.__repr__(raw)
        case bytes():
            return raw.decode("utf-8", "backslashreplace")
        case _:
            kinds = "a str, int, bool, None, bytes or enum member"
            raise SutError(f"answered {shown(raw)} ({type(raw).__name__}), expected an output symbol: {kinds}")


class Written(str):
    """A value from where there are only texts, such as a page or a header: numbers are written in digits there."""

    __slots__ = ()


def written(text: str, variable: Variable) -> object:
    """A value in plain text, for a variable: a bool in words, else a text that may be a number."""
    if isinstance(variable.type, BoolType) and text.lower() in ("true", "false"):
        return text.lower() == "true"
    return Written(text)


def read_outputs(raw: object, outputs: tuple[Variable, ...]) -> Mapping[str, Value]:
    """The outputs of an sfsm by name: one output bare, several as a mapping."""
    if len(outputs) == 1 and not isinstance(raw, Mapping):
        return {outputs[0].name: read_value(raw, outputs[0])}
    if not isinstance(raw, Mapping):
        names = ", ".join(v.name for v in outputs)
        raise SutError(f"answered {shown(raw)}, expected the outputs {names} by name")
    values = {}
    for variable in outputs:
        if variable.name not in raw:
            raise SutError(f"answered {shown(raw)} without the output {variable.name}")
        values[variable.name] = read_value(raw[variable.name], variable)
    if len(raw) > len(values):
        extra = next(name for name in raw if name not in values)
        raise SutError(f"answered {shown(raw)} with {shown(extra)}, which is not an output of the model")
    return values


def read_events(raw: object, outputs: tuple[Variable, ...]) -> Mapping[str, object]:
    """The answer of a state machine that sends signals: output attributes by name and, under ``send``, the signals.

    Without output attributes, it may be the list of signals bare.
    """
    if not isinstance(raw, Mapping):
        if outputs:
            names = ", ".join(v.name for v in outputs)
            raise SutError(f"answered {shown(raw)}, expected the outputs {names} and the signals, 'send', by name")
        raw = {"send": raw}
    sent = raw.get("send", [])
    if not isinstance(sent, list | tuple) or not all(isinstance(name, str) for name in sent):
        raise SutError(f"answered {shown(sent)} for 'send', expected a list of signals")
    rest = {name: value for name, value in raw.items() if name != "send"}
    return {**read_outputs(rest, outputs), "send": [str.__str__(name) for name in sent]}


def reader_of(interface: Interface) -> Callable[[object], object]:
    """Reads what a system answers: a symbol, or values and signals by name."""
    outputs = interface.outputs
    if outputs is None:
        return read_symbol
    return partial(read_events if interface.signals_out else read_outputs, outputs=outputs)


def signals_in_text(raw: object) -> object:
    """The signals that a page or a C function names in a text, separated by blanks or commas; other things stay."""
    if raw is None:
        return []
    return [name for name in re.split(r"[\s,]+", raw) if name] if isinstance(raw, str) else raw


def read_enabled(raw: object) -> frozenset[str]:
    """The inputs a grey-box system offers."""
    if isinstance(raw, set | frozenset | list | tuple) and all(isinstance(item, str) for item in raw):
        return frozenset(str.__str__(item) for item in raw)
    raise SutError(f"says that {shown(raw)} is enabled, expected a set of input symbols")


PythonValue: TypeAlias = "bool | int | float | Fraction | str | list[PythonValue]"


def python_value(value: Value) -> PythonValue:
    """An int where the value is whole, a float where its decimal is exact, else the Fraction itself; lists as lists."""
    if isinstance(value, StringValue):
        return value.text
    if isinstance(value, Listed):
        return [python_value(item) for item in value.items]
    if not isinstance(value, Fraction):
        return value
    if value.denominator == 1:
        return value.numerator
    try:
        approximation = float(value)
    except OverflowError:
        return value
    return approximation if Fraction(repr(approximation)) == value else value


def read_value(raw: object, variable: Variable) -> Value:
    """One value of an output; SutError where it is none of any type."""
    if isinstance(variable.type, ListType) and isinstance(raw, list | tuple):
        element = replace(variable, type=variable.type.element)
        # A list within a list is a wrong element, found wrong later, as others are.
        return listed(read_value(item, variable if isinstance(item, list | tuple) else element) for item in raw)
    value = _exact(raw, variable.type)
    if value is None:
        raise SutError(f"answered {shown(raw)} ({type(raw).__name__}) for {variable.name}, which is not a value")
    return _fit(value, variable.type)


def _exact(raw: object, type_: Type) -> Value | None:
    """The value that an object stands for, or None."""
    item = getattr(raw, "item", None)
    if callable(item):
        raw = item()  # numpy's scalars: bool_, int64, float32
    if isinstance(raw, str):
        text = str.__str__(raw)
        if isinstance(type_, StringType):
            return text_of(text)
        # A whole number has a form of its own everywhere but in plain text: "1" is not an int, "20/3" may be a real.
        is_number = isinstance(raw, Written) or not isinstance(type_, IntType)
        number = _number(text) if is_number and not isinstance(type_, EnumType) else None
        return text if number is None else number
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, numbers.Rational):
        raw = int(raw) if isinstance(raw, numbers.Integral) else Fraction(int(raw.numerator), int(raw.denominator))
    elif isinstance(raw, float):
        raw = float.__float__(raw)  # a subclass may print differently
    return _number(raw)


def _number(raw: object) -> int | Fraction | None:
    try:
        return number_from_json(raw)
    except UserError:
        return None  # too long for exact arithmetic


def _fit(value: Value, type_: Type) -> Value:
    """2 for a real is 2/1, 2.0 for an int is 2; anything else is unchanged, and ``judge`` finds it wrong."""
    if isinstance(value, bool | str):
        return value
    if isinstance(type_, RealType):
        return Fraction(value)
    if isinstance(type_, IntType) and isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    return value
