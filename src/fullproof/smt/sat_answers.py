"""The answers to a propositional query.

A literal is a variable's number, negative where it is negated, as in the DIMACS format.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class SatAssignment:
    """All clauses and assumptions hold together; entry ``v - 1`` is ``v`` or ``-v``, whichever holds."""

    literals: Sequence[int]

    def holds(self, literal: int) -> bool:
        """Whether a literal is true in this assignment."""
        return self.literals[abs(literal) - 1] == literal


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The clauses contradict these assumptions, a subset of those given; empty: they contradict each other."""

    core: frozenset[int]


@dataclass(frozen=True, slots=True)
class OutOfTime:
    """No answer within the time or the steps allowed. Must never be treated as one of the other answers."""

    seconds: float
    steps: int | None = None
    """The step limit, where the steps ran out."""


SatAnswer: TypeAlias = SatAssignment | Contradiction | OutOfTime
