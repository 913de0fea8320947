"""The answers of a comparison for ioco: a closed union."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from fullproof.artefacts.execution import Event, Received, Silence


@dataclass(frozen=True, slots=True, kw_only=True)
class Differs:
    """The other system does not conform: after ``trace`` it may show ``observed``, which is not in ``allowed``."""

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
    """No difference was found, but some question stayed open; traces of up to ``depth`` events were decided
    completely.
    """

    depth: int
    reasons: tuple[str, ...]


Verdict: TypeAlias = Differs | IocoConforms | IocoUndecided
