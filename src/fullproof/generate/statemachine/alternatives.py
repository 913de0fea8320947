"""The behaviour of a faulty system in one step instead of the model's, computed on the model itself.

After a step that should lead to a place, a system with one slip may be in another control state, may have taken
another transition or none, may have omitted, added or changed an assignment. Each of these is an answer and a place:
where the answer is the right one, what follows has to distinguish the places.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from fullproof.analysis.run_to_completion import CompiledTransition, Configuration, RunToCompletion
from fullproof.generate.statemachine.places import Inputs, MachinePlace, Places, Reaction
from fullproof.language.types import IntType, RealType, Value, Variable
from fullproof.language.values import coerce, in_range
from fullproof.model.inputs import SignalEvent

_Change: TypeAlias = Callable[[CompiledTransition], CompiledTransition | None]
_Item = TypeVar("_Item")
Slip: TypeAlias = tuple[object, ...]
"""What is wrong, by name: ("state", control state), ("class", number), ("fires", transition), ("missing", transition),
("assignment", transition, variable, what)."""


@dataclass(frozen=True, slots=True)
class SlipResult:
    """A slip, and the output and the place that result from it."""

    slip: Slip
    reaction: Reaction

    @property
    def is_class(self) -> bool:
        """Whether it is about the class that a step should reach."""
        return self.slip[0] in ("state", "class")


class Alternatives:
    """The alternatives to steps; machines with a slip are cached."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self.most: int | None = None
        """How many other control states, and how many classes, are taken after a step, None for all of them."""
        self.left_out = 0
        """How many were not taken."""
        self._next = 0
        self._resting: dict[tuple[MachinePlace, Inputs], Reaction | None] = {}
        self._made: dict[Slip, RunToCompletion] = {}
        self._leaving: dict[str, list[int]] = {state: [] for state in places.model.states}
        for number, t in enumerate(places.model.transitions):
            self._leaving[t.source].append(number)
        self._by_transition = [dict(self._changes(number)) for number in range(len(places.model.transitions))]

    def of(self, place: MachinePlace, event: SignalEvent, right: Reaction) -> list[SlipResult]:
        """All alternatives with another target or another output."""
        found = [*self._elsewhere(event, right), *self._otherwise(place, event, right)]
        return [*_different(found, right), *self.assigned(place, event, right)]

    def assigned(self, place: MachinePlace, event: SignalEvent, right: Reaction) -> list[SlipResult]:
        """Only the alternatives of the assignments in the step."""
        return _different(self._assigned(place, event, right), right)

    def slips_of(self, number: int) -> tuple[Slip, ...]:
        """The slips of a transition's assignments, wherever it is taken."""
        return tuple(self._by_transition[number])

    def slips(self) -> Iterator[Slip]:
        """Those of all transitions."""
        for slips in self._by_transition:
            yield from slips

    def _elsewhere(self, event: SignalEvent, right: Reaction) -> Iterator[SlipResult]:
        """Other control states with the same values, after the transitions that follow from there immediately."""
        outputs = len(self._places.model.outputs)
        sent = right.seen[: len(right.seen) - outputs]
        for state in self.share([state for state in self._places.model.states if state != right.place.state]):
            after = self._rested(MachinePlace(state, right.place.memory), event.inputs)
            if after is not None:
                seen = (*sent, *after.seen)
                yield SlipResult(("state", state), Reaction(after.place, after.transitions, seen, after.state_class))

    def share(self, items: Sequence[_Item]) -> Sequence[_Item]:
        """All, or as many as may be taken: at every step those after the ones that were taken before."""
        if self.most is None or self.most >= len(items):
            return items
        first, self._next = self._next, self._next + self.most
        self.left_out += len(items) - self.most
        return [items[(first + k) % len(items)] for k in range(self.most)]

    def _rested(self, place: MachinePlace, inputs: Inputs) -> Reaction | None:
        """What happens in a place without a signal."""
        key = place, inputs
        if key not in self._resting:
            before = self._places.configuration(place)
            self._resting[key] = self._places.only(lambda: self._places.machine.runs(before, None, dict(inputs)))
        return self._resting[key]

    def _otherwise(self, place: MachinePlace, event: SignalEvent, right: Reaction) -> Iterator[SlipResult]:
        """Another transition of the same state or choice point, regardless of its guard and trigger; or a missing
        one.
        """
        inputs, before = dict(event.inputs), self._places.configuration(place)
        first = right.transitions[:1]
        for number in self._leaving[place.state]:
            if (number,) != first:
                machine = self._places.machine
                yield from self._made_by(("fires", number), machine.runs_after, before, number, inputs)
        for taken in right.transitions:
            yield from self._slipped(("missing", taken), before, event, _without(taken))
            source = self._places.model.transitions[taken].source
            if source in self._places.model.choices:
                for number in self._leaving[source]:
                    if number != taken:
                        yield from self._slipped(("fires", number), before, event, _only(source, number, self._leaving))

    def _assigned(self, place: MachinePlace, event: SignalEvent, right: Reaction) -> Iterator[SlipResult]:
        """Each assignment in the step omitted or off by one; each other variable reset to its initial value."""
        before = self._places.configuration(place)
        for taken in dict.fromkeys(right.transitions):
            for slip, change in self._by_transition[taken].items():
                yield from self._slipped(slip, before, event, change)

    def _changes(self, number: int) -> Iterator[tuple[Slip, _Change]]:
        actions = self._places.model.transitions[number].actions
        for k, action in enumerate(actions):
            yield ("assignment", number, action.variable, k), _lost(number, k)
        assigned = {action.variable for action in actions}
        for variable in (*self._places.model.outputs, *self._places.model.variables):
            if variable.name not in assigned and variable.initial is not None:
                yield ("assignment", number, variable.name, "set back"), _added(number, variable, _initial(variable))
            if isinstance(variable.type, IntType | RealType):
                yield ("assignment", number, variable.name, "off by one"), _added(number, variable, _next(variable))

    def _slipped(self, slip: Slip, before: Configuration, event: SignalEvent, change: _Change) -> Iterator[SlipResult]:
        if slip not in self._made:
            number = slip[1]
            assert isinstance(number, int)
            source = self._places.model.transitions[number].source
            self._made[slip] = self._places.machine.changed(source, change)
        yield from self._made_by(slip, self._made[slip].runs, before, event.signal, dict(event.inputs))

    def _made_by(self, slip: Slip, play: Callable[..., object], *given: object) -> Iterator[SlipResult]:
        reaction = self._places.only(lambda: play(*given))  # type: ignore[arg-type, return-value]
        if reaction is not None:
            yield SlipResult(slip, reaction)


