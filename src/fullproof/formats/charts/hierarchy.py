"""State charts with states inside states, and the flat machine that does the same.

A leaf state takes over the transitions of all states around it. Which of several enabled ones fires is decided by rank:
one without trigger before one with a trigger (as UML's completion events and SCXML's eventless transitions), then
inner before outer. What a lower rank must wait for becomes part of its guard, so the flat machine needs no ranks.
Leaving runs exit effects from the inside out, then the transition's own, then entry effects from the outside in.
Readers refuse parallel regions and history states: the model has no representation for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from fullproof.formats.charts.chart import Chart, ChartTransition, Effect, ExitsAndEntries, Vertex, joined
from fullproof.formats.charts.exclusion import guard_unless
from fullproof.language.scope import Scope
from fullproof.model.statemachine import SmTransition


class TransitionRank(Enum):
    """The priorities of transitions of the same state."""

    NONE = "none"
    """Equal, except that completion comes before triggers: their guards exclude each other, or ``check`` reports
    them."""
    DOCUMENT = "document"
    """Those without trigger first, then as listed (SCXML)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat:
    """The parts of a flat machine; ``start`` is what entering the initial state does (see ``initial_values``)."""

    initial: str
    states: tuple[str, ...]
    choices: tuple[str, ...]
    transitions: tuple[SmTransition, ...]
    start: Effect


def flatten(
    vertices: Iterable[Vertex],
    arrows: Iterable[ChartTransition],
    *,
    initial: str,
    order: TransitionRank = TransitionRank.NONE,
    scope: Scope | None = None,
) -> Flat:
    """The flat machine of a chart; a chart of leaf states alone comes out as it is.

    States keep their names and their order, composites vanish. ``scope`` (the names in guards) only makes guards
    shorter. UserError with the place: unknown or repeated names, states inside each other in a circle, a composite
    without initial state, a final state with transitions, and the like.
    """
    listed = tuple(arrows)
    chart = Chart(tuple(vertices), listed, initial)
    first, start = _entered(chart, chart.paths[initial])
    leaves = [vertex for vertex in chart.vertices.values() if vertex.name not in chart.composites]
    transitions = [t for leaf in leaves for t in _leaving(chart, leaf, order, scope)]
    return Flat(
        initial=first,
        states=tuple(leaf.name for leaf in leaves),
        choices=tuple(leaf.name for leaf in leaves if leaf.choice),
        transitions=tuple(transitions),
        start=start,
    )


def flat_names(paths: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """Unique names for states given by their paths from the outermost state: ``inner``, where need be ``outer.inner``.

    A name is the shortest end of the path that no other state has, so that names stay when a chart grows elsewhere.
    """
    listed = list(dict.fromkeys(paths))
    ends: dict[str, int] = {}
    for path in listed:
        for end in {".".join(path[start:]) for start in range(len(path))}:
            ends[end] = ends.get(end, 0) + 1
    names: dict[tuple[str, ...], str] = {}
    taken: set[str] = set()
    for path in listed:
        candidates = (".".join(path[start:]) for start in range(len(path) - 1, -1, -1))
        name = next((end for end in candidates if ends[end] == 1), ".".join(path))
        while name in taken:
            name += "_"
        taken.add(name)
        names[path] = name
    return names


def _leaving(chart: Chart, leaf: Vertex, order: TransitionRank, scope: Scope | None) -> Iterator[SmTransition]:
    """The transitions of a leaf: its own, then those of the states around it, each unless a higher rank is enabled."""
    around = (leaf.name,) if leaf.choice else tuple(reversed(chart.paths[leaf.name]))
    ranked: list[tuple[int, ChartTransition]] = []
    for height, name in enumerate(around):
        done = height == 1 and leaf.final
        ranked += [(height, arrow) for arrow in chart.leaving[name] if done or not arrow.completion]
    # Large flat machines have one height and no order: then nothing is compared with anything.
    alone = order is TransitionRank.NONE and all(height == 0 for height, _ in ranked)
    for position, (height, arrow) in enumerate(ranked):
        higher = [
            other.guard
            for number, (other_height, other) in enumerate([] if alone else ranked)
            if _meets(arrow, other) and _outranks((other_height, number, other), (height, position, arrow), order)
        ]
        guard = guard_unless(arrow.guard, higher, scope)
        if guard is not None:
            target, effect = _taken(chart, leaf.name, arrow)
            yield SmTransition(
                source=leaf.name,
                trigger=arrow.trigger,
                guard=guard,
                actions=effect.actions,
                sends=effect.sends,
                target=target,
                requirements=arrow.requirements,
                at=arrow.at,
            )


def _meets(first: ChartTransition, second: ChartTransition) -> bool:
    """Whether one event may fire either."""
    return first.trigger is None or second.trigger is None or first.trigger == second.trigger


def _outranks(
    first: tuple[int, int, ChartTransition], second: tuple[int, int, ChartTransition], order: TransitionRank
) -> bool:
    if first[0] == second[0] and order is TransitionRank.NONE:
        return first[2].completion and second[2].trigger is not None
    waits = [arrow.trigger is not None for _, _, arrow in (first, second)]
    return (waits[0], *first[:2]) < (waits[1], *second[:2])


def _taken(chart: Chart, leaf: str, arrow: ChartTransition) -> tuple[str, Effect]:
    """Where an arrow leads from a leaf in its source, and all that happens on the way."""
    if arrow.way is ExitsAndEntries.INTERNAL:
        return leaf, arrow.effect
    kept = chart.kept(arrow)
    left = [chart.vertices[name].exit for name in reversed(chart.paths[leaf][kept:])]
    target, entered = _entered(chart, chart.paths[arrow.target][kept:], whole=chart.paths[arrow.target])
    return target, joined([*left, arrow.effect, entered])


def _entered(chart: Chart, path: tuple[str, ...], *, whole: tuple[str, ...] = ()) -> tuple[str, Effect]:
    """The leaf reached by entering the states of a path, and the initial states of the last one."""
    effects = [chart.vertices[name].entry for name in path]
    here = (whole or path)[-1]
    while here in chart.composites:
        vertex = chart.vertices[here]
        inner = chart.initial_of(vertex)
        effects.append(vertex.initial_effect)
        effects += [chart.vertices[name].entry for name in chart.paths[inner][len(chart.paths[here]) :]]
        here = inner
    return here, joined(effects)
