"""Local transitions as external ones, for formats without local ones, where leaving their source changes nothing."""

from __future__ import annotations

from dataclasses import replace

from fullproof.formats.charts.written import ChartQuestions
from fullproof.model.chart import ChartTransition, ExitsAndEntries, is_active, state_names
from fullproof.model.chart_model import ChartModel


def without_local_arrows(chart: ChartModel) -> ChartModel:
    """The chart with external transitions instead of local ones where both do the same.

    That is where their source does nothing on entry and exit, has no timer, remembers nothing, is no region, and no
    condition or value asks for it: then it cannot be seen that it is left and entered again.
    """
    asks = ChartQuestions(chart)
    arrows = (
        replace(arrow, way=ExitsAndEntries.EXTERNAL) if _is_unseen(arrow, asks) else arrow for arrow in chart.arrows
    )
    return replace(chart, arrows=tuple(arrows))


def _is_unseen(arrow: ChartTransition, asks: ChartQuestions) -> bool:
    if arrow.way is not ExitsAndEntries.LOCAL or arrow.source is None:
        return False
    source, targets = asks.known[arrow.source], [asks.known[name] for name in state_names(arrow.target)]
    around = None if source.parent is None else asks.known[source.parent]
    remembers = any(inner.history is not None for inner in asks.inside.get(source.name, []))
    times = {timer.name for timer in asks.chart.timers}
    waits = any(other.source == source.name and other.trigger in times for other in asks.chart.arrows)
    outside = any(to.history is not None and not asks.within(to.parent, source.name) for to in targets)
    quiet = not (source.entry or source.exit or remembers or waits or outside or is_active(source.name) in asks.asked)
    return quiet and asks.is_composite(source.name) and (around is None or not around.parallel)
