"""What of a chart SCXML can say: all but a few ways of leaving and entering states that other formats have."""

from __future__ import annotations

from dataclasses import replace

from fullproof.core.errors import UserError
from fullproof.formats.charts.start import assigned_first
from fullproof.formats.charts.written import ChartQuestions
from fullproof.formats.scxml.disputes import refuse_disputed
from fullproof.language.formulas import conjunction, disjunction
from fullproof.language.syntax import Expression, Name
from fullproof.model.chart import (
    ChartTransition,
    ExitsAndEntries,
    SentSignal,
    StartedTimer,
    done_event,
    is_active,
    state_names,
)
from fullproof.model.chart_model import ChartModel, TransitionRank


def in_words_of_scxml(chart: ChartModel) -> ChartModel | None:
    """The same chart by what SCXML has words for; None where that is not enough.

    What is assigned before the start becomes initial values. A transition that waits for the end of its source asks
    whether its final states are active. A local one of a state to itself leads to its initial states.
    """
    asks = ChartQuestions(chart)
    raised = set(asks.raised)
    sent = {action.signal for action in asks.actions if isinstance(action, SentSignal)}
    heard = {*chart.received, *raised, *(done_event(vertex.name) for vertex in chart.vertices)}
    if sent & {*chart.signals_in, *raised} or any(a.trigger not in heard for a in chart.arrows if a.trigger):
        return None
    begun = assigned_first(chart)
    arrows = [_arrow(arrow, asks) for arrow in chart.arrows]
    said = [arrow for arrow in arrows if arrow is not None]
    starts = all(isinstance(step, StartedTimer) for step in begun.before.steps())
    if not starts or len(said) < len(arrows):
        return None
    if chart.order is TransitionRank.DOCUMENT:
        try:
            refuse_disputed(chart.vertices, said)
        except UserError:
            return None
    return replace(begun, arrows=tuple(said))


def _arrow(arrow: ChartTransition, asks: ChartQuestions) -> ChartTransition | None:
    if arrow.completion:
        assert arrow.source is not None
        complete = _complete(arrow.source, asks)
        if complete is None:
            return None
        guard = conjunction([complete, arrow.guard])
        arrow = replace(arrow, completion=False, guard=guard)
    if arrow.way is not ExitsAndEntries.LOCAL:
        return arrow
    if arrow.source is None:
        return replace(arrow, way=ExitsAndEntries.EXTERNAL)
    source, targets = asks.known[arrow.source], state_names(arrow.target)
    if not asks.is_composite(arrow.source):
        return replace(arrow, way=ExitsAndEntries.INTERNAL, target=arrow.source)
    if targets == (arrow.source,):
        if source.initial_effect or source.initial is None:
            return None
        targets = state_names(source.initial)
    inside = all(name != arrow.source and asks.within(name, arrow.source) for name in targets)
    return replace(arrow, target=targets) if inside else None


def _complete(name: str, asks: ChartQuestions) -> Expression | None:
    """Whether a state has reached its final ones, as a condition; None where it never does."""
    inside = [vertex for vertex in asks.inside.get(name, []) if vertex.history is None]
    if asks.known[name].parallel:
        regions = [_complete(vertex.name, asks) for vertex in inside]
        said = [one for one in regions if one is not None]
        return conjunction(said) if len(said) == len(regions) else None
    finals = [Name(is_active(vertex.name)) for vertex in inside if vertex.final]
    return disjunction(finals) if finals else None
