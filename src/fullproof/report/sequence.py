"""A conversation as a sequence diagram in plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fullproof.artefacts.run import StepRow
from fullproof.core.counted import counted

STEPS_SHOWN = 24
"""The number of last steps shown; the report has all of them."""
_NARROWEST = 24
_LONGEST = 60


def sequence_diagram(steps: Sequence[StepRow], *, most_steps: int = STEPS_SHOWN) -> list[str]:
    """Arrows from tester to system for inputs, back for outputs with what was allowed there; the wrong one last."""
    hidden = max(0, len(steps) - most_steps)
    shown = steps[hidden:]
    width = max(_NARROWEST, *(len(_label(step)) + 8 for step in shown)) if shown else _NARROWEST
    lines = [f"      tester{' ' * (width - 8)}system"]
    if hidden:
        lines.append(f"      ... {counted(hidden, 'step')} that went well")
    lines += _arrows(shown, first=hidden + 1, width=width)
    return lines


def _arrows(steps: Sequence[StepRow], *, first: int, width: int) -> Iterator[str]:
    for number, step in enumerate(steps, first):
        label = f" {_label(step)} "
        if step.input:
            arrow = label.center(width - 1, "-") + ">"
        elif step.observed == "silence":
            arrow = label.center(width, " ")
        elif not step.allowed:
            yield f"      {step.observed}"
            continue
        else:
            arrow = "<" + label.center(width - 1, "-")
        yield f"{number:>4}     |{arrow}|{'' if step.ok else '   <== not allowed'}"
        for line in (step.allowed_text,) if step.ok and step.allowed else step.allowed:
            yield f"          allowed: {line}"


def _label(step: StepRow) -> str:
    text = step.input or step.observed
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
