"""A failure in words, from its last steps."""

from __future__ import annotations

from collections.abc import Sequence

from fullproof.artefacts.execution import SILENCE
from fullproof.artefacts.run import StepRow

_LONGEST = 80


def title_of(steps: Sequence[StepRow], reason: str, violated: Sequence[str] = ()) -> str:
    """``after `pause`, `tick` answers 3 instead of 4``; the reason where nothing was seen.

    What properties are violated stands in front.
    """
    if not steps:
        return reason
    seen = _last_step(steps, reason)
    return f"{' and '.join(violated)} {'is' if len(violated) == 1 else 'are'} violated: {seen}" if violated else seen


def _last_step(steps: Sequence[StepRow], reason: str) -> str:
    last, given = steps[-1], [row.input for row in steps if row.input]
    before = given[-2:-1] if last.input else given[-1:]
    after = [f"after `{_short(name)}`" for name in before]
    now = [f"`{_short(last.input)}`"] if last.input else []
    if last.offer:
        return ", ".join((*after, f"the system {_short(last.offer)}"))
    if last.observed == reason:  # the system broke down: this is no answer, but a sentence about it
        return ": ".join(filter(None, (", ".join((*after, *now)), _short(reason))))
    right = last.allowed_text
    allowed = f" instead of {_short(right)}" if right and not right.startswith("(") else ""
    if not now and last.observed == SILENCE:
        return ", ".join((*after, f"the system stays silent{allowed}"))
    return ", ".join((*after, f"{''.join(now) or 'the system'} answers {_short(last.observed)}{allowed}"))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
