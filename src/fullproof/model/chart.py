"""State charts: one tree of states with their transitions and actions, checked.

Compound, parallel, history, final and atomic states, and choice points. Their meaning is the algorithm of the SCXML
recommendation (W3C, 2015, appendix D); ``formats/charts`` works it into the flat machine that does the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.language.syntax import TRUE, Expression
from fullproof.model.sts import Assignment


@dataclass(frozen=True, slots=True)
class SentSignal:
    """An output signal is sent."""

    signal: str


@dataclass(frozen=True, slots=True)
class RaisedEvent:
    """An event goes to the end of the internal queue."""

    event: str


@dataclass(frozen=True, slots=True)
class StartedTimer:
    """A timer runs from now on, with its whole duration; one of a state, only if that is active."""

    timer: str
    state: str | None = None


@dataclass(frozen=True, slots=True)
class StoppedTimer:
    """A timer does not run any more."""

    timer: str


@dataclass(frozen=True, slots=True)
class ConditionalActions:
    """The actions of the first case whose condition holds; none where none does."""

    cases: tuple[tuple[Expression, tuple[Action, ...]], ...]


Action: TypeAlias = Assignment | SentSignal | RaisedEvent | StartedTimer | StoppedTimer | ConditionalActions
Names: TypeAlias = str | tuple[str, ...]
"""One state, or one in each of several regions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Actions in order, then signals in order."""

    actions: tuple[Action, ...] = ()
    sends: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.actions or self.sends)

    def steps(self) -> tuple[Action, ...]:
        """All of it as actions."""
        return (*self.actions, *map(SentSignal, self.sends))


NOTHING = Effect()


def state_names(names: Names | None) -> tuple[str, ...]:
    """The states, as a tuple."""
    return () if names is None else (names,) if isinstance(names, str) else names


def is_active(state: str) -> str:
    """The name by which a condition asks whether a state is active: ``in(state)``."""
    return f"in({state})"


def done_event(state: str) -> str:
    """The event that is raised when a state has reached its final ones."""
    return f"done.state.{state}"


class HistoryDepth(Enum):
    """What a history state enters again."""

    SHALLOW = "shallow"
    """The state directly inside the one around it that was active last, by its initial states."""
    DEEP = "deep"
    """All innermost states that were active last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vertex:
    """A state, a final state, a history state or a choice point; names are unique in the chart (see ``flat_names``).

    ``initial`` is what a composite enters when it is a target itself: any state inside it, or one in each of several
    regions inside it. It takes ``initial_effect`` after the composite's entry. Of a history state both are the default,
    for when the state around it was not active before. A parallel state enters all states directly inside it. A
    choice point has no entry and exit, and the states around it do not act for it. ``left_out``: it stands for a region
    whose states are left out, and is not named.
    """

    name: str
    parent: str | None = None
    choice: bool = False
    final: bool = False
    parallel: bool = False
    left_out: bool = False
    history: HistoryDepth | None = None
    initial: Names | None = None
    initial_effect: Effect = NOTHING
    entry: Effect = NOTHING
    exit: Effect = NOTHING
    at: Place = field(default=NOWHERE, compare=False, repr=False)


