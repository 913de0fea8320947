"""A solver that accepts clauses, possibly millions, until the deadline or up to a number."""

from __future__ import annotations

import math
from collections.abc import Iterable

from fullproof.core.deadline import Deadline
from fullproof.smt.sat import SatSolver

_GLANCE = 5_000
"""Clauses between two looks at the clock: a few milliseconds."""


class TimeUp(Exception):
    """Time ran out while the clauses were being added."""


class TooManyClauses(Exception):
    """More clauses were added than there may be."""


class WatchedSolver:
    """Raises ``TimeUp`` where clauses are added after the deadline, ``TooManyClauses`` beyond ``most`` of them."""

    def __init__(self, solver: SatSolver, deadline: Deadline, *, most: float = math.inf) -> None:
        self._solver, self._deadline, self._clauses, self._most = solver, deadline, 0, most
        self.new_variable, self.prefer = solver.new_variable, solver.prefer
        self.solve, self.steps_taken = solver.solve, solver.steps_taken

    def add_clause(self, literals: Iterable[int]) -> None:
        """Demand that one of the literals holds."""
        self._clauses += 1
        if self._clauses % _GLANCE == 0 and self._deadline.passed():
            raise TimeUp
        if self._clauses > self._most:
            raise TooManyClauses
        self._solver.add_clause(literals)
