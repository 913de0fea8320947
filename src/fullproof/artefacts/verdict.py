"""Verdicts on tests and runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum


class Verdict(Enum):
    """Verdicts have no order: ``judge`` decides how several are combined into one."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"
    NONDETERMINISTIC = "nondeterministic"
    """Of a run: tests fail, and equal inputs were answered in two ways although the model leaves no choice."""


BAD = (Verdict.FAIL, Verdict.ERROR, Verdict.NONDETERMINISTIC)
"""Verdicts on systems in which something went wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """The step, from 1, at which a trace becomes a bad prefix of a property; 0 where the property is unsatisfiable."""

    property: str
    step: int
    formula: str = field(default="", compare=False)
    atoms: tuple[tuple[str, bool], ...] = field(default=(), compare=False)
    """The atomic propositions of the formula, and whether each holds at that step."""
    values: str = field(default="", compare=False)
    """The inputs and outputs of that step."""

    def why(self) -> str:
        """``P, that is G(y <= 1), is false from step 2 on: y <= 1 is false (x = 3, y = 2)``"""
        if not self.atoms:
            return ""
        held = ", ".join(f"{atom} is {'true' if holds else 'false'}" for atom, holds in self.atoms)
        return f"{self.property}, that is {self.formula}, is false from step {self.step} on: {held} ({self.values})"

    def fields(self) -> dict[str, object]:
        """The violation as JSON has it."""
        return {
            "property": self.property,
            "step": self.step,
            "formula": self.formula,
            "atoms": dict(self.atoms),
            "why": self.why(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The verdict on one trace. ``step`` counts from 1 and names the first step that decided it."""

    test: str
    verdict: Verdict
    step: int | None = None
    input: object = None
    observed: object = None
    allowed: Sequence[object] = ()
    reason: str = ""
    exercised: frozenset[int] = frozenset()
    """The model's transitions, by their position, that the trace has certainly taken."""
    violates: tuple[Violation, ...] | None = None
    """The properties that the trace violates; None where no properties were requested."""
