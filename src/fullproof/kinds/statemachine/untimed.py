"""What is for state machines without timers alone."""

from __future__ import annotations

from fullproof.core.errors import UserError
from fullproof.model import StateMachine


def require_untimed(model: StateMachine, what: str) -> None:
    """UserError where a model has timers, which ``what`` does not know."""
    if model.timers:
        names = ", ".join(timer.name for timer in model.timers[:3])
        more = ", ..." if len(model.timers) > 3 else ""
        raise UserError(f"{model.name} has timers ({names}{more}): {what} knows no time")
