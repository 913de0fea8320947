"""The answers of a solver: a closed union, so that mypy finds a missing case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.language.types import Value


@dataclass(frozen=True, slots=True)
class Sat:
    """Satisfiable, with a value for every declared variable, checked against the formula by exact evaluation."""

    model: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Unsat:
    """Unsatisfiable."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The solver could not decide: time, memory, or an undecidable theory. Must never be treated as Sat or Unsat."""

    reason: str
    exhausted: bool = False
    """Whether the check used up its whole budget."""


Answer: TypeAlias = Sat | Unsat | Unknown
