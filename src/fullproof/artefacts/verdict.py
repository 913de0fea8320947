"""Verdicts on tests and runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """Verdicts have no order: ``judge`` decides how several are combined into one."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"


BAD = (Verdict.FAIL, Verdict.ERROR)
"""Verdicts on systems in which something went wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """The step, from 1, at which a trace becomes a bad prefix of a property; 0 where the property is unsatisfiable."""

    property: str
    step: int


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
