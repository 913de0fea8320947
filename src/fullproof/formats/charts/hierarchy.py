"""The flat machine that does what a chart does: its control states are the configurations of the chart.

A configuration is the set of active states, what history states remember and the internal events that wait. From it,
the microsteps of the chart (appendix D of the SCXML recommendation) are transitions: one for each set of transitions
that may be enabled together, with the condition on the values as its guard, so the flat machine needs neither ranks nor
a queue. Where an internal event waits, or a transition without trigger is enabled, the flat machine goes on by itself:
its run to completion is the macrostep.

Priorities: transitions without trigger before those with one (as UML's completion events and SCXML's eventless
transitions), then inner before outer. Leaving runs exit effects from the inside out, then the transition's own, then
entry effects from the outside in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.formats.charts.action_paths import ActionPath, PathConditions, action_paths
from fullproof.formats.charts.exclusion import guard_unless
from fullproof.formats.charts.microstep import ChartConfiguration, Microstep, Microsteps
from fullproof.formats.charts.selection import Candidate, Selection, Selector, heard_events
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import joined_as_written
from fullproof.language.syntax import TRUE, Expression
from fullproof.model.chart import (
    NOTHING,
    Chart,
    ChartTransition,
    Effect,
    ExitsAndEntries,
    StartedTimer,
    state_names,
)
from fullproof.model.chart_model import TransitionRank
from fullproof.model.statemachine import SmTransition

MOST_CONFIGURATIONS = 20_000
MOST_TRANSITIONS = 200_000
LONGEST_QUEUE = 8
MOST_PASSING = 500
"""Beyond these a chart is refused: its regions multiply, or its internal events grow without end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat:
    """The parts of a flat machine; ``start`` is what entering the initial state does (see ``initial_values``).

    ``passing`` are the states that are always left at once: an internal event waits in them, or nothing is entered yet.
    ``active`` has the innermost states that are active in a state, where that is not the state itself.
    """

    initial: str
    states: tuple[str, ...]
    choices: tuple[str, ...]
    transitions: tuple[SmTransition, ...]
    start: Effect
    passing: frozenset[str] = frozenset()
    active: tuple[tuple[str, tuple[str, ...]], ...] = ()


def flatten(
    chart: Chart,
    arrows: Sequence[ChartTransition],
    *,
    order: TransitionRank = TransitionRank.NONE,
    scope: Scope | None = None,
    received: Collection[str] | None = None,
) -> Flat:
    """The flat machine of a chart; a chart of leaf states alone comes out as it is.

    Where one innermost state is active at a time, states keep their names and their order, and composites vanish.
    ``scope`` (the names in guards) makes guards shorter; conditions on active states need it. ``received`` are the
    triggers that may come from outside, all where it is missing. UserError with the place: there are too many
    configurations, or events that wait.
    """
    return Flattening(chart, arrows, order, scope, received).flat()


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


