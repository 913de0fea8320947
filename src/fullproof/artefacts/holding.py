"""Whether a model satisfies a safety property: a closed union of answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.language.types import Value


@dataclass(frozen=True, slots=True)
class Holds:
    """No trace of the model is a bad prefix of the formula."""


@dataclass(frozen=True, slots=True)
class Violated:
    """A shortest trace of the model that is a bad prefix: the values of all inputs and outputs, step by step.

    It is empty where nothing at all satisfies the formula. ``states`` are those that the trace visits, the initial one
    first.
    """

    trace: tuple[Mapping[str, Value], ...]
    states: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Undecided:
    """The solver could not tell whether a step exists that would violate the formula, or the formula is too large."""

    reason: str


Holding: TypeAlias = Holds | Violated | Undecided
