"""The budget of solver queries and their number: counted in steps, so that the same model gives the same result."""

from __future__ import annotations

import time
from collections.abc import Callable

from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.smt import Answer, Unknown, open_solver

EACH = 5.0
"""Seconds for a single question, at most: a hard one leaves time for others."""
_ANSWERED = 0.002
"""Seconds that an answered question is taken to need, on average."""
PATIENCE = 10.0
"""How many times its nominal seconds a budget of steps may take where the clock is only a safety net."""


class Budget:
    """The budget that all queries share, None without limit, and the number of queries.

    ``seconds`` stand for steps: a query that was given up costs its whole allowance, any other one a fixed amount. So
    whether the budget is spent does not depend on the speed of the machine. After ``clock`` seconds of wall-clock time
    no more queries are made, by default after ``seconds``; code that decides what is written uses a later end
    (``steps_for``), and answers name the clock where it has ended the work.
    """

    def __init__(
        self, seconds: float | None, *, clock: float | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.seconds = seconds
        self.calls = 0
        self._left = seconds
        self._now = now
        self._limit = clock if clock is not None else seconds
        self._end = None if self._limit is None else now() + self._limit

    @property
    def each(self) -> float:
        """The allowance of a single query."""
        return EACH if self.seconds is None else min(EACH, self.seconds / 4)

    @property
    def is_spent(self) -> bool:
        """Whether the budget is spent."""
        return (self._left is not None and self._left <= 0) or self.is_cut

    @property
    def is_cut(self) -> bool:
        """Whether the clock has ended the budget."""
        return self._end is not None and self._now() > self._end

    @property
    def reason(self) -> str:
        """Why no more queries are made."""
        if self.is_cut:
            return f"the clock cut the search short after {self._limit:g} s"
        return "the steps for this are used up"

    def count(self, answer: Answer) -> None:
        """Count the cost of a query."""
        self.calls += 1
        if self._left is not None:
            self._left -= self.each if isinstance(answer, Unknown) and answer.exhausted else _ANSWERED


def steps_for(seconds: float, *, timeout: float | None = None) -> Budget:
    """A budget that is spent by steps; the clock ends it only far beyond them, or where ``--timeout`` says so."""
    if timeout is None:
        return Budget(seconds, clock=PATIENCE * max(seconds, 1.0))
    return Budget(max(seconds, timeout), clock=timeout)


class PathSolver:
    """One incremental solver with a path of assumptions; moving to another path keeps the common prefix."""

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
            return Unknown(self.budget.reason)
        answer = self._solver.check_assuming(*further) if further else self._solver.check()
        self.budget.count(answer)
        return answer
