"""A state chart played as it is drawn, state by state: the slow twin of flattening.

Sets of active states and walks from parent to parent; nothing is computed before the event is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fullproof.language.evaluate import evaluate
from fullproof.language.scope import Scope
from fullproof.language.types import Value
from fullproof.model.chart import ChartTransition, Effect, ExitsAndEntries, Vertex
from fullproof.model.chart_model import TransitionRank


class Stuck(Exception):
    """No way out of a choice point."""


@dataclass(frozen=True)
class Moment:
    """The active states, the values and what was sent."""

    active: frozenset[str]
    values: tuple[tuple[str, Value], ...]
    sent: tuple[str, ...]


class Player:
    """All runs of a chart."""

    def __init__(
        self,
        vertices: list[Vertex],
        arrows: list[ChartTransition],
        initial: str,
        *,
        order: TransitionRank,
        scope: Scope,
    ) -> None:
        self.vertices = {vertex.name: vertex for vertex in vertices}
        self.arrows = arrows
        self.initial = initial
        self.order = order
        self.scope = scope

    def parents(self, name: str) -> list[str]:
        """The states around a state, innermost first."""
        found = []
        parent = self.vertices[name].parent
        while parent is not None:
            found.append(parent)
            parent = self.vertices[parent].parent
        return found

    def leaf(self, moment: Moment) -> str:
        """The innermost active state."""
        (found,) = (name for name in moment.active if not any(name in self.parents(o) for o in moment.active))
        return found

    def apply(self, effect: Effect, moment: Moment) -> Moment:
        values = dict(moment.values)
        for action in effect.actions:
            values[action.variable] = evaluate(action.expression, self.scope, values)
        return Moment(moment.active, tuple(values.items()), moment.sent + effect.sends)

    def enter(self, target: str, moment: Moment) -> Moment:
        """Enter what is not yet active around the target, outermost first, then the target's initial states."""
        for name in [*reversed(self.parents(target)), target]:
            if name not in moment.active:
                moment = Moment(moment.active | {name}, moment.values, moment.sent)
                moment = self.apply(self.vertices[name].entry, moment)
                if self.vertices[name].final and not self.parents(name) and self.order is TransitionRank.DOCUMENT:
                    moment = self.apply(self.vertices[name].exit, moment)  # the session of an SCXML machine ends
        vertex = self.vertices[target]
        if vertex.initial is not None:
            moment = self.enter(vertex.initial, self.apply(vertex.initial_effect, moment))
        return moment

    def leave(self, kept: set[str], moment: Moment) -> Moment:
        """Leave all active states but some, innermost first."""
        while moment.active - kept:
            leaf = self.leaf(moment)
            moment = self.apply(self.vertices[leaf].exit, moment)
            moment = Moment(moment.active - {leaf}, moment.values, moment.sent)
        return moment

    def start(self, values: Mapping[str, Value]) -> Moment:
        return self.enter(self.initial, Moment(frozenset(), tuple(values.items()), ()))

    def fire(self, arrow: ChartTransition, moment: Moment) -> Moment:
        if arrow.way is ExitsAndEntries.INTERNAL:
            return self.apply(arrow.effect, moment)
        around = set(self.parents(arrow.source)) & set(self.parents(arrow.target))
        if arrow.way is ExitsAndEntries.LOCAL:
            around |= {arrow.source}
        moment = self.apply(arrow.effect, self.leave(around, moment))
        if (
            arrow.way is ExitsAndEntries.LOCAL
            and arrow.target == arrow.source
            and self.vertices[arrow.source].initial is None
        ):
            return moment
        return self.enter(arrow.target, moment)

    def enabled(self, moment: Moment, trigger: str | None) -> list[ChartTransition]:
        leaf = self.vertices[self.leaf(moment)]
        ready = []
        for arrow in self.arrows:
            if arrow.source not in moment.active or arrow.trigger not in (trigger, None):
                continue
            if leaf.choice and arrow.source != leaf.name:
                continue
            if arrow.completion and not (leaf.final and leaf.parent == arrow.source):
                continue
            if evaluate(arrow.guard, self.scope, dict(moment.values)):
                ready.append(arrow)
        return [arrow for arrow in ready if not any(self.beats(other, arrow) for other in ready)]

    def beats(self, first: ChartTransition, second: ChartTransition) -> bool:
        same = first.source == second.source
        if same and self.order is TransitionRank.NONE:
            return first.completion and second.trigger is not None
        if (first.trigger is None) != (second.trigger is None):
            return first.trigger is None
        if same:
            return self.arrows.index(first) < self.arrows.index(second)
        return second.source in self.parents(first.source)

    def runs(self, moment: Moment, trigger: str | None) -> set[Moment]:
        """Where an event may lead; the values of inputs are already new. Needs: every run ends."""
        found: set[Moment] = set()
        waiting = [(arrow, moment) for arrow in self.enabled(moment, trigger)]
        if not waiting:
            return {moment}
        while waiting:
            arrow, here = waiting.pop()
            after = self.fire(arrow, here)
            more = [(other, after) for other in self.enabled(after, None)]
            if not more:
                if self.vertices[self.leaf(after)].choice:
                    raise Stuck
                found.add(after)
            waiting += more
        return found
