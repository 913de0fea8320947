"""A solver that accepts clauses, possibly millions, until the deadline."""

from __future__ import annotations

from collections.abc import Iterable

from fullproof.core.deadline import Deadline
from fullproof.smt.sat import SatSolver

_GLANCE = 5_000
"""Clauses between two looks at the clock: a few milliseconds."""


class TimeUp(Exception):
    """Time ran out while the clauses were being added."""


class WatchedSolver:
    """Raises ``TimeUp`` where clauses are added after the deadline."""

    def __init__(self, solver: SatSolver, deadline: Deadline) -> None:
        self._solver, self._deadline, self._clauses = solver, deadline, 0
        self.new_variable, self.prefer = solver.new_variable, solver.prefer
        self.solve, self.steps_taken = solver.solve, solver.steps_taken

    def add_clause(self, literals: Iterable[int]) -> None:
        """Demand that one of the literals holds."""
        self._clauses += 1
        if self._clauses % _GLANCE == 0 and self._deadline.passed():
            raise TimeUp
        self._solver.add_clause(literals)
