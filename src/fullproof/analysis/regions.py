"""The regions of a chart, what each of them owns, and which of them have an influence on which others.

A region is a state directly inside a parallel one, at any depth; what lies in no region is called the outside, None.
The states of a region are those inside it that are in no region further inside. The cone of influence of some regions
is a set of regions without which these behave in the same way (docs/proofs/regions.md, lemma 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from fullproof.language.syntax import Expression
from fullproof.language.traversal import free_names
from fullproof.model.chart import (
    Action,
    ChartTransition,
    ConditionalActions,
    Effect,
    ExitsAndEntries,
    RaisedEvent,
    SentSignal,
    StartedTimer,
    StoppedTimer,
    done_event,
    state_names,
)
from fullproof.model.chart_model import ChartModel, TransitionRank
from fullproof.model.sts import Assignment

Region: TypeAlias = str | None
_ASKED = "in("


@dataclass(frozen=True, slots=True)
class _Deed:
    """A plain action of a region, with the conditions under which it is done."""

    action: Assignment | SentSignal | RaisedEvent | StartedTimer | StoppedTimer
    conditions: tuple[Expression, ...]
    state: str | None
    """The state that does it on entry or exit."""


@dataclass(slots=True)
class _Part:
    """What a region consists of."""

    arrows: list[ChartTransition] = field(default_factory=list)
    deeds: list[_Deed] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Cone:
    """Regions, the outside included, that influence others, and the outputs and variables they do it by."""

    regions: frozenset[Region]
    variables: frozenset[str]


class ChartRegions:
    """The regions of a chart and their dependencies."""

    def __init__(self, chart: ChartModel) -> None:
        self.chart = chart
        self.tree = tree = chart.tree
        parallel = {name for name, vertex in tree.vertices.items() if vertex.parallel}
        self.names: tuple[str, ...] = tuple(
            sorted((one for name in parallel for one in tree.inside[name]), key=tree.order.__getitem__)
        )
        """All regions, in the order of the file."""
        listed = set(self.names)
        self.of: dict[Region, Region] = {None: None}
        """The region of each state."""
        for name, path in tree.paths.items():
            self.of[name] = next((one for one in reversed(path) if one in listed), None)
        self._parts: dict[Region, _Part] = {region: _Part() for region in (None, *self.names)}
        self._fill()
        self._domains = {id(arrow): self._domain(arrow) for arrow in chart.arrows}
        self.writers = self._writers()
        self._raisers = self._raisers_of()
        self._affects = {id(arrow): self._affected(arrow) for arrow in chart.arrows}
        self._eager = self._losing_events()

    def owners(self, name: str) -> frozenset[Region]:
        """The regions that write an output or send a signal; the outside only where no region does."""
        found = frozenset(self.writers.get(name, ()))
        return found - {None} or found

    def around(self, region: Region) -> tuple[Region, ...]:
        """The regions around a region, and at last the outside."""
        found: list[Region] = []
        while region is not None:
            region = self.of[self.tree.vertices[region].parent]
            found.append(region)
        return tuple(found)

    def cone(self, regions: Iterable[Region], shown: Iterable[str]) -> Cone:
        """The cone of influence of regions of which some outputs are seen, itself included."""
        outputs = frozenset(shown)
        kept: set[Region] = set()
        variables: set[str] = set()
        new: set[Region] = {None, *regions}
        while new - kept:
            kept |= new
            kept |= {above for region in new for above in self.around(region)}
            while (more := self._read(kept, variables | outputs) - variables) > set():
                variables |= more
            new = kept | self._influences(kept, variables | outputs)
        return Cone(frozenset(kept), frozenset(variables))

    def _fill(self) -> None:
        for name, vertex in self.tree.vertices.items():
            part = self._parts[self.of[name]]
            for effect in (vertex.entry, vertex.exit, vertex.initial_effect):
                part.deeds += _deeds(effect.steps(), (), name)
        for arrow in self.chart.arrows:
            part = self._parts[self.of[arrow.source]]
            part.arrows.append(arrow)
            part.deeds += _deeds(arrow.effect.steps(), ())

    def _writers(self) -> dict[str, set[Region]]:
        found: dict[str, set[Region]] = {}
        for region, part in self._parts.items():
            for deed in part.deeds:
                if isinstance(deed.action, Assignment):
                    found.setdefault(deed.action.variable, set()).add(region)
                elif isinstance(deed.action, SentSignal):
                    found.setdefault(deed.action.signal, set()).add(region)
        return found

    def _raisers_of(self) -> dict[str, set[Region]]:
        found: dict[str, set[Region]] = {}
        for region, part in self._parts.items():
            for deed in part.deeds:
                match deed.action:
                    case RaisedEvent(event=name) | StartedTimer(timer=name) | StoppedTimer(timer=name):
                        found.setdefault(name, set()).add(region)
        for state in self.tree.inside:
            if state is not None:
                found.setdefault(done_event(state), set()).update(self._completing(state))
        return found

    def _completing(self, name: str) -> set[Region]:
        """The regions by whose final states a state is complete."""
        if not self.tree.vertices[name].parallel:
            return {self.of[inner] for inner in self.tree.inside[name]}
        return {region for region in self.names if self.tree.below(region, name)}

    def _losing_events(self) -> set[Region]:
        """The regions that may go on by themselves when an event comes: then it is lost, for all regions.

        A run ends where nothing goes on by itself. After it, only new inputs enable a transition without trigger.
        Before the first input, what asks for inputs waits, and but for SCXML's order all such transitions do.
        """
        first = self._active_at_first()
        moves = self._moves_at_first(first)
        waits = self.chart.order is TransitionRank.NONE
        found = {
            region
            for region, part in self._parts.items()
            if any(self._may_wait(t, first, waits=waits, moves=moves) for t in part.arrows)
            or any(self._asks_for_inputs(deed.conditions) for deed in part.deeds if moves or deed.state in first)
        }
        return set(self._parts) if found and moves else found  # one that waits for inputs stops the others, too

    def _may_wait(self, arrow: ChartTransition, first: set[str], *, waits: bool, moves: bool) -> bool:
        at_first = moves or (arrow.source in first and not arrow.completion)
        if arrow.trigger is not None:
            return moves and arrow.trigger in self._raisers and self._asks_for_inputs([arrow.guard])
        if waits and at_first:
            return True
        choice = arrow.source is not None and self.tree.vertices[arrow.source].choice
        return self._asks_for_inputs([arrow.guard]) and (at_first or not choice)

    def _asks_for_inputs(self, conditions: Iterable[Expression]) -> bool:
        inputs = {variable.name for variable in self.chart.inputs}
        return any(inputs & free_names(condition) for condition in conditions)

    def _active_at_first(self) -> set[str]:
        """The states that are entered at the start, and perhaps others."""
        tree, found = self.tree, set[str]()
        waiting = list(tree.initial)
        while waiting:
            new = set(tree.paths[waiting.pop()]) - found
            found |= new
            for one in map(tree.vertices.__getitem__, new):
                if one.parallel:
                    waiting += tree.inside[one.name]
                elif one.initial is not None:
                    waiting += tree.initial_of(one)
        return found

    def _moves_at_first(self, first: set[str]) -> bool:
        """Whether transitions may be taken before the first input."""
        raised = any(
            isinstance(deed.action, RaisedEvent)
            for part in self._parts.values()
            for deed in part.deeds
            if deed.state in first
        )
        ends = any(self.tree.vertices[name].final for name in first)
        settles = self.chart.order is not TransitionRank.NONE
        return raised or ends or (settles and any(t.trigger is None and t.source in first for t in self.chart.arrows))

    def _domain(self, arrow: ChartTransition) -> Region:
        """A state that a transition neither leaves nor enters, and below which all lies that it leaves or enters."""
        targets = state_names(arrow.target)
        local = arrow.way is ExitsAndEntries.LOCAL and all(self.tree.within(one, arrow.source) for one in targets)
        if arrow.source is None or local or not _moves(arrow):
            return arrow.source
        for name in self.tree.around(arrow.source):
            if self.tree.is_compound(name) and all(self.tree.below(target, name) for target in targets):
                return name
        return None

    def _affected(self, arrow: ChartTransition) -> set[Region]:
        """The regions whose active states a transition may change, beside its own."""
        domain = self._domains[id(arrow)]
        if not _moves(arrow):
            return set()
        return {self.of[domain], *(region for region in self.names if self.tree.below(region, domain))}

    def _read(self, kept: set[Region], written: set[str] | frozenset[str]) -> set[str]:
        """The outputs and variables that regions read, as far as it matters for those that are written."""
        known = {v.name for v in (*self.chart.outputs, *self.chart.variables)}
        return {name for name in self._asked(kept, written) if name in known}

    def _asked(self, kept: set[Region], written: set[str] | frozenset[str]) -> Iterator[str]:
        for region in kept:
            part = self._parts[region]
            for arrow in part.arrows:
                yield from free_names(arrow.guard)
            for deed in part.deeds:
                match deed.action:
                    case Assignment(variable=name, expression=expression) if name in written:
                        yield from free_names(expression)
                    case SentSignal(signal=name) if name in written:
                        pass
                    case RaisedEvent() | StartedTimer() | StoppedTimer():
                        pass
                    case _:
                        continue
                for condition in deed.conditions:
                    yield from free_names(condition)

    def _influences(self, kept: set[Region], written: set[str]) -> set[Region]:
        """The regions on which regions depend directly."""
        found = set(self._eager)
        for name in self._asked(kept, written):
            if name.startswith(_ASKED):
                found.add(self.of[name[len(_ASKED) : -1]])
        for name in written:
            found |= self.writers.get(name, set())
        for region in kept:
            for arrow in self._parts[region].arrows:
                found |= self._needed(arrow)
        for region, part in self._parts.items():
            if region not in kept and any(self._affects[id(arrow)] & kept for arrow in part.arrows):
                found.add(region)
        return found

    def _needed(self, arrow: ChartTransition) -> set[Region]:
        """The regions that decide whether a transition is taken, and where it leads."""
        found: set[Region] = set()
        if arrow.trigger is not None:
            found |= self._raisers.get(arrow.trigger, set())
        if arrow.completion and arrow.source is not None:
            found |= self._completing(arrow.source)
        top = self._domains[id(arrow)]
        rivals = (region for region in self.names if self.tree.below(region, top))
        found |= {r for r in rivals if any(one.trigger == arrow.trigger for one in self._parts[r].arrows)}
        targets = state_names(arrow.target)
        if len(targets) > 1:
            found |= {self.of[name] for name in targets}
        for name in targets:
            above = self.tree.vertices[name].parent
            remembers = self.tree.vertices[name].history is not None
            if remembers and (arrow.source is None or self.tree.within(arrow.source, above)):
                found |= {region for region in self.names if self.tree.below(region, above)}
        return found


def _moves(arrow: ChartTransition) -> bool:
    return arrow.way is not ExitsAndEntries.INTERNAL and arrow.target != ()


def _deeds(actions: Iterable[Action], conditions: tuple[Expression, ...], state: str | None = None) -> Iterator[_Deed]:
    for action in actions:
        if isinstance(action, ConditionalActions):
            inner = (*conditions, *(condition for condition, _ in action.cases))
            for _, done in action.cases:
                yield from _deeds(done, inner, state)
        else:
            yield _Deed(action, conditions, state)


def effect_without(effect: Effect, written: frozenset[str], sent: frozenset[str]) -> Effect:
    """What an effect does to some outputs, variables and signals, and the events that it raises."""
    return Effect(
        actions=tuple(_kept(effect.actions, written, sent)),
        sends=tuple(name for name in effect.sends if name in sent),
    )


def _kept(actions: Iterable[Action], written: frozenset[str], sent: frozenset[str]) -> Iterator[Action]:
    for action in actions:
        match action:
            case Assignment(variable=name) if name not in written:
                continue
            case SentSignal(signal=name) if name not in sent:
                continue
            case ConditionalActions(cases=cases):
                inner = tuple((condition, tuple(_kept(done, written, sent))) for condition, done in cases)
                if any(done for _, done in inner):
                    yield ConditionalActions(inner)
            case _:
                yield action
