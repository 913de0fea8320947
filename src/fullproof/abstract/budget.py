"""The budget of solver queries and their number: counted in steps, so that the same model gives the same result."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from fullproof.core.budget import Budget
from fullproof.core.deadline import Deadline
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.smt import Answer, Unknown, open_solver

EACH = 5.0
"""Seconds for a single question, at most: a hard one leaves time for others."""
_STEPS = 1_000
"""Steps that stand for a second."""
_ANSWERED = 2
"""Steps that an answered question is taken to need, on average."""
PATIENCE = 10.0
"""How many times its nominal seconds a budget of steps may take where the clock is only a safety net."""


class SolverBudget(Budget):
    """The budget that all queries share, None without limit, and the number of queries.

    ``seconds`` stand for steps: a query that was given up costs its whole allowance, any other one a fixed amount. So
    whether the budget is spent does not depend on the speed of the machine. After ``clock`` seconds of wall-clock time
    no more queries are made, by default after ``seconds``; code that decides what is written uses a later end
    (``steps_for``), and answers name the clock where it has ended the work.
    """

    __slots__ = ("calls", "seconds")

    def __init__(
        self, seconds: float | None, *, clock: float | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        steps = None if seconds is None else math.ceil(seconds * _STEPS)
        super().__init__(steps, Deadline(seconds if clock is None else clock, now=now))
        self.seconds = seconds
        self.calls = 0

    @property
    def each(self) -> float:
        """The allowance of a single query, in seconds."""
        return EACH if self.seconds is None else min(EACH, self.seconds / 4)

    def count(self, answer: Answer) -> None:
        """Count the cost of a query."""
        self.calls += 1
        given_up = isinstance(answer, Unknown) and answer.exhausted
        self.spend(round(self.each * _STEPS) if given_up else _ANSWERED)


def steps_for(seconds: float, *, timeout: float | None = None) -> SolverBudget:
    """A budget that is spent by steps; the clock ends it only far beyond them, or where ``--timeout`` says so."""
    if timeout is None:
        return SolverBudget(seconds, clock=PATIENCE * max(seconds, 1.0))
    return SolverBudget(max(seconds, timeout), clock=timeout)


class PathSolver:
    """One incremental solver with a path of assumptions; moving to another path keeps the common prefix."""

    def __init__(self, scope: Scope, budget: SolverBudget) -> None:
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
        if self.budget.is_over:
            return Unknown(self.budget.reason)
        answer = self._solver.check_assuming(*further) if further else self._solver.check()
        self.budget.count(answer)
        return answer
