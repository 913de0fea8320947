"""Regions of formats in which a region is no state: what can be written as one."""

from __future__ import annotations

from fullproof.formats.charts.written import ChartQuestions
from fullproof.model.chart import ChartTransition, ExitsAndEntries, HistoryDepth, Vertex, state_names


def is_plain_region(vertex: Vertex, asks: ChartQuestions) -> bool:
    """Whether a state directly inside a parallel one is nothing but what lies inside it."""
    acts = vertex.entry or vertex.exit or vertex.parallel or vertex.history is not None
    used = any(arrow.source == vertex.name for arrow in asks.chart.arrows) or vertex.name in asks.targets()
    return not (acts or used) and asks.is_composite(vertex.name)


def regions_can_be_said(asks: ChartQuestions) -> bool:
    """Whether each region is plain, or can be the only state of one.

    Not where a transition from inside to itself leaves the others, as it would not leave what is drawn around it. It
    may lead to itself by a history state.
    """
    for vertex in asks.chart.vertices:
        parent = None if vertex.parent is None else asks.known[vertex.parent]
        if parent is None or not parent.parallel or vertex.history is not None or is_plain_region(vertex, asks):
            continue
        for arrow in asks.chart.arrows:
            ends = (arrow.source, *state_names(arrow.target))
            inside = all(name is not None and asks.within(name, vertex.name) for name in ends)
            back = arrow.source == vertex.name and _may_remember(vertex.name, arrow, asks)
            if arrow.way is ExitsAndEntries.EXTERNAL and ((vertex.name in ends and inside) or back):
                return False
    return True


def _may_remember(name: str, arrow: ChartTransition, asks: ChartQuestions) -> bool:
    """Whether a transition leads to what was active last in a state, which may be this state."""
    targets = (asks.known[target] for target in state_names(arrow.target))
    return any(to.history is HistoryDepth.DEEP and asks.within(name, to.parent) for to in targets)