class Flattening:
    """The flat machine under construction: configurations get names as they are met, and are explored in turn."""

    def __init__(
        self,
        chart: Chart,
        arrows: Sequence[ChartTransition],
        order: TransitionRank,
        scope: Scope | None,
        received: Collection[str] | None,
        *,
        most: float = MOST_CONFIGURATIONS,
    ) -> None:
        """``most``: how many configurations there may be."""
        self.chart = chart
        self.most = most
        self.number = {id(arrow): number for number, arrow in enumerate(arrows)}
        self.scope = scope
        self.steps = Microsteps(chart, ends=order is TransitionRank.DOCUMENT)
        self.conditions = PathConditions(scope, list(chart.vertices))
        self.selector = Selector(self.steps, order, scope, self.conditions)
        triggers = {arrow.trigger for listed in chart.leaving.values() for arrow in listed}
        self.heard = {trigger for trigger in triggers if trigger is not None}
        self.received = self.heard if received is None else self.heard & set(received)
        self.asked_inside = {
            name
            for name, vertex in chart.vertices.items()
            if vertex.history is not None and _is_asked_inside(chart, name, vertex.parent)
        }
        self.names: dict[ChartConfiguration, str] = {}
        self.taken: set[str] = set()
        self.passing = 0
        self.waiting: list[ChartConfiguration] = []
        self.transitions: list[SmTransition] = []

    def flat(self) -> Flat:
        """All of it."""
        leaves = [name for name in self.chart.vertices if name not in self.chart.inside]
        if self.chart.sequential:  # also states that are never reached: check reports them
            for leaf in leaves:
                self.named(ChartConfiguration(frozenset(self.chart.paths[leaf])))
        start, initial, first = self.start()
        count = 0
        while count < len(self.waiting):
            here = self.waiting[count]
            self.transitions += first if count == 0 and first else []
            for t in self.leaving(here):
                self.transitions.append(t)
                if len(self.transitions) > MOST_TRANSITIONS:
                    raise UserError(f"the regions of the chart multiply to more than {MOST_TRANSITIONS:,} transitions")
            count += 1
        choices = [
            name for configuration, name in self.names.items() if self.in_choice(configuration) and configuration.active
        ]
        passed = self.only_passed(initial)
        flat = Flat(
            initial=initial,
            states=tuple(name for name in self.names.values() if name not in passed),
            choices=tuple(choices),
            transitions=tuple(t for t in self.transitions if t.source not in passed),
            start=start,
            passing=frozenset(name for c, name in self.names.items() if c.queue or not c.active),
            active=tuple((name, tuple(self.steps.innermost(c.active))) for c, name in self.names.items()),
        )
        return _without_detours(flat)

    def only_passed(self, initial: str) -> set[str]:
        """States that are never rested in, though the chart passes through them: not what ``check`` should report."""
        following: dict[str, list[str]] = {}
        for t in self.transitions:
            following.setdefault(t.source, []).append(t.target)
        reached, waiting = {initial}, [initial]
        while waiting:
            new = set(following.get(waiting.pop(), ())) - reached
            reached |= new
            waiting += sorted(new)
        seen = set[str]().union(*(c.active for c, name in self.names.items() if name in reached))
        return {name for c, name in self.names.items() if name not in reached and c.active <= seen and not c.queue}

    def in_choice(self, configuration: ChartConfiguration) -> bool:
        """Whether one of the active states is a choice point."""
        return any(self.chart.vertices[name].choice for name in self.steps.innermost(configuration.active))

    def start(self) -> tuple[Effect, str, list[SmTransition]]:
        """What entering the initial states does, and the first state; where that depends on values, steps to it."""
        entered = self.steps.started()
        paths = list(action_paths(entered.actions, self.conditions))
        if len(paths) == 1 and not self.after(entered, paths[0], ()).queue:
            (path,) = paths
            effect = Effect(actions=(*path.assignments, *map(StartedTimer, path.starts)), sends=path.sends)
            return effect, self.named(self.after(entered, path, ())), []
        name = self.named(ChartConfiguration(frozenset()))
        return NOTHING, name, [self._step(name, None, entered, path) for path in paths]

    def leaving(self, here: ChartConfiguration) -> Iterator[SmTransition]:
        """All transitions of a state of the flat machine."""
        innermost = self.steps.innermost(here.active)
        chains = [self.selector.chain(name, here.active) for name in innermost]
        name = self.names[here]
        if here.queue:
            event, later = here.queue[0], here.queue[1:]
            for chosen in self.selector.together(chains, None):
                yield from self._made(name, None, here, chosen, here.queue)
            for chosen in self.selector.together(chains, event, idle=True):
                yield from self._made(name, None, here, chosen, later)
        elif len(chains) == 1:
            wanted = [c for c in chains[0] if c.arrow.trigger is None or c.arrow.trigger in self.received]
            for chosen in self.selector.alone(wanted):
                yield from self._made(name, chosen.arrows[0].trigger, here, chosen, ())
        else:
            for trigger in (None, *self._signals(chains)):
                for chosen in self.selector.together(chains, trigger):
                    yield from self._made(name, trigger, here, chosen, ())

    def _signals(self, chains: Sequence[Sequence[Candidate]]) -> list[str]:
        return [event for event in heard_events(chains) if event in self.received]

    def _made(
        self, name: str, trigger: str | None, here: ChartConfiguration, chosen: Selection, queue: tuple[str, ...]
    ) -> Iterator[SmTransition]:
        arrows = self.steps.without_conflicts(here, chosen.arrows)
        step = self.steps.taken(here, arrows)
        for path in action_paths(step.actions, self.conditions):
            guard = self.joined(chosen.guard, path.conditions)
            if guard is not None:
                yield self._step(name, trigger, step, replace(path, conditions=(guard,)), queue)

    def joined(self, guard: Expression, conditions: tuple[Expression, ...]) -> Expression | None:
        """The guard of a way through conditional actions; None where it is obvious that it never holds."""
        parts = [part for part in (guard, *conditions) if part != TRUE]
        whole = joined_as_written("and", parts) if parts else TRUE
        return whole if not conditions else guard_unless(whole, [], self.scope)

    def _step(
        self,
        source: str,
        trigger: str | None,
        step: Microstep,
        path: ActionPath,
        queue: tuple[str, ...] = (),
    ) -> SmTransition:
        arrows = step.arrows
        at = arrows[0].at if arrows else NOWHERE
        return SmTransition(
            source=source,
            trigger=trigger,
            guard=joined_as_written("and", path.conditions) if path.conditions else TRUE,
            actions=path.assignments,
            sends=path.sends,
            target=self.named(self.after(step, path, queue), at),
            requirements=tuple(dict.fromkeys(name for arrow in arrows for name in arrow.requirements)),
            arrows=tuple(self.number[id(arrow)] for arrow in arrows),
            starts=path.starts,
            stops=path.stops,
            at=at,
        )

    def after(self, step: Microstep, path: ActionPath, queue: tuple[str, ...]) -> ChartConfiguration:
        """Where a step leads. Events that no transition waits for would be taken from the queue without effect."""
        active = frozenset(step.active)
        if step.over:
            return ChartConfiguration(active)
        history = tuple(sorted(item for item in step.history.items() if not self.forgotten(item[0], active)))
        return ChartConfiguration(active, history, (*queue, *(event for event in path.raised if event in self.heard)))

    def forgotten(self, history: str, active: frozenset[str]) -> bool:
        """Whether what a history state remembers is overwritten before it is used: the state around it is active, and
        no transition inside that leads to the history state.
        """
        above = self.chart.vertices[history].parent
        return above in active and history not in self.asked_inside

    def named(self, configuration: ChartConfiguration, at: Place = NOWHERE) -> str:
        """The name of a state of the flat machine, which is explored later."""
        known = self.names.get(configuration)
        if known is not None:
            return known
        if len(configuration.queue) > LONGEST_QUEUE:
            shown = ", ".join(configuration.queue[:3])
            message = f"more than {LONGEST_QUEUE} internal events may wait at a time: {shown[:80]}, ..."
            raise UserError(message, at=at)
        self.passing += bool(configuration.queue)
        if self.passing > MOST_PASSING:
            raise UserError(f"internal events may wait in more than {MOST_PASSING:,} combinations", at=at)
        if len(self.names) >= self.most:
            raise UserError(f"the regions of the chart multiply to more than {MOST_CONFIGURATIONS:,} configurations")
        name = "+".join(self.shown(self.steps.innermost(configuration.active))) or "(start)"
        name += "".join(f" [{history}: {'+'.join(states)}]" for history, states in configuration.history)
        name += "".join(f" !{event}" for event in configuration.queue)
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        self.names[configuration] = name
        self.waiting.append(configuration)
        return name

    def shown(self, innermost: Sequence[str]) -> Iterator[str]:
        """The names of active states; a region that is left out has none, and those beside it speak for the state."""
        for name in innermost:
            vertex = self.chart.vertices[name]
            if not vertex.left_out:
                yield name
            elif vertex.parent is not None and not any(
                other != name and self.chart.below(other, vertex.parent) for other in innermost
            ):
                yield vertex.parent


