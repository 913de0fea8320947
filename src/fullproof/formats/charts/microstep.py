"""Microsteps of a chart: which states transitions leave and enter, and all that is done on the way.

The procedures of appendix D of the SCXML recommendation (W3C, 2015), with its names: exit sets and entry sets, history,
preemption by conflict of exit sets, ``done.state`` events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fullproof.model.chart import (
    NOTHING,
    Action,
    Chart,
    ChartTransition,
    Effect,
    ExitsAndEntries,
    HistoryDepth,
    RaisedEvent,
    done_event,
    state_names,
)


@dataclass(frozen=True, slots=True)
class ChartConfiguration:
    """The active states, what history states remember, and the internal events that wait."""

    active: frozenset[str]
    history: tuple[tuple[str, tuple[str, ...]], ...] = ()
    queue: tuple[str, ...] = ()


@dataclass(slots=True)
class Microstep:
    """Where transitions lead, and the actions on the way, each with the states that are active when it is done.

    ``over``: a final state of the chart itself is entered, so nothing follows.
    """

    active: set[str]
    history: dict[str, tuple[str, ...]]
    arrows: Sequence[ChartTransition] = ()
    actions: list[tuple[Action, frozenset[str]]] = field(default_factory=list)
    over: bool = False

    def do(self, effect: Effect) -> None:
        """Actions, done while the states are active that are active now."""
        if effect:
            now = frozenset(self.active)
            self.actions += [(action, now) for action in effect.steps()]


@dataclass(slots=True)
class _Entries:
    """Entry sets under construction."""

    states: set[str] = field(default_factory=set)
    by_default: set[str] = field(default_factory=set)
    history_content: dict[str | None, Effect] = field(default_factory=dict)


class Microsteps:
    """The microsteps of a chart."""

    def __init__(self, chart: Chart, *, ends: bool = False) -> None:
        """``ends``: a final state of the chart itself ends its session, which leaves that state (SCXML)."""
        self.chart = chart
        self._ends = ends

    def started(self) -> Microstep:
        """The initial states entered."""
        step = Microstep(set(), {})
        self._enter([(self.chart.initial, None)], step)
        return step

    def innermost(self, active: Iterable[str]) -> list[str]:
        """The atomic states among active ones, in document order."""
        return sorted((name for name in active if name not in self.chart.inside), key=self.chart.order.__getitem__)

    def without_conflicts(
        self, before: ChartConfiguration, enabled: Iterable[ChartTransition]
    ) -> list[ChartTransition]:
        """Transitions that can be taken together: of two that leave the same state, one preempts the other."""
        kept: list[tuple[ChartTransition, set[str]]] = []
        for arrow in enabled:
            if any(arrow is other for other, _ in kept):
                continue
            mine = self._left(before, arrow)
            against = [other for other, theirs in kept if mine & theirs]
            if all(self._inner(arrow.source, other.source) for other in against):
                kept = [(other, theirs) for other, theirs in kept if not any(other is one for one in against)]
                kept.append((arrow, mine))
        return [arrow for arrow, _ in kept]

    def taken(self, before: ChartConfiguration, arrows: Sequence[ChartTransition]) -> Microstep:
        """Leave states from the inside out, do what the transitions say, enter states from the outside in."""
        step = Microstep(set(before.active), dict(before.history), arrows)
        left = set[str]().union(*(self._left(before, arrow) for arrow in arrows))
        for name in left:
            for history in self.chart.histories.get(name, []):
                step.history[history] = self._remembered(history, name, before.active)
        for name in sorted(left, key=self.chart.order.__getitem__, reverse=True):
            step.do(self.chart.vertices[name].exit)
            step.active.remove(name)
        for arrow in arrows:
            step.do(arrow.effect)
        moves = [arrow for arrow in arrows if _moves(arrow)]
        # Targets mean what was remembered before this step or by it, as appendix D reads history values after exits.
        after = ChartConfiguration(frozenset(step.active), tuple(step.history.items()))
        self._enter([(state_names(a.target), self._domain(after, a)) for a in moves], step)
        return step

    def _inner(self, first: str | None, second: str | None) -> bool:
        return first is not None and first != second and self.chart.within(first, second)

    def _left(self, before: ChartConfiguration, arrow: ChartTransition) -> set[str]:
        """The exit set of one transition."""
        if not _moves(arrow):
            return set()
        domain = self._domain(before, arrow)
        return {name for name in before.active if self.chart.below(name, domain)}

    def _domain(self, before: ChartConfiguration, arrow: ChartTransition) -> str | None:
        """The innermost state that a transition neither leaves nor enters; None for the chart."""
        if arrow.source is None:
            return None
        targets = self._effective(state_names(arrow.target), dict(before.history))
        if arrow.way is ExitsAndEntries.LOCAL:
            # What a history state stands for may lie outside; a state named as its own target does not.
            itself = arrow.source in state_names(arrow.target)
            if itself or all(self.chart.below(target, arrow.source) for target in targets):
                return arrow.source
        for name in self.chart.around(arrow.source):
            if self.chart.is_compound(name) and all(self.chart.below(target, name) for target in targets):
                return name
        return None

    def _effective(self, targets: Iterable[str], history: dict[str, tuple[str, ...]]) -> list[str]:
        """The targets, with what history states stand for."""
        found: list[str] = []
        for name in targets:
            vertex = self.chart.vertices[name]
            if vertex.history is None:
                found.append(name)
            else:
                found += history[name] if name in history else self.chart.initial_of(vertex)
        return found

    def _remembered(self, history: str, name: str, active: frozenset[str]) -> tuple[str, ...]:
        if self.chart.vertices[history].history is HistoryDepth.DEEP:
            found = [one for one in self.innermost(active) if self.chart.below(one, name)]
        else:
            found = [one for one in active if self.chart.vertices[one].parent == name]
        return tuple(sorted(found, key=self.chart.order.__getitem__))

    def _enter(self, moves: Iterable[tuple[tuple[str, ...], str | None]], step: Microstep) -> None:
        entries, listed = _Entries(), list(moves)
        staying = {domain for targets, domain in listed if domain in targets}
        for targets, domain in listed:
            for name in targets:
                self._add_inside(name, entries, step)
            for name in self._effective(targets, step.history):
                if name != domain:  # around the source of a local transition to itself, nothing was left
                    self._add_around(name, domain, entries, step)
        for name in sorted(entries.states, key=self.chart.order.__getitem__):
            vertex = self.chart.vertices[name]
            # Appendix D enters a state again that it has not left, where history leads to it from inside; only the
            # source of a local transition to itself, which SCXML does not have, is neither left nor entered.
            step.active.add(name)
            if name not in staying:
                step.do(vertex.entry)
            if name in entries.by_default:
                step.do(vertex.initial_effect)
            step.do(entries.history_content.get(name, NOTHING))
            if vertex.final:
                self._completed(vertex.parent, step)
                if vertex.parent is None and self._ends:
                    step.do(vertex.exit)

    def _completed(self, parent: str | None, step: Microstep) -> None:
        if parent is None:
            step.over = True
            return
        step.do(Effect(actions=(RaisedEvent(done_event(parent)),)))
        above = self.chart.vertices[parent].parent
        if above is not None and self.chart.vertices[above].parallel and self.is_complete(above, step.active):
            step.do(Effect(actions=(RaisedEvent(done_event(above)),)))

    def is_complete(self, name: str, active: Iterable[str]) -> bool:
        """Whether a final state inside a state is active; of a parallel state, in all its regions."""
        inside = self.chart.inside.get(name, [])
        if self.chart.vertices[name].parallel:
            return all(self.is_complete(region, active) for region in inside)
        return any(inner in active and self.chart.vertices[inner].final for inner in inside)

    def _add_inside(self, name: str, entries: _Entries, step: Microstep) -> None:
        """``addDescendantStatesToEnter``"""
        chart, vertex = self.chart, self.chart.vertices[name]
        if vertex.history is not None:
            targets = step.history.get(name)
            if targets is None:
                targets = chart.initial_of(vertex)
                entries.history_content[vertex.parent] = vertex.initial_effect
            self._add_all(targets, vertex.parent, entries, step)
            return
        entries.states.add(name)
        if name not in chart.inside:
            return
        if vertex.parallel:
            self._add_regions(name, entries, step)
            return
        entries.by_default.add(name)
        self._add_all(chart.initial_of(vertex), name, entries, step)

    def _add_all(self, targets: Iterable[str], above: str | None, entries: _Entries, step: Microstep) -> None:
        listed = list(targets)
        for target in listed:
            self._add_inside(target, entries, step)
        for target in listed:
            self._add_around(target, above, entries, step)

    def _add_around(self, name: str, domain: str | None, entries: _Entries, step: Microstep) -> None:
        """``addAncestorStatesToEnter``"""
        for above in _up_to(self.chart.around(name), domain):
            entries.states.add(above)
            if self.chart.vertices[above].parallel:
                self._add_regions(above, entries, step)

    def _add_regions(self, name: str, entries: _Entries, step: Microstep) -> None:
        for region in self.chart.inside[name]:
            if not any(self.chart.within(state, region) for state in entries.states):
                self._add_inside(region, entries, step)


def _up_to(around: Iterable[str | None], domain: str | None) -> Iterator[str]:
    for name in around:
        if name == domain or name is None:
            return
        yield name


def _moves(arrow: ChartTransition) -> bool:
    return arrow.way is not ExitsAndEntries.INTERNAL and arrow.target != ()
