"""How long the solver may be asked, and how often it was."""

from __future__ import annotations

import time
from collections.abc import Callable

from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.smt import Answer, Unknown, open_solver

EACH = 5.0
"""Seconds for a single question, at most: a hard one leaves time for others."""


class Budget:
    """The time that all questions may take together, None without end, and the number of those asked."""

    def __init__(self, seconds: float | None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self.calls = 0
        self._clock = clock
        self._end = None if seconds is None else clock() + seconds

    @property
    def each(self) -> float:
        """What a single question may take."""
        return EACH if self.seconds is None else min(EACH, self.seconds / 4)

    @property
    def is_spent(self) -> bool:
        """Whether the time is over."""
        return self._end is not None and self._clock() > self._end


class Asking:
    """One incremental solver that stands at a path of assumptions; moving keeps what two paths begin with."""

    def __init__(self, scope: Scope, budget: Budget) -> None:
        self.budget = budget
        self._solver = open_solver(scope, timeout=budget.each)
        self._path: list[Expression] = []

    def move(self, path: tuple[Expression, ...]) -> None:
        """Assert ``path`` and nothing else."""
        same = 0
        while same < min(len(path), len(self._path)) and path[same] is self._path[same]:
            same += 1
        while len(self._path) > same:
            self._solver.pop()
            self._path.pop()
        for literal in path[same:]:
            self._solver.push()
            self._solver.add(literal)
            self._path.append(literal)

    def check(self, *further: Expression) -> Answer:
        """Whether the path and ``further`` can hold together."""
        if self.budget.is_spent:
            return Unknown(f"the {self.budget.seconds:g} s for this are over")
        self.budget.calls += 1
        return self._solver.check_assuming(*further) if further else self._solver.check()
