"""How many steps work may take, and how much it may keep: counted, so that the same work ends at the same point on
every machine.
"""

from __future__ import annotations

import math
from collections import Counter

from fullproof.core.deadline import Deadline
from fullproof.core.errors import UserError

STORED = 50_000_000
"""Items of a generation, of about 16 bytes each, that may be in memory: nodes of trees, steps of tests."""


class OutOfRoom(UserError):
    """A suite does not fit in memory."""


def require_room(items: float, *, each: float = 1.0) -> None:
    """Refuse to keep more items than there may be; ``each`` is what one of them takes, in units of 16 bytes.

    Whatever grows while a suite is generated calls it before it grows, so every method ends with one line instead of
    taking all memory. Items are counted, not bytes of the process: the same request ends alike everywhere.
    """
    if items * each > STORED:
        raise OutOfRoom(
            f"the suite needs more than {STORED:,} words, nodes or steps in memory; ask for fewer --extra-states, or "
            "for --method hsi, which generates piece by piece, where it applies"
        )


class Budget:
    """Steps against a bound, None without end; the clock is a safety net far beyond them.

    What a step is, the owner says: a question, a conflict of a solver, a thousandth of the seconds that stand for
    steps. Budgets made by ``share`` spend from this one, too. ``reason`` says which of the two limits was reached.
    """

    __slots__ = ("_counter", "_end", "clock", "steps")

    def __init__(
        self, steps: float | None, clock: Deadline | None = None, *, counter: Counter[str] | None = None
    ) -> None:
        self.clock = Deadline(None) if clock is None else clock
        self.steps = math.inf if steps is None else steps
        self._counter: Counter[str] = Counter() if counter is None else counter
        self._end = self._counter["spent"] + self.steps

    def spend(self, steps: int) -> None:
        """Take steps off this budget and off all that share it."""
        self._counter["spent"] += steps

    def left(self) -> float:
        """Steps until the end, at least 0; infinity where there is no end."""
        return max(0.0, self._end - self._counter["spent"])

    @property
    def is_over(self) -> bool:
        """Whether the steps are spent, or the clock has cut."""
        return self.is_cut or self.left() == 0.0

    @property
    def is_cut(self) -> bool:
        """Whether the time is up: then another machine may get further."""
        if self.clock.passed():
            self._counter["cut"] = 1
            return True
        return False

    @property
    def was_cut(self) -> bool:
        """Whether the clock was seen to end this work or a part of it."""
        return bool(self._counter["cut"])

    @property
    def reason(self) -> str:
        """Which limit ended the work."""
        if self.is_cut:
            return f"the clock cut the search short after {self.clock.seconds:g} s"
        return "the steps for this are used up"

    def share(self, part: float) -> Budget:
        """A part of what is left, of the time as well. Needs: a part above 0."""
        return Budget(self.left() * part, Deadline(self.clock.left() * part), counter=self._counter)
