"""A partition into the fewest groups without an inner conflict; conflicts are found on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations, islice

from fullproof.smt.sat import open_sat_solver
from fullproof.smt.sat_answers import Contradiction, SatAssignment

_SECONDS = 5.0


class Fits(Enum):
    """Whether the members of a group are compatible."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Grouping:
    """Groups of compatible members, and whether fewer groups are proven impossible."""

    groups: tuple[frozenset[int], ...]
    smallest: bool


def fewest_groups(
    count: int,
    known: Sequence[frozenset[int]],
    fits: Callable[[frozenset[int]], Fits],
    *,
    conflicts: Iterable[frozenset[int]] = (),
    may_go_on: Callable[[], bool] = lambda: True,
) -> Grouping:
    """Cover 0 .. count - 1 by as few groups of compatible members as possible.

    ``known`` are compatible groups that cover everything, ``conflicts`` are some incompatible ones. Every subset of a
    compatible group must be compatible. Starting with the number of members of which no two are compatible, then one
    more and so on, search for a partition that avoids all known conflicts; if all of its groups are compatible it is a
    smallest one, else one of them contains a new conflict, which is made as small as possible. Each round excludes a
    partition for good, so the search terminates; where ``may_go_on`` returns False before, the best known groups are
    the result.
    """
    return _Grouping(count, known, fits, conflicts).smallest(may_go_on)


class _Grouping:
    def __init__(
        self,
        count: int,
        known: Sequence[frozenset[int]],
        fits: Callable[[frozenset[int]], Fits],
        conflicts: Iterable[frozenset[int]],
    ) -> None:
        self._count = count
        self._known = list(known)
        self._ask = fits
        self._conflicts = list(conflicts)
        self._proven = True

    def smallest(self, may_go_on: Callable[[], bool]) -> Grouping:
        best = _greedy(self._count, self._known)
        size = max(1, len(self._apart()))
        while size < len(best):
            if not may_go_on():
                return Grouping(_greedy(self._count, self._known), smallest=False)
            parts = self._partition(size)
            if parts is None:
                size += 1
                continue
            misfit = next((part for part in parts if self._fits(part) is not Fits.YES), None)
            if misfit is None:
                return Grouping(tuple(parts), self._proven)
            self._conflicts.append(self._shrunk(misfit))
        return Grouping(best, self._proven)

    def _fits(self, group: frozenset[int]) -> Fits:
        if self._is_known(group):
            return Fits.YES
        if any(other <= group for other in self._conflicts):
            return Fits.NO
        answer = self._ask(group)
        if answer is Fits.YES:
            self._known.append(group)
        return answer

    def _is_known(self, group: frozenset[int]) -> bool:
        return any(group <= other for other in self._known)

    def _shrunk(self, group: frozenset[int]) -> frozenset[int]:
        """A minimal conflict: every proper subset is compatible, or the solver could not decide."""
        if self._fits(group) is Fits.UNKNOWN:
            self._proven = False  # an undecided group is treated as a conflict
            return group
        pairs = (frozenset(pair) for pair in combinations(sorted(group), 2))
        for pair in islice((pair for pair in pairs if not self._is_known(pair)), 2 * len(group)):
            if self._fits(pair) is Fits.NO:
                return pair
        for member in sorted(group):
            if self._fits(group - {member}) is Fits.NO:
                group -= {member}
        return group

    def _apart(self) -> list[int]:
        """Members of which no two are compatible, as many as a greedy choice finds."""
        pairs = {conflict for conflict in self._conflicts if len(conflict) == 2}
        degree = [sum(k in pair for pair in pairs) for k in range(self._count)]
        chosen: list[int] = []
        for member in sorted(range(self._count), key=lambda k: (-degree[k], k)):
            if all(frozenset({member, other}) in pairs for other in chosen):
                chosen.append(member)
        return chosen

    def _partition(self, size: int) -> list[frozenset[int]] | None:
        solver = open_sat_solver()
        # Groups have no names: the first member is in the first group, the second in one of the first two and so on.
        # This symmetry breaking prunes most where no two of the first members are compatible.
        first = self._apart()
        rank = {member: k for k, member in enumerate([*first, *(k for k in range(self._count) if k not in set(first))])}
        place = [[solver.new_variable() for _ in range(min(size, rank[k] + 1))] for k in range(self._count)]
        for row in place:
            solver.add_clause(row)
        for conflict in self._conflicts:
            for group in range(size):
                if all(group < len(place[k]) for k in conflict):
                    solver.add_clause([-place[k][group] for k in sorted(conflict)])
        answer = solver.solve(seconds=_SECONDS)
        if not isinstance(answer, SatAssignment):
            self._proven = self._proven and isinstance(answer, Contradiction)
            return None
        parts: list[set[int]] = [set() for _ in range(size)]
        for k, row in enumerate(place):
            parts[next(group for group, literal in enumerate(row) if answer.holds(literal))].add(k)
        return [frozenset(part) for part in parts if part]


def _greedy(count: int, known: Sequence[frozenset[int]]) -> tuple[frozenset[int], ...]:
    left, chosen = set(range(count)), list[frozenset[int]]()
    while left:
        best = max(known, key=lambda group: len(group & left))
        chosen.append(best)
        left -= best
    return tuple(chosen)
