"""Charts in which a state does not react to an event that a state inside it reacts to (UML, XState).

By appendix D of the SCXML recommendation transitions of several regions are chosen one by one: while one region reacts
without leaving a state, another may let the state around both of them react to the same event. Here the guards of outer
transitions say that no inner one is enabled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fullproof.language.shallow_trees import joined_as_written
from fullproof.language.syntax import TRUE, Expression, Name, Unary
from fullproof.model.chart import ChartTransition, ExitsAndEntries, Vertex, is_active


def inner_first(vertices: Sequence[Vertex], arrows: Sequence[ChartTransition]) -> list[ChartTransition]:
    """The transitions, outer ones only where no inner one with the same trigger is enabled.

    Where both leave states, the inner one preempts the outer one in any case, and nothing is changed.
    """
    known = {vertex.name: vertex for vertex in vertices}
    if not any(vertex.parallel for vertex in vertices):
        return list(arrows)
    return [_unless(arrow, [other for other in arrows if _beside(other, arrow, known)]) for arrow in arrows]


def _beside(inner: ChartTransition, outer: ChartTransition, known: dict[str, Vertex]) -> bool:
    """Whether a transition inside a region of the source of another might be taken together with it."""
    if inner.trigger is None or inner.trigger != outer.trigger or inner.source in (None, outer.source):
        return False
    if ExitsAndEntries.INTERNAL not in (inner.way, outer.way):
        return False
    regions = 0
    name: str | None = inner.source
    while name is not None and name != outer.source:
        name = known[name].parent
        regions += name is not None and known[name].parallel
    return name == outer.source and regions > 0


def _unless(arrow: ChartTransition, inner: Sequence[ChartTransition]) -> ChartTransition:
    if not inner:
        return arrow
    fails: list[Expression] = [Unary("not", _enabled(other)) for other in inner]
    parts = [part for part in (arrow.guard, *dict.fromkeys(fails)) if part != TRUE]
    return replace(arrow, guard=joined_as_written("and", parts))


def _enabled(arrow: ChartTransition) -> Expression:
    assert arrow.source is not None
    active = Name(is_active(arrow.source))
    return active if arrow.guard == TRUE else joined_as_written("and", [active, arrow.guard])
