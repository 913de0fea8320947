"""The port for propositional questions: clauses of literals, answers under assumptions.

A literal is a variable's number, negative where it is denied, as in the DIMACS format.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias


@dataclass(frozen=True, slots=True)
class Satisfied:
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
    """No answer within the time or the steps allowed. Never to be read as either of the others."""

    seconds: float
    steps: int | None = None
    """The steps allowed, where it was they that ran out."""


SatAnswer: TypeAlias = Satisfied | Contradiction | OutOfTime


class SatSolver(Protocol):
    """Clauses that only ever grow; what was learnt in one question helps with the next."""

    def new_variable(self) -> int:
        """A fresh variable, numbered from 1."""

    def add_clause(self, literals: Iterable[int]) -> None:
        """Demand that one of the literals holds; without literals the clauses contradict each other from now on."""

    def prefer(self, literals: Iterable[int]) -> None:
        """Try these values first; changes which assignment is found, never whether there is one."""

    def solve(self, assumptions: Sequence[int] = (), *, seconds: float, steps: int | None = None) -> SatAnswer:
        """Decide the clauses together with ``assumptions``, which do not stay.

        ``steps`` bounds the propagations, roughly: the same calls end at the same point on every machine.
        """

    def steps_taken(self) -> int:
        """The propagations of all questions so far."""


def open_sat_solver() -> SatSolver:
    """Return an empty solver. The same calls get the same answers."""
    from fullproof.smt.backends.glucose import GlucoseSolver

    return GlucoseSolver()
