"""Symbolic transition system against symbolic transition system: is the other one ioco-correct?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fullproof.artefacts.conversation import Event, Received, Sent, Silence
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import json_value
from fullproof.core.errors import UserError
from fullproof.model import Sts

if TYPE_CHECKING:
    from fullproof.analysis.ioco import Differs, Verdict

DEPTH = 20
"""How many events a suspension trace may have, where nobody says."""

SECONDS = 60.0
"""How long the whole search may take, where nobody says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IocoComparison:
    """The answer of ``compare`` for symbolic transition systems."""

    relation: Relation
    difference: Differs | None
    depth: int | None
    """So many events were looked at; None where no longer trace can show a difference either."""
    undecided: tuple[str, ...] = ()
    """What stayed open, where that leaves the answer open."""

    @property
    def conforms(self) -> bool | None:
        """Whether the other system conforms, as far as ``depth`` says; None where that stayed open."""
        if self.difference is not None:
            return False
        return None if self.undecided else True


def compare_sts(
    model: Sts,
    other: Sts,
    relation: Relation | None = None,
    *,
    properties: Sequence[str] = (),
    depth: int = DEPTH,
    timeout: float | None = None,
) -> IocoComparison:
    """Decide ioco up to a depth; ``timeout`` is for the whole search."""
    from fullproof.analysis.ioco import ioco

    if relation not in (None, Relation.IOCO) or properties:
        asked = "property" if properties or relation is None else relation.value
        raise UserError(f"symbolic transition systems are compared for ioco, not for {asked}")
    return _comparison(ioco(model, other, depth=depth, timeout=SECONDS if timeout is None else timeout))


def _comparison(verdict: Verdict) -> IocoComparison:
    from fullproof.analysis.ioco import Conforms, Differs, Undecided

    match verdict:
        case Differs(trace=trace):
            return IocoComparison(relation=Relation.IOCO, difference=verdict, depth=len(trace) + 1)
        case Conforms(depth=depth):
            return IocoComparison(relation=Relation.IOCO, difference=None, depth=depth)
        case Undecided(depth=depth, reasons=reasons):
            return IocoComparison(relation=Relation.IOCO, difference=None, depth=depth, undecided=reasons)


def ioco_fields(comparison: IocoComparison) -> dict[str, object]:
    """The fields of ``compare --json``; events are written as on the wire of an out-of-process system."""
    difference = comparison.difference
    return {
        "relation": comparison.relation.value,
        "conforms": comparison.conforms,
        "counterexample": None
        if difference is None
        else {
            "trace": [_json_event(event) for event in difference.trace],
            "observed": _json_event(difference.observed),
            "allowed": list(difference.allowed),
            "reason": _reason(difference),
        },
        "depth": comparison.depth,
        **({"undecided": list(comparison.undecided)} if comparison.undecided else {}),
    }


def ioco_lines(comparison: IocoComparison, model: str, other: str) -> list[str]:
    """The answer for a person."""
    difference = comparison.difference
    if comparison.undecided:
        so_far = f"no difference up to depth {comparison.depth}" if comparison.depth else "nothing was decided"
        return [f"whether {other} conforms to {model} (ioco) stays open: {so_far}", *comparison.undecided]
    if difference is None:
        if comparison.depth is None:
            return [f"{other} conforms to {model} (ioco): no difference"]
        return [f"no difference between {other} and {model} (ioco) up to depth {comparison.depth}"]
    return [
        f"{other} does not conform to {model} (ioco): {_reason(difference)}",
        *(f"  {_text(event)}" for event in difference.trace),
        f"observed: {_text(difference.observed)}",
        f"allowed:  {' or '.join(difference.allowed)}",
    ]


def _reason(difference: Differs) -> str:
    what = "silence" if isinstance(difference.observed, Silence) else "an output"
    count = len(difference.trace)
    after = "at the start" if count == 0 else f"after {count} event{'' if count == 1 else 's'}"
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


def _json_event(event: Event) -> dict[str, object]:
    match event:
        case Sent(gate, values):
            return {"send": [gate, [json_value(value) for value in values]]}
        case Received(gate, values):
            return {"emit": [gate, [json_value(value) for value in values]]}
        case Silence():
            return {"silence": True}
