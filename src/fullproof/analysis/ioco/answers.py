"""What a comparison for ioco answers: a closed union."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from fullproof.artefacts.execution import Event, Received, Silence


@dataclass(frozen=True, slots=True, kw_only=True)
class Differs:
    """The other system does not conform: after ``trace`` it may do what is ``observed``, which is not ``allowed``."""

    trace: tuple[Event, ...]
    observed: Received | Silence
    allowed: tuple[str, ...]
    """The outputs of the model after the trace, as texts; ``silence`` where it may be quiescent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IocoConforms:
    """No suspension trace of at most ``depth`` events shows a difference; none at all where ``depth`` is None."""

    depth: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IocoUndecided:
    """No difference was found, and some question stayed open; ``depth`` events were decided completely."""

    depth: int
    reasons: tuple[str, ...]


Verdict: TypeAlias = Differs | IocoConforms | IocoUndecided
