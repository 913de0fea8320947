"""The structure of a state chart, checked: nesting of states, sources and targets of transitions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.language.syntax import TRUE, Expression
from fullproof.model.sts import Assignment


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Assignments and signals, each in order; signals carry no values, so their interleaving is not observable."""

    actions: tuple[Assignment, ...] = ()
    sends: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.actions or self.sends)


NOTHING = Effect()


def joined(effects: Iterable[Effect]) -> Effect:
    """One effect after the other."""
    some = [effect for effect in effects if effect]
    return Effect(
        actions=tuple(action for effect in some for action in effect.actions),
        sends=tuple(signal for effect in some for signal in effect.sends),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Vertex:
    """A state, a final state or a choice point; names are unique in the chart (see ``flat_names``).

    ``initial`` is what a composite enters when it is a target itself: any state inside it. It takes ``initial_effect``
    after the composite's entry. A choice point has no entry and exit, and the states around it do not act for it.
    """

    name: str
    parent: str | None = None
    choice: bool = False
    final: bool = False
    initial: str | None = None
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

    ``completion``: from a composite, held only in the final states directly inside it.
    """

    source: str
    trigger: str | None = None
    guard: Expression = TRUE
    effect: Effect = NOTHING
    target: str
    way: ExitsAndEntries = ExitsAndEntries.EXTERNAL
    completion: bool = False
    requirements: tuple[str, ...] = ()
    at: Place = field(default=NOWHERE, compare=False, repr=False)


class Chart:
    """Vertices by name with their paths from the outermost state, and the arrows that leave them."""

    def __init__(self, vertices: tuple[Vertex, ...], arrows: tuple[ChartTransition, ...], initial: str) -> None:
        self.vertices: dict[str, Vertex] = {}
        for vertex in vertices:
            if vertex.name in self.vertices:
                raise UserError(f"state {_shown(vertex.name)} is defined twice", at=vertex.at)
            self.vertices[vertex.name] = vertex
        if initial not in self.vertices:
            raise UserError(f"unknown initial state {_shown(initial)}{did_you_mean(initial[:60], self.vertices)}")
        self.paths: dict[str, tuple[str, ...]] = {}
        for vertex in vertices:
            self._place(vertex)
        self.composites = {vertex.parent for vertex in vertices if vertex.parent is not None}
        for vertex in vertices:
            self._check(vertex)
        self.leaving: dict[str, list[ChartTransition]] = {name: [] for name in self.vertices}
        for arrow in arrows:
            self._check_arrow(arrow)
            self.leaving[arrow.source].append(arrow)

    def inside(self, inner: str, outer: str) -> bool:
        """Whether a state is another or lies within it."""
        depth = len(self.paths[outer])
        return self.paths[inner][:depth] == self.paths[outer]

    def initial_of(self, vertex: Vertex) -> str:
        """The state inside a composite that is entered with it."""
        if vertex.initial is None:
            message = f"state {_shown(vertex.name)} has states inside it, but does not say which is its initial one"
            raise UserError(message, at=vertex.at)
        return vertex.initial

    def kept(self, arrow: ChartTransition) -> int:
        """How many of the states around the source an arrow neither leaves nor enters."""
        source, target = self.paths[arrow.source], self.paths[arrow.target]
        if arrow.way is ExitsAndEntries.LOCAL:
            return len(source)
        shared = zip(source[:-1], target[:-1], strict=False)
        return next((depth for depth, (a, b) in enumerate(shared) if a != b), min(len(source), len(target)) - 1)

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
        if vertex.choice and vertex.final:
            raise UserError(f"state {name} cannot be both a choice point and final", at=vertex.at)
        if vertex.choice and (vertex.entry or vertex.exit):
            raise UserError(f"choice point {name} cannot have entry or exit actions", at=vertex.at)
        if vertex.name not in self.composites:
            if vertex.initial is not None:
                raise UserError(f"state {name} has an initial state, but no states inside it", at=vertex.at)
            return
        if pseudo:
            raise UserError(f"{pseudo} {name} cannot have states inside it", at=vertex.at)
        initial = self.initial_of(vertex)
        if initial == vertex.name or initial not in self.vertices or not self.inside(initial, vertex.name):
            within = [other for other in self.vertices if other != vertex.name and self.inside(other, vertex.name)]
            raise UserError(
                f"the initial state {_shown(initial)} of {name} is not inside it{did_you_mean(initial[:60], within)}",
                at=vertex.at,
            )

    def _check_arrow(self, arrow: ChartTransition) -> None:
        for name in (arrow.source, arrow.target):
            if name not in self.vertices:
                raise UserError(f"unknown state {_shown(name)}{did_you_mean(name[:60], self.vertices)}", at=arrow.at)
        source = self.vertices[arrow.source]
        if source.final:
            raise UserError(f"a transition leaves the final state {_shown(source.name)}", at=arrow.at)
        if arrow.way is ExitsAndEntries.INTERNAL and (arrow.target != arrow.source or source.choice):
            message = (
                f"an internal transition of {_shown(source.name)} stays in that state, which is not a choice point"
            )
            raise UserError(message, at=arrow.at)
        if arrow.way is ExitsAndEntries.LOCAL and not self.inside(arrow.target, arrow.source):
            message = f"a local transition of {_shown(source.name)} leads to a state inside it"
            raise UserError(message, at=arrow.at)
        if arrow.completion:
            self._check_completion(arrow)

    def _check_completion(self, arrow: ChartTransition) -> None:
        name = _shown(arrow.source)
        if arrow.trigger is not None:
            raise UserError(f"a completion transition of {name} cannot have a trigger", at=arrow.at)
        if not any(vertex.final and vertex.parent == arrow.source for vertex in self.vertices.values()):
            message = f"state {name} is never complete, as there is no final state directly inside it"
            raise UserError(message, at=arrow.at)


def _shown(name: str) -> str:
    return repr(name if len(name) <= 60 else name[:57] + "...")
