"""What a solver says: a closed union, so that mypy finds the forgotten case."""

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
    """The solver could not tell: time, memory, or a theory it cannot decide. Never to be read as Sat or Unsat."""

    reason: str
    exhausted: bool = False
    """Whether it used up all that it was allowed."""


Answer: TypeAlias = Sat | Unsat | Unknown