class ExitsAndEntries(Enum):
    """Which states a transition leaves and enters."""

    EXTERNAL = "external"
    """All below the least state that holds source and target properly: a self transition leaves and enters again."""
    LOCAL = "local"
    """The target is the source or inside it, and the source itself is neither left nor entered."""
    INTERNAL = "internal"
    """None: the target is the source, and the active inner state stays active."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartTransition:
    """A transition between any two vertices; without trigger it is the empty one.

    A trigger is an input signal, an event of the internal queue or a timer. ``source`` is None for a transition of the
    chart itself, which acts for all its states. ``completion``: from a composite, held only once it has reached its
    final states.
    """

    source: str | None
    trigger: str | None = None
    guard: Expression = TRUE
    effect: Effect = NOTHING
    target: Names
    way: ExitsAndEntries = ExitsAndEntries.EXTERNAL
    completion: bool = False
    requirements: tuple[str, ...] = ()
    at: Place = field(default=NOWHERE, compare=False, repr=False)


class Chart:
    """Vertices by name with their paths from the outermost state, and the arrows that leave them."""

    def __init__(
        self, vertices: tuple[Vertex, ...], arrows: tuple[ChartTransition, ...], initial: Names, at: Place = NOWHERE
    ) -> None:
        """``at`` is where the file says which states are initial."""
        self.vertices: dict[str, Vertex] = {}
        for vertex in vertices:
            if vertex.name in self.vertices:
                raise UserError(f"state {_shown(vertex.name)} is defined twice", at=vertex.at)
            self.vertices[vertex.name] = vertex
        self.initial = state_names(initial)
        for name in self.initial:
            if name not in self.vertices:
                message = f"unknown initial state {_shown(name)}{did_you_mean(name[:60], self.vertices)}"
                raise UserError(message, at=at)
        self.paths: dict[str, tuple[str, ...]] = {}
        for vertex in vertices:
            self._place(vertex)
        self.inside: dict[str | None, list[str]] = {}
        """The states directly inside a state, or None for the chart, without its history states."""
        self.histories: dict[str | None, list[str]] = {}
        for vertex in vertices:
            kept = self.inside if vertex.history is None else self.histories
            kept.setdefault(vertex.parent, []).append(vertex.name)
        self.order = {name: number for number, name in enumerate(self._preorder())}
        for vertex in vertices:
            self._check(vertex)
        self._check_targets(self.initial, "the initial states", at=at)
        self.leaving: dict[str | None, list[ChartTransition]] = {None: [], **{name: [] for name in self.vertices}}
        for arrow in arrows:
            self._check_arrow(arrow)
            self.leaving[arrow.source].append(arrow)

    @property
    def sequential(self) -> bool:
        """Whether one innermost state at a time says all there is to know."""
        return not any(vertex.parallel or vertex.history for vertex in self.vertices.values())

    def within(self, inner: str, outer: str | None) -> bool:
        """Whether a state is another or lies inside it; every state lies inside the chart, which is None."""
        return outer is None or self.paths[inner][: len(self.paths[outer])] == self.paths[outer]

    def below(self, inner: str, outer: str | None) -> bool:
        """Whether a state lies properly inside another."""
        return inner != outer and self.within(inner, outer)

    def around(self, name: str | None) -> tuple[str | None, ...]:
        """The states around a state from the inside out, and at last the chart itself."""
        return () if name is None else (*reversed(self.paths[name][:-1]), None)

    def is_compound(self, name: str | None) -> bool:
        """Whether one of the states inside it is active with it."""
        return name is None or (name in self.inside and not self.vertices[name].parallel)

    def initial_of(self, vertex: Vertex) -> tuple[str, ...]:
        """The states inside a composite that are entered with it, or the default of a history state."""
        if vertex.initial is None:
            what = "has states inside it, but" if vertex.history is None else "is a history state, which"
            wanted = "its initial one" if vertex.history is None else "entered where nothing is remembered"
            raise UserError(f"state {_shown(vertex.name)} {what} does not say which is {wanted}", at=vertex.at)
        return state_names(vertex.initial)

    def _preorder(self) -> Iterator[str]:
        """All states, outer before inner ones, otherwise as listed."""
        waiting = [vertex.name for vertex in reversed(self.vertices.values()) if vertex.parent is None]
        inside: dict[str, list[str]] = {}
        for vertex in self.vertices.values():
            if vertex.parent is not None:
                inside.setdefault(vertex.parent, []).append(vertex.name)
        while waiting:
            name = waiting.pop()
            yield name
            waiting += reversed(inside.get(name, []))

    def _place(self, vertex: Vertex) -> None:
        """Find the path of a vertex; the parents may come later in the list, and may form a circle."""
        waiting = [vertex]
        while waiting[-1].name not in self.paths:
            here = waiting[-1]
            if here.parent is None:
                self.paths[here.name] = (here.name,)
            elif here.parent in self.paths:
                self.paths[here.name] = (*self.paths[here.parent], here.name)
            elif here.parent not in self.vertices:
                raise UserError(
                    f"unknown state {_shown(here.parent)}{did_you_mean(here.parent[:60], self.vertices)}", at=here.at
                )
            elif len(waiting) > len(self.vertices):
                raise UserError(f"state {_shown(here.name)} lies inside itself", at=here.at)
            else:
                waiting.append(self.vertices[here.parent])
                continue
            waiting.pop()
            if not waiting:
                return

    def _check(self, vertex: Vertex) -> None:
        name = _shown(vertex.name)
        pseudo = "choice point" if vertex.choice else "final state" if vertex.final else ""
        pseudo = "history state" if vertex.history is not None else pseudo
        if vertex.choice and vertex.final:
            raise UserError(f"state {name} cannot be both a choice point and final", at=vertex.at)
        if (vertex.choice or vertex.history) and (vertex.entry or vertex.exit):
            raise UserError(f"{pseudo} {name} cannot have entry or exit actions", at=vertex.at)
        if vertex.history is not None:
            self._check_history(vertex)
            return
        if vertex.name not in self.inside:
            if vertex.initial is not None:
                raise UserError(f"state {name} has an initial state, but no states inside it", at=vertex.at)
            if vertex.parallel:
                raise UserError(f"parallel state {name} has no states inside it", at=vertex.at)
            return
        if pseudo:
            raise UserError(f"{pseudo} {name} cannot have states inside it", at=vertex.at)
        if vertex.parallel:
            if vertex.initial is not None:
                message = f"parallel state {name} enters all states directly inside it, so none of them is initial"
                raise UserError(message, at=vertex.at)
            for inner in self.inside[vertex.name]:
                if self.vertices[inner].choice or self.vertices[inner].final:
                    what = "a choice point" if self.vertices[inner].choice else "final"
                    message = f"{_shown(inner)} is a region of the parallel state {name}, so it cannot be {what}"
                    raise UserError(message, at=self.vertices[inner].at)
            return
        self._check_inside(self.initial_of(vertex), vertex)

    def _check_inside(self, initial: tuple[str, ...], vertex: Vertex) -> None:
        within = [other for other in self.vertices if self.below(other, vertex.name)]
        for one in initial:
            if one not in within:
                name = _shown(vertex.name)
                raise UserError(
                    f"the initial state {_shown(one)} of {name} is not inside it{did_you_mean(one[:60], within)}",
                    at=vertex.at,
                )
        self._check_targets(initial, f"the initial states of {_shown(vertex.name)}", at=vertex.at)

    def _check_history(self, vertex: Vertex) -> None:
        name = _shown(vertex.name)
        if vertex.name in self.inside or vertex.name in self.histories:
            raise UserError(f"history state {name} cannot have states inside it", at=vertex.at)
        if vertex.choice or vertex.final or vertex.parallel:
            raise UserError(f"history state {name} cannot be anything else", at=vertex.at)
        defaults = self.initial_of(vertex)
        for one in defaults:
            known = one in self.vertices and self.vertices[one].history is None
            if not known or not self.within(one, vertex.parent) or one == vertex.parent:
                beside = "the chart" if vertex.parent is None else _shown(vertex.parent)
                message = f"the default {_shown(one)} of history state {name} is no state inside {beside}"
                raise UserError(message, at=vertex.at)
        self._check_targets(defaults, f"the defaults of history state {name}", at=vertex.at)

    def _check_targets(self, names: tuple[str, ...], what: str, at: Place = NOWHERE) -> None:
        """Several states must be active together: each two lie in different regions of a parallel state."""
        for number, first in enumerate(names):
            for second in names[:number]:
                shared = [a for a, b in zip(self.paths[first], self.paths[second], strict=False) if a == b]
                nested = self.within(first, second) or self.within(second, first)
                if nested or not shared or not self.vertices[shared[-1]].parallel:
                    message = f"{what} {_shown(second)} and {_shown(first)} are never active together"
                    raise UserError(message, at=at)

    def _check_arrow(self, arrow: ChartTransition) -> None:
        targets = state_names(arrow.target)
        for name in (arrow.source, *targets):
            if name is not None and name not in self.vertices:
                raise UserError(f"unknown state {_shown(name)}{did_you_mean(name[:60], self.vertices)}", at=arrow.at)
        self._check_targets(targets, "the targets", at=arrow.at)
        if arrow.source is None:
            if arrow.completion:
                raise UserError("the chart itself is never complete", at=arrow.at)
            return
        source = self.vertices[arrow.source]
        if source.final:
            raise UserError(f"a transition leaves the final state {_shown(source.name)}", at=arrow.at)
        if source.history is not None:
            raise UserError(f"a transition leaves the history state {_shown(source.name)}", at=arrow.at)
        if arrow.way is ExitsAndEntries.INTERNAL and (targets != (arrow.source,) or source.choice):
            message = (
                f"an internal transition of {_shown(source.name)} stays in that state, which is not a choice point"
            )
            raise UserError(message, at=arrow.at)
        if arrow.way is ExitsAndEntries.LOCAL and source.parallel:
            raise UserError(f"the parallel state {_shown(source.name)} has no local transitions", at=arrow.at)
        plain = [name for name in targets if self.vertices[name].history is None]
        if arrow.way is ExitsAndEntries.LOCAL and not all(self.within(name, arrow.source) for name in plain):
            message = f"a local transition of {_shown(source.name)} leads to a state inside it"
            raise UserError(message, at=arrow.at)
        if arrow.completion:
            self._check_completion(arrow, source)

    def _check_completion(self, arrow: ChartTransition, source: Vertex) -> None:
        name = _shown(source.name)
        if arrow.trigger is not None:
            raise UserError(f"a completion transition of {name} cannot have a trigger", at=arrow.at)
        if not self.can_complete(source.name):
            message = f"state {name} is never complete, as there is no final state directly inside it"
            raise UserError(message, at=arrow.at)

    def can_complete(self, name: str) -> bool:
        """Whether a state has final states, in each of its regions where it is parallel."""
        inside = self.inside.get(name, [])
        if self.vertices[name].parallel:
            return all(map(self.can_complete, inside))
        return any(self.vertices[inner].final for inner in inside)


def _shown(name: str) -> str:
    return repr(name if len(name) <= 60 else name[:57] + "...")