def _is_asked_inside(chart: Chart, history: str, above: str | None) -> bool:
    """Whether a transition may lead to a history state without leaving the state around it."""
    arrows = [
        arrow for name, listed in chart.leaving.items() if name is None or chart.within(name, above) for arrow in listed
    ]
    return any(history in state_names(arrow.target) or arrow.way is ExitsAndEntries.LOCAL for arrow in arrows)


def _without_detours(flat: Flat) -> Flat:
    """The machine without passing states that are left by one transition, which is joined to those before it."""
    leaving: dict[str, list[SmTransition]] = {}
    for t in flat.transitions:
        leaving.setdefault(t.source, []).append(t)
    detours = {
        name: listed[0]
        for name, listed in leaving.items()
        if name in flat.passing and name != flat.initial and len(listed) == 1 and listed[0].guard == TRUE
    }
    for name in list(detours):  # a circle of detours is a livelock, which stays to be found
        seen, here = {name}, detours[name].target
        while here in detours and here not in seen:
            seen.add(here)
            here = detours[here].target
        if here in seen:
            del detours[name]
    if not detours:
        return flat
    kept = []
    for t in flat.transitions:
        if t.source in detours:
            continue
        while t.target in detours:
            after = detours[t.target]
            t = replace(
                t,
                actions=t.actions + after.actions,
                sends=t.sends + after.sends,
                target=after.target,
                requirements=tuple(dict.fromkeys(t.requirements + after.requirements)),
                arrows=tuple(dict.fromkeys(t.arrows + after.arrows)),
                starts=(*(name for name in t.starts if name not in after.starts + after.stops), *after.starts),
                stops=tuple(dict.fromkeys(t.stops + after.stops)),
            )
        kept.append(t)
    return replace(
        flat,
        states=tuple(state for state in flat.states if state not in detours),
        transitions=tuple(kept),
        passing=flat.passing - set(detours),
    )
