"""A failure in words, from its last steps."""

from __future__ import annotations

from collections.abc import Sequence

from fullproof.artefacts.run import StepRow

_LONGEST = 80


def title_of(steps: Sequence[StepRow], reason: str) -> str:
    """``after `pause`, `tick` answers 3 instead of 4``; the reason where nothing was seen."""
    if not steps:
        return reason
    last, given = steps[-1], [row.input for row in steps if row.input]
    before = given[-2:-1] if last.input else given[-1:]
    after = f"after `{_short(before[0])}`, " if before else ""
    if last.offer:
        return f"{after}the system {_short(last.offer)}"
    right = last.allowed_text
    allowed = f" instead of {_short(right)}" if right and not right.startswith("(") else ""
    if last.input:
        return f"{after}`{_short(last.input)}` answers {_short(last.observed)}{allowed}"
    return f"{after}the system answers {_short(last.observed)}{allowed}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
