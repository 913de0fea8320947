"""The projection of a chart on some of its regions: a smaller chart that shows the outputs which these own.

It is made from the cone of influence alone, so that the product of all regions is never built (docs/proofs/regions.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations

from fullproof.analysis.regions import ChartRegions, Cone, Region, effect_without
from fullproof.model.chart import ChartTransition, Names, Vertex, state_names
from fullproof.model.chart_model import ChartModel

OUTSIDE = "(outside of regions)"
"""What owns outputs that no region writes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """Some regions, the outputs and signals that they own, their cone of influence and the chart of it."""

    regions: tuple[str, ...]
    shown: frozenset[str]
    cone: tuple[str, ...]
    whole: bool
    """Whether the cone is all regions."""
    chart: ChartModel


def owning_regions(regions: ChartRegions) -> tuple[Region, ...]:
    """The regions that own outputs, in the order of the file, the outside at last: projections are on sets of them."""
    seen = (*(v.name for v in regions.chart.outputs), *regions.chart.signals_out)
    found = {owner for name in seen for owner in regions.owners(name)}
    return tuple(one for one in (*regions.names, None) if one in found)


def projections(regions: ChartRegions, size: int) -> list[Projection]:
    """The projections on all sets of so many regions; one is left out that shows nothing that another does not show."""
    found: list[Projection] = []
    chosen = [_shown(regions, group) for group in combinations(owning_regions(regions), size)]
    for number, (group, shown) in enumerate(chosen):
        others = (other for k, (_, other) in enumerate(chosen) if shown < other or (shown == other and k < number))
        if not any(others):
            found.append(projection(regions, group))
    return found


def _shown(regions: ChartRegions, group: Iterable[Region]) -> tuple[tuple[Region, ...], frozenset[str]]:
    """The outputs and signals that regions own, and those that no region owns: a system may change these, too."""
    listed = tuple(group)
    seen = (*(v.name for v in regions.chart.outputs), *regions.chart.signals_out)
    return listed, frozenset(n for n in seen if not regions.owners(n) or regions.owners(n) & set(listed))


def projection(regions: ChartRegions, group: Iterable[Region]) -> Projection:
    """The projection on some regions."""
    listed, shown = _shown(regions, group)
    cone = regions.cone(listed, shown)
    return Projection(
        regions=tuple(OUTSIDE if one is None else one for one in listed),
        shown=shown,
        cone=tuple(name for name in regions.names if name in cone.regions),
        whole=set(regions.names) <= cone.regions,
        chart=_Slice(regions, cone, shown).chart(),
    )


class _Slice:
    def __init__(self, regions: ChartRegions, cone: Cone, shown: frozenset[str]) -> None:
        self.regions = regions
        self.tree = regions.tree
        self.cone = cone
        self.shown = shown
        self.written = cone.variables | shown
        self.kept = {name for name in self.tree.vertices if regions.of[name] in cone.regions}
        self.stands_in = {
            region: next(one for one in self.tree.inside[vertex.parent] if one not in self.kept)
            for region in regions.names
            if region not in self.kept and (vertex := self.tree.vertices[region]).parent in self.kept
        }
        """For each region that is left out, the first one that is left out beside it: it becomes atomic.

        It is active all the same, so that a transition of a state around it is taken for it where other regions have
        one of their own."""

    def chart(self) -> ChartModel:
        """What is left of the chart."""
        chart = self.regions.chart
        variables = (*chart.variables, *(v for v in chart.outputs if v.name not in self.shown))
        vertices = tuple(self.vertex(vertex) for vertex in chart.vertices if self.has(vertex.name))
        names = {vertex.name for vertex in vertices}
        known = {v.name for v in (*chart.inputs, *chart.outputs, *chart.variables) if v.name in self.written}
        known |= {v.name for v in chart.inputs}
        domain = chart.description.fault_domain
        paving = tuple(one for one in domain.paving if one.variable in known)
        return replace(
            chart,
            description=replace(
                chart.description, properties=(), requirements=(), fault_domain=replace(domain, paving=paving)
            ),
            signals_out=tuple(name for name in chart.signals_out if name in self.shown),
            outputs=tuple(v for v in chart.outputs if v.name in self.shown),
            variables=tuple(replace(v, tolerance=None) for v in variables if v.name in self.cone.variables),
            vertices=vertices,
            arrows=tuple(
                self.arrow(arrow) for arrow in chart.arrows if self.regions.of[arrow.source] in self.cone.regions
            ),
            initial=self.targets(chart.initial),
            choices=tuple(name for name in chart.choices if name in names),
            before=effect_without(chart.before, self.written, self.shown),
            unset=chart.unset & self.written,
        )

    def has(self, name: str) -> bool:
        return name in self.kept or self.stands_in.get(name) == name

    def vertex(self, vertex: Vertex) -> Vertex:
        if vertex.name not in self.kept:
            return Vertex(name=vertex.name, parent=vertex.parent, left_out=True)
        return replace(
            vertex,
            initial=None if vertex.initial is None else self.targets(vertex.initial),
            initial_effect=effect_without(vertex.initial_effect, self.written, self.shown),
            entry=effect_without(vertex.entry, self.written, self.shown),
            exit=effect_without(vertex.exit, self.written, self.shown),
        )

    def arrow(self, arrow: ChartTransition) -> ChartTransition:
        effect = effect_without(arrow.effect, self.written, self.shown)
        target = arrow.target if arrow.target == arrow.source or arrow.target == () else self.targets(arrow.target)
        return replace(arrow, target=target, effect=effect, requirements=())

    def targets(self, names: Names) -> Names:
        """States that are left, for those that are not: with one region, all beside it are entered."""
        if names == ():
            return names
        found = list(dict.fromkeys(map(self.target, state_names(names))))
        inner = [one for one in found if not any(other != one and self.tree.within(other, one) for other in found)]
        return inner[0] if len(inner) == 1 else tuple(inner)

    def target(self, name: str) -> str:
        return next((self.stands_in[one] for one in self.tree.paths[name] if one not in self.kept), name)
