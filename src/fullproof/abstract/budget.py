"""How long the solver may be asked, and how often it was: counted in steps, so that the same model gives the same."""

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
"""How many times longer than they stand for the steps of a budget may take where the clock is only a safety net."""


class Budget:
    """What all questions may take together, None without end, and the number of those asked.

    ``seconds`` stand for steps: a question that was given up costs all that it was allowed, any other one a fixed
    amount. So whether they are spent does not depend on the speed of the machine. After ``clock`` seconds by the clock
    nothing is asked either, by default after as many; what decides on bytes asks for a later end (``steps_for``), and
    answers name the clock where it has cut.
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
        """What a single question may take."""
        return EACH if self.seconds is None else min(EACH, self.seconds / 4)

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left."""
        return (self._left is not None and self._left <= 0) or self.is_cut

    @property
    def is_cut(self) -> bool:
        """Whether the clock has ended it."""
        return self._end is not None and self._now() > self._end

    @property
    def reason(self) -> str:
        """Why nothing is asked any more."""
        if self.is_cut:
            return f"the clock cut the search short after {self._limit:g} s"
        return "the steps for this are used up"

    def count(self, answer: Answer) -> None:
        """Note what a question has cost."""
        self.calls += 1
        if self._left is not None:
            self._left -= self.each if isinstance(answer, Unknown) and answer.exhausted else _ANSWERED


def steps_for(seconds: float, *, timeout: float | None = None) -> Budget:
    """A budget that is spent by steps; the clock ends it only far beyond them, or where ``--timeout`` says so."""
    if timeout is None:
        return Budget(seconds, clock=PATIENCE * max(seconds, 1.0))
    return Budget(max(seconds, timeout), clock=timeout)


class PathSolver:
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
            return Unknown(self.budget.reason)
        answer = self._solver.check_assuming(*further) if further else self._solver.check()
        self.budget.count(answer)
        return answer
