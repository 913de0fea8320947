"""One question to z3: within a time limit, open to Ctrl-C, and never answered by an exception."""

from __future__ import annotations

import time
from typing import Any

import z3

from fullproof.smt.answers import Unknown, Unsat


class Deadline:
    """A moment in time that several questions share; None is never."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """Return the seconds left, at least 0."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def half(self) -> Deadline:
        """Return a deadline for a first attempt that leaves time for a second."""
        left = self.left()
        return Deadline(None if left is None else left / 2)

    def is_over(self) -> bool:
        """Tell whether no time is left."""
        return self.left() == 0.0


def ask(solver: Any, deadline: Deadline) -> Any:
    """Return Unsat, Unknown, or z3's model where there is one."""
    left = deadline.left()
    if left == 0.0:
        return Unknown("timeout")
    try:
        if left is not None:
            solver.set("timeout", max(1, min(int(left * 1000), 2**32 - 2)))
        result = solver.check()
        if result == z3.unsat:
            return Unsat()
        if result == z3.sat:
            return solver.model()
        reason = solver.reason_unknown()
    except z3.Z3Exception as error:
        reason = reason_of(error)
    if "interrupted" in reason:  # z3 catches Ctrl-C for the time of a check, and would swallow it
        raise KeyboardInterrupt
    return Unknown("timeout" if deadline.is_over() or reason == "canceled" else reason)


def reason_of(error: z3.Z3Exception) -> str:
    """Return the message of an exception of z3's."""
    return " ".join(str(part) for part in error.args) or "z3 failed"
