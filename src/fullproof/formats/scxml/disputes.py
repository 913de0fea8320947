"""Transitions that interpreters of SCXML take in different ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fullproof.core.errors import UserError
from fullproof.model.chart import ChartTransition, ExitsAndEntries, Vertex, state_names


def refuse_disputed(vertices: Sequence[Vertex], arrows: Sequence[ChartTransition]) -> None:
    """UserError for a transition of a region into the same region that can be seen to leave the parallel state, or not.

    By appendix D of the recommendation it leaves the parallel state and enters it again, since the least common
    *compound* ancestor of source and target lies around it; SCION, among others, stays inside it. That makes a
    difference where the parallel state or another of its regions does something on entry or exit.
    """
    known = {vertex.name: vertex for vertex in vertices}
    for arrow in arrows:
        if arrow.source is None or arrow.way is not ExitsAndEntries.EXTERNAL:
            continue
        parallel = known[arrow.source].parent
        if parallel is None or not known[parallel].parallel:
            continue
        inside = all(_within(name, arrow.source, known) for name in state_names(arrow.target))
        if inside and any(_acts(vertex, parallel, arrow.source, known) for vertex in vertices):
            message = (
                f"the transition of region {arrow.source[:60]!r} to itself leaves and enters {parallel[:60]!r} by the "
                "recommendation, but not in all interpreters, and actions on the way show that; give it to "
                f"{parallel[:60]!r}, or to a state inside {arrow.source[:60]!r}"
            )
            raise UserError(message, at=arrow.at)


def _acts(vertex: Vertex, parallel: str, region: str, known: Mapping[str, Vertex]) -> bool:
    """Whether a state that only one of the two ways leaves does something."""
    if not _within(vertex.name, parallel, known) or _within(vertex.name, region, known):
        return False
    return bool(vertex.entry or vertex.exit)


def _within(name: str, outer: str, known: Mapping[str, Vertex]) -> bool:
    here: str | None = name
    while here is not None and here != outer:
        here = known[here].parent
    return here == outer
