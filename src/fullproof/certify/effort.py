"""Budgets of steps for the checker."""

from __future__ import annotations

from collections import Counter

from fullproof.core.deadline import Deadline


class Effort:
    """Steps left of a budget, so that the same work ends at the same point on every machine.

    The clock is a safety net; where it ended some part of the work, ``was_cut``.
    """

    def __init__(self, steps: float, clock: Deadline, *, counter: Counter[str] | None = None) -> None:
        self.clock = clock
        self._counter: Counter[str] = Counter() if counter is None else counter
        self.steps = steps
        self._end = self._counter["spent"] + steps

    def spend(self, steps: float) -> None:
        """Take steps off this budget and off all that share it."""
        self._counter["spent"] += int(steps)

    def left(self) -> float:
        """Steps until the end, never negative."""
        return max(0.0, self._end - self._counter["spent"])

    def passed(self) -> bool:
        """Whether the steps are spent, or the time is up."""
        if self.clock.passed():
            self._counter["cut"] = 1
            return True
        return self.left() == 0.0

    @property
    def was_cut(self) -> bool:
        """Whether the clock ended a part of the work: then another machine may get further."""
        return bool(self._counter["cut"])

    def share(self, part: float) -> Effort:
        """A part of what is left, of the time as well. Needs: a part above 0."""
        return Effort(self.left() * part, Deadline(self.clock.left() * part), counter=self._counter)
