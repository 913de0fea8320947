"""Junctions, forks and joins: arrows through them become transitions between states (UML 2.5.1, section 14.2.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum

from fullproof.core.errors import Place, UserError
from fullproof.language.shallow_trees import joined_as_written
from fullproof.language.syntax import TRUE, Expression, Name
from fullproof.model.chart import NOTHING, ChartTransition, Effect, Names, is_active, state_names


class PseudoState(Enum):
    """What an arrow passes without staying there."""

    JUNCTION = "junction"
    """Guards behind it are asked together with the one before it, before anything is done."""
    FORK = "fork"
    """All arrows that leave it are taken, each into a region."""
    JOIN = "join"
    """All arrows that lead to it are taken, each from a region."""


class PseudoStates:
    """Arrows between states and pseudostates; ``places`` says where the pseudostates stand."""

    def __init__(
        self, arrows: Sequence[ChartTransition], kinds: Mapping[str, PseudoState], places: Mapping[str, Place]
    ) -> None:
        self._arrows = arrows
        self._kinds = kinds
        self._places = places
        for name, kind in kinds.items():
            self._check(name, kind)

    def transitions(self) -> list[ChartTransition]:
        """The transitions between states, in the order of the arrows with which they begin."""
        found: list[ChartTransition] = []
        joined: set[str] = set()
        for arrow in self._arrows:
            if arrow.source in self._kinds:
                continue
            target = self._pseudo(arrow)
            if target is not None and self._kinds[target] is PseudoState.JOIN:
                if target not in joined:
                    joined.add(target)
                    found += self._through(self._joined(target), ())
                continue
            found += self._through(arrow, ())
        return found

    def initial(self, target: str, effect: Effect) -> tuple[Names, Effect]:
        """What an initial arrow enters: through a fork, a state in each of several regions."""
        if target not in self._kinds:
            return target, effect
        if self._kinds[target] is not PseudoState.FORK:
            message = f"the way to an initial state cannot pass the {self._kinds[target].value} {target[:60]!r}"
            raise UserError(message, at=self._places[target])
        start = ChartTransition(source=None, target=target, effect=effect)
        (found,) = self._through(start, ())
        return found.target, found.effect

    def _check(self, name: str, kind: PseudoState) -> None:
        """A fork has one arrow to it and several from it, a join the reverse; both are taken as a whole."""
        outgoing = [arrow for arrow in self._arrows if arrow.source == name]
        incoming = [arrow for arrow in self._arrows if name in state_names(arrow.target)]
        wanted = "a state in each of several regions" if kind is PseudoState.FORK else "one state"
        few = not outgoing or (kind is PseudoState.JOIN and len(outgoing) > 1)
        if few:
            raise UserError(f"expected arrows from the {kind.value} {name[:60]!r} to {wanted}", at=self._places[name])
        if kind is PseudoState.JOIN and len(incoming) < 2:
            message = f"expected arrows to the join {name[:60]!r} from a state in each of several regions"
            raise UserError(message, at=self._places[name])
        for arrow in outgoing:
            if arrow.trigger is not None:
                raise UserError(f"an arrow from the {kind.value} {name[:60]!r} has no trigger", at=arrow.at)
            if kind is PseudoState.FORK and arrow.guard != TRUE:
                raise UserError(
                    f"an arrow from the fork {name[:60]!r} has no guard: all of them are taken", at=arrow.at
                )

    def _pseudo(self, arrow: ChartTransition) -> str | None:
        return next((name for name in state_names(arrow.target) if name in self._kinds), None)

    def _through(self, arrow: ChartTransition, passed: tuple[str, ...]) -> list[ChartTransition]:
        name = self._pseudo(arrow)
        if name is None:
            return [arrow]
        if name in passed:
            raise UserError(f"the arrows behind {name[:60]!r} lead back to it", at=self._places[name])
        if self._kinds[name] is PseudoState.JOIN:
            raise UserError(f"an arrow to the join {name[:60]!r} comes from no state", at=self._places[name])
        after = [other for other in self._arrows if other.source == name]
        before = tuple(state for state in state_names(arrow.target) if state != name)
        if self._kinds[name] is PseudoState.FORK:
            targets = (*before, *(state for other in after for state in state_names(other.target)))
            steps = [self._then(arrow, after, targets)]
        else:
            steps = [self._then(arrow, [other], (*before, *state_names(other.target))) for other in after]
        return [found for step in steps for found in self._through(step, (*passed, name))]

    def _then(
        self, arrow: ChartTransition, after: Sequence[ChartTransition], targets: tuple[str, ...]
    ) -> ChartTransition:
        whole = (arrow, *after)
        return replace(
            arrow,
            guard=_all(one.guard for one in whole),
            effect=joined_effects([one.effect for one in whole]),
            target=targets[0] if len(targets) == 1 else targets,
            requirements=tuple(dict.fromkeys(name for one in whole for name in one.requirements)),
        )

    def _joined(self, name: str) -> ChartTransition:
        """One transition of the first source, under the condition that the other sources are active, too."""
        incoming = [arrow for arrow in self._arrows if name in state_names(arrow.target)]
        first = incoming[0]
        for arrow in incoming:
            if arrow.source is None or arrow.source in self._kinds:
                raise UserError(f"an arrow to the join {name[:60]!r} comes from no state", at=arrow.at)
            if arrow.completion:
                message = f"the arrow to the join {name[:60]!r} leaves a composite state; expected a state inside it"
                raise UserError(message, at=arrow.at)
            if arrow.trigger != first.trigger:
                raise UserError(f"the arrows to the join {name[:60]!r} have different triggers", at=arrow.at)
        others = [Name(is_active(arrow.source)) for arrow in incoming[1:] if arrow.source is not None]
        (after,) = (arrow for arrow in self._arrows if arrow.source == name)
        step = self._then(first, [*incoming[1:], after], state_names(after.target))
        return replace(step, guard=_all([step.guard, *others]))


def joined_effects(effects: Sequence[Effect]) -> Effect:
    """One effect after the other."""
    listed = [effect for effect in effects if effect]
    if len(listed) < 2:
        return listed[0] if listed else NOTHING
    return Effect(actions=tuple(action for effect in listed for action in effect.steps()))


def _all(guards: Iterable[Expression]) -> Expression:
    parts = [guard for guard in guards if guard != TRUE]
    return joined_as_written("and", parts) if parts else TRUE
