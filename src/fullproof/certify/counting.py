"""At most so many of some literals hold, as clauses (the sequential counter of Sinz 2005)."""

from __future__ import annotations

from collections.abc import Iterable

from fullproof.smt.sat import SatSolver


def demand_at_most(solver: SatSolver, literals: Iterable[int], most: int) -> None:
    """Forbid that more than ``most`` of the literals hold."""
    before: list[int] = []
    for literal in literals:
        now = [solver.new_variable() for _ in range(most)]
        for count, reached in enumerate(now):
            if count == 0:
                solver.add_clause([-literal, reached])
            elif before:
                solver.add_clause([-literal, -before[count - 1], reached])
            if before:
                solver.add_clause([-before[count], reached])
        if most == 0:
            solver.add_clause([-literal])
        elif before:
            solver.add_clause([-literal, -before[-1]])
        before = now