def _different(found: Iterable[SlipResult], right: Reaction) -> list[SlipResult]:
    return [one for one in found if (one.reaction.place, one.reaction.seen) != (right.place, right.seen)]


def _without(number: int) -> _Change:
    return lambda step: None if step.number == number else step


def _only(source: str, number: int, leaving: dict[str, list[int]]) -> _Change:
    def change(step: CompiledTransition) -> CompiledTransition | None:
        if step.number == number:
            return dataclasses.replace(step, guard=lambda _values: True)
        return None if step.number in leaving[source] else step

    return change


def _lost(number: int, place: int) -> _Change:
    def change(step: CompiledTransition) -> CompiledTransition | None:
        kept = (*step.actions[:place], *step.actions[place + 1 :])
        return dataclasses.replace(step, actions=kept) if step.number == number else step

    return change


def _added(number: int, variable: Variable, value: Callable[..., Value]) -> _Change:
    def change(step: CompiledTransition) -> CompiledTransition | None:
        more = (*step.actions, (variable, value))
        return dataclasses.replace(step, actions=more) if step.number == number else step

    return change


def _initial(variable: Variable) -> Callable[..., Value]:
    assert variable.initial is not None
    value = coerce(variable.initial, variable.type)
    return lambda _values: value


def _next(variable: Variable) -> Callable[..., Value]:
    """One more, or one less at the end of a range."""

    def value(values: dict[str, Value]) -> Value:
        now = values[variable.name]
        assert not isinstance(now, str)
        return now + 1 if in_range(now + 1, variable.type) else now - 1

    return value
