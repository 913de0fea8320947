"""Test suites: a header that carries the guarantee, and tests that are sequences of inputs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from fullproof.language.types import Value

TestInput: TypeAlias = str | Mapping[str, Value]
"""One stimulus: a symbol of an fsm, or the values of all input variables of an sfsm."""

SUITE_FORMAT = "suite/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteHeader:
    """The first line of a suite file."""

    model: str
    model_sha256: str
    kind: str
    relation: str
    method: str
    extra_states: int
    tool: str
    guarantee: str
    tests: int | None = None
    inputs: int | None = None
    """How many there are in all: a file that holds fewer has lost some, and its guarantee with them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """One test. ``covers`` names what it exercises, e.g. requirements."""

    id: str
    inputs: tuple[TestInput, ...]
    covers: tuple[str, ...] = ()

    __test__ = False  # not a pytest class


def json_value(value: Value) -> object:
    """A JSON number where that is exact in decimal, else a string such as "20/3"."""
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
    return symbol if isinstance(symbol, str) else {name: json_value(value) for name, value in symbol.items()}


def make_test(inputs: Iterable[TestInput], covers: Iterable[str] = ()) -> Test:
    """Build a test whose id is a hash of its inputs: the same test keeps its id."""
    word = tuple(inputs)
    text = json.dumps([json_input(i) for i in word], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return Test(id=id_of(text), inputs=word, covers=tuple(covers))


def id_of(text: str) -> str:
    """The id of the test whose inputs are this JSON array, written without blanks."""
    return "t-" + hashlib.sha256(text.encode()).hexdigest()[:12]
