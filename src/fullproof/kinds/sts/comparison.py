"""Symbolic transition system against symbolic transition system: ioco."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Event, Received, Sent, Silence, event_json
from fullproof.artefacts.replies import CompareReply
from fullproof.artefacts.request import Relation
from fullproof.core.counted import counted
from fullproof.core.errors import NOWHERE, Place
from fullproof.kinds.comparison import Asked, Conformance, Judged
from fullproof.model import Sts

if TYPE_CHECKING:
    from fullproof.analysis.ioco import Differs, Verdict

_SECONDS = 60.0
"""Seconds for the whole search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IocoComparison(Judged):
    """The answer of ``compare`` for symbolic transition systems."""

    relation: Relation
    difference: Differs | None
    depth: int | None
    """The number of events that were decided; None where no longer trace can show a difference either."""
    undecided: tuple[str, ...] = ()
    """What stayed open, where that leaves the answer open."""

    def reply(self) -> CompareReply:
        """The answer as JSON has it; events are written as on the wire of an out-of-process system."""
        difference = self.difference
        return CompareReply(
            relation=self.relation.value,
            conforms=self.conforms,
            counterexample=None
            if difference is None
            else {
                "trace": [event_json(event) for event in difference.trace],
                "observed": event_json(difference.observed),
                "allowed": list(difference.allowed),
                "reason": _reason(difference),
            },
            details={"depth": self.depth},
            undecided=list(self.undecided) or None,
        )

    def lines(self, model: str, other: str) -> list[str]:
        """The answer for a person."""
        difference = self.difference
        if self.undecided:
            so_far = f"no difference up to depth {self.depth}" if self.depth else "nothing was decided"
            return [f"whether {other} conforms to {model} (ioco) stays open: {so_far}", *self.undecided]
        if difference is None:
            if self.depth is None:
                return [f"{other} conforms to {model} (ioco): no difference"]
            return [f"no difference between {other} and {model} (ioco) up to depth {self.depth}"]
        return [
            f"{other} does not conform to {model} (ioco): {_reason(difference)}",
            *(f"  {_text(event)}" for event in difference.trace),
            f"observed: {_text(difference.observed)}",
            f"allowed:  {' or '.join(difference.allowed)}",
        ]


class StsConformance(Conformance[Sts]):
    """Decides ioco up to a depth; ``timeout`` is for the whole search."""

    def __init__(self, model: Sts, asked: Asked) -> None:
        self.model = model
        self._depth = asked.depth
        self._seconds = _SECONDS if asked.timeout is None else asked.timeout

    def compare(self, other: Sts, *, at: Place = NOWHERE) -> IocoComparison:  # noqa: ARG002  # ioco says what is amiss
        """Compare one system."""
        from fullproof.analysis.ioco import ioco

        return _comparison(ioco(self.model, other, depth=self._depth, timeout=self._seconds))


def _comparison(verdict: Verdict) -> IocoComparison:
    from fullproof.analysis.ioco import Differs, IocoConforms, IocoUndecided

    match verdict:
        case Differs(trace=trace):
            return IocoComparison(relation=Relation.IOCO, difference=verdict, depth=len(trace) + 1)
        case IocoConforms(depth=depth):
            return IocoComparison(relation=Relation.IOCO, difference=None, depth=depth)
        case IocoUndecided(depth=depth, reasons=reasons):
            return IocoComparison(relation=Relation.IOCO, difference=None, depth=depth, undecided=reasons)


def _reason(difference: Differs) -> str:
    what = "silence" if isinstance(difference.observed, Silence) else "an output"
    count = len(difference.trace)
    after = "at the start" if count == 0 else f"after {counted(count, 'event')}"
    return f"{what} that the model does not allow {after}"


def _text(event: Event) -> str:
    from fullproof.analysis.ioco.witness import gate_text

    match event:
        case Sent(gate, values):
            return f"-> {gate_text(gate, values)}"
        case Received(gate, values):
            return f"<- {gate_text(gate, values)}"
        case Silence():
            return "(silence)"
