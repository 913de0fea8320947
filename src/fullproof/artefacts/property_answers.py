"""Whether a model satisfies a property: a closed union of answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.language.types import Value


@dataclass(frozen=True, slots=True)
class Holds:
    """Every infinite trace of the model satisfies the formula; for a safety formula, no trace is a bad prefix of it."""


@dataclass(frozen=True, slots=True)
class Violated:
    """A trace of the model that violates the formula: the values of all inputs and outputs, step by step.

    For a safety formula it is a shortest bad prefix, empty where the formula is unsatisfiable. For any other
    formula the steps from position ``loop`` on repeat for ever. ``states`` are those that the trace visits, the initial
    one first.
    """

    trace: tuple[Mapping[str, Value], ...]
    states: tuple[str, ...]
    loop: int | None = None


@dataclass(frozen=True, slots=True)
class Undecided:
    """The solver could not decide whether a step exists that would violate the formula, or the formula is too large."""

    reason: str


Holding: TypeAlias = Holds | Violated | Undecided
