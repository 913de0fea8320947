"""One query to z3: within a budget of steps, interruptible by Ctrl-C, never answered by an exception.

Budgets count z3's own steps (its resource limit), so that a question has the same answer on a slow machine and on a
fast one. A second stands for the number of steps that z3 makes in about a second. A clock is only a safety net for
questions whose steps take far longer than that, and an answer says when the clock ended the query.
"""

from __future__ import annotations

import math
from typing import Any

import z3

from fullproof.core.budget import Budget
from fullproof.core.deadline import Deadline
from fullproof.smt.answers import Unknown, Unsat

STEPS = 4_000_000
"""Steps that stand for a second."""
_ANSWERED = 200
"""The share of a budget that an answered query is assumed to have used: measuring would cost more than asking."""
PATIENCE = 10.0
"""How many times longer than its steps stand for a question may take."""
_MOST = 2**32 - 2


def step_budget(seconds: float | None, *, patience: float = PATIENCE) -> Budget:
    """Steps that several queries share, given in seconds; None means unlimited."""
    if seconds is None:
        return Budget(None)
    return Budget(int(seconds * STEPS), Deadline(patience * max(seconds, 0.1)))


def seconds_left(budget: Budget) -> float | None:
    """Return the seconds that the steps left stand for."""
    return None if budget.steps == math.inf else budget.left() / STEPS


def half_of(budget: Budget, *, patience: float = PATIENCE) -> Budget:
    """Split off half of the steps for a first attempt."""
    left = seconds_left(budget)
    first = step_budget(None if left is None else left / 2, patience=patience)
    if left is not None:
        budget.spend(int(first.steps))
    return first


def ask(solver: Any, deadline: Budget) -> Any:
    """Return Unsat, Unknown, or z3's model where there is one."""
    steps = None if deadline.steps == math.inf else int(deadline.left())
    if deadline.is_over:
        return _exhausted(deadline)
    try:
        if steps is not None:
            solver.set("rlimit", max(1, min(steps, _MOST)))
            solver.set("timeout", max(1, min(int(deadline.clock.left() * 1000), _MOST)))
        result = solver.check()
        if result == z3.unknown:
            reason = solver.reason_unknown()
        else:
            deadline.spend((steps or 0) // _ANSWERED)
            return Unsat() if result == z3.unsat else solver.model()
    except z3.Z3Exception as error:
        reason = reason_of(error)
    if "interrupted" in reason:  # z3 catches Ctrl-C for the time of a check, and would swallow it
        raise KeyboardInterrupt
    if reason in ("canceled", "timeout") or "resource" in reason:
        deadline.spend(steps or 0)
        return _exhausted(deadline)
    deadline.spend((steps or 0) // 10)
    return Unknown(reason)


def _exhausted(deadline: Budget) -> Unknown:
    if deadline.is_cut:
        return Unknown("the clock cut the solver short", exhausted=True)
    return Unknown("the solver's steps are used up", exhausted=True)


def reason_of(error: z3.Z3Exception) -> str:
    """Return the message of an exception of z3's."""
    return " ".join(str(part) for part in error.args) or "z3 failed"
