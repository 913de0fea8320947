"""Internal transitions in SysML v2, which has none: loops of a state that lies inside, which leave nothing around it.

A state with nothing inside gets one state, where transitions that stay in it are loops. These go before the others of
the state then, so that their guards have to exclude the guards of those with the same trigger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fullproof.formats.charts.exclusion import exclude
from fullproof.formats.charts.written import ChartQuestions
from fullproof.language.formulas import conjuncts
from fullproof.language.scope import Scope
from fullproof.model.chart import ChartTransition, ExitsAndEntries, Vertex
from fullproof.model.chart_model import ChartModel


def with_inner_loops(chart: ChartModel) -> ChartModel:
    """The chart without internal transitions of states with nothing inside, where loops inside mean the same."""
    asks = ChartQuestions(chart)
    plain = {v.name for v in chart.vertices if not (asks.is_composite(v.name) or v.choice or v.final or v.history)}
    times = {timer.name for timer in chart.timers}
    leaving: dict[str, list[ChartTransition]] = {}
    for arrow in chart.arrows:
        if arrow.source in plain:
            leaving.setdefault(arrow.source, []).append(arrow)
    inner: dict[str, str] = {}
    for name, arrows in leaving.items():
        # A time would be counted from the entry of the state inside.
        if _may_be_inside(arrows, chart.scope) and not any(_stays(a) and a.trigger in times for a in arrows):
            inner[name] = f"{name}.inside" if f"{name}.inside" not in asks.known else f"{name}.inside_"
    if not inner or any(word in asks.known for word in inner.values()):
        return chart
    return replace(
        chart,
        vertices=tuple(_vertices(chart.vertices, inner)),
        arrows=tuple(_inside(arrow, inner) for arrow in chart.arrows),
    )


def _may_be_inside(arrows: list[ChartTransition], scope: Scope) -> bool:
    stays = [arrow for arrow in arrows if _stays(arrow)]
    goes = [arrow for arrow in arrows if not _stays(arrow)]
    if not stays or any(arrow.trigger is None for arrow in arrows):
        return False
    pairs = ((one, other) for one in stays for other in goes if one.trigger == other.trigger)
    return all(
        any(exclude(a, b, scope) for a in conjuncts(one.guard) for b in conjuncts(other.guard)) for one, other in pairs
    )


def _stays(arrow: ChartTransition) -> bool:
    return arrow.way is not ExitsAndEntries.EXTERNAL and arrow.target == arrow.source


def _vertices(vertices: Iterable[Vertex], inner: dict[str, str]) -> Iterator[Vertex]:
    for vertex in vertices:
        if vertex.name not in inner:
            yield vertex
            continue
        yield replace(vertex, initial=inner[vertex.name])
        yield Vertex(name=inner[vertex.name], parent=vertex.name)


def _inside(arrow: ChartTransition, inner: dict[str, str]) -> ChartTransition:
    if arrow.source not in inner or not _stays(arrow):
        return arrow
    name = inner[arrow.source]
    return replace(arrow, source=name, target=name, way=ExitsAndEntries.EXTERNAL)
