"""The port for propositional questions: clauses of literals, answers under assumptions.

A literal is a variable's number, negative where it is negated, as in the DIMACS format.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from fullproof.smt.sat_answers import SatAnswer


class SatSolver(Protocol):
    """An incremental set of clauses; clauses learnt in one query help with the next."""

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


class LoggedSolver(SatSolver, Protocol):
    """A solver whose contradictions can be checked."""

    def proof(self) -> list[str]:
        """The clauses learnt, in the order of time, as DRUP lines; the last one is empty after a contradiction.

        Each follows from those before it by unit propagation. ``d`` begins a line that deletes a clause.
        """


def open_logged_solver() -> LoggedSolver:
    """Return an empty solver that writes down what it learns. The same calls get the same proof."""
    from fullproof.smt.backends.glucose import GlucoseSolver

    return GlucoseSolver(logged=True)


def open_sat_solver() -> SatSolver:
    """Return an empty solver. The same calls get the same answers."""
    from fullproof.smt.backends.glucose import GlucoseSolver

    return GlucoseSolver()
