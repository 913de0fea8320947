"""A SysML state machine with concrete values: what an event does until the machine is quiescent (paper 003, section 2).

An event may fire a transition that it triggers or one without trigger; transitions without trigger follow as long as
their guards hold. An event that fires nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from fullproof.artefacts.partition import StateClass
from fullproof.language.compile import compile_expression
from fullproof.language.printer import type_to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.types import Value, Variable
from fullproof.language.values import coerce, in_range
from fullproof.model import StateMachine

LONGEST_RUN = 10_000
MOST_RUNS = 1_000
_GROWING = 8
_LARGEST = 1 << 20
"""In a run of this many transitions, a number of more bits than that indicates a run without end."""


Evaluate: TypeAlias = Callable[[Mapping[str, Value]], Value]
_Mark: TypeAlias = tuple[str, dict[str, Value]]


class RunGoesWrong(Exception):
    """The model leaves a range, is stuck in a choice point or never comes to rest; the text says which."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A control state and the values of all attributes, in the order of ``RunToCompletion.names``.

    An input attribute has no value before the first input.
    """

    state: str
    values: tuple[Value | None, ...]


@dataclass(frozen=True, slots=True)
class CompletedRun:
    """One run to completion: where it ended, what was sent on the way, and the transitions taken, by number."""

    end: Configuration
    sent: tuple[str, ...]
    transitions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CompiledTransition:
    """A transition, compiled."""

    number: int
    trigger: str | None
    guard: Evaluate
    actions: tuple[tuple[Variable, Evaluate], ...]
    sends: tuple[str, ...]
    target: str


Choose: TypeAlias = Callable[[Sequence[CompiledTransition]], CompiledTransition]


class RunToCompletion:
    """All runs of a model; a deterministic one has exactly one for each event."""

    def __init__(self, model: StateMachine) -> None:
        self.model = model
        variables = (*model.inputs, *model.outputs, *model.variables)
        self.names = tuple(variable.name for variable in variables)
        self._initial = tuple(None if v.initial is None else coerce(v.initial, v.type) for v in variables)
        scope = Scope(variables, {c.name: c.value for c in model.description.constants})
        self._leaving: dict[str, list[CompiledTransition]] = {state: [] for state in model.states}
        for number, t in enumerate(model.transitions):
            actions = tuple((scope.variable(a.variable), compile_expression(a.expression, scope)) for a in t.actions)
            guard = compile_expression(t.guard, scope)
            self._leaving[t.source].append(CompiledTransition(number, t.trigger, guard, actions, t.sends, t.target))

    @property
    def start(self) -> Configuration:
        """The initial state with the initial values."""
        return Configuration(self.model.initial, self._initial)

    def values(self, configuration: Configuration) -> dict[str, Value]:
        """The attributes that have values, by name."""
        pairs = zip(self.names, configuration.values, strict=True)
        return {name: value for name, value in pairs if value is not None}

    def runs(self, before: Configuration, trigger: str | None, inputs: Mapping[str, Value]) -> list[CompletedRun]:
        """What an event may do once the input attributes have new values.

        Raises RunGoesWrong. Needs: every input attribute has a value, before or now.
        """
        return self._completed(before.state, {**self.values(before), **inputs}, None, trigger)

    def run(
        self, before: Configuration, trigger: str | None, inputs: Mapping[str, Value], choose: Choose
    ) -> CompletedRun:
        """One of these runs: ``choose`` takes one of several transitions. Raises RunGoesWrong.

        A run that comes back to where it was is a livelock of the model even where another choice would have ended it.
        """
        return self._completed(before.state, {**self.values(before), **inputs}, None, trigger, choose)[0]

    def runs_after(self, before: Configuration, number: int, inputs: Mapping[str, Value]) -> list[CompletedRun]:
        """The runs that start by firing a transition, regardless of its guard and trigger. Raises RunGoesWrong."""
        step = next(s for s in self._leaving[before.state] if s.number == number)
        values = _after(step, {**self.values(before), **inputs})
        return self._completed(step.target, values, _Trail(None, step, 1), None)

    def changed(self, change: Callable[[CompiledTransition], CompiledTransition | None]) -> RunToCompletion:
        """The same machine with changed transitions; one that becomes None is missing."""
        other = copy(self)
        other._leaving = {
            state: [new for step in steps if (new := change(step)) is not None]
            for state, steps in self._leaving.items()
        }
        return other

    def _completed(
        self,
        state: str,
        values: dict[str, Value],
        trail: _Trail | None,
        trigger: str | None,
        choose: Choose | None = None,
    ) -> list[CompletedRun]:
        waiting: list[tuple[str, dict[str, Value], _Trail | None, _Mark | None]] = [(state, values, trail, None)]
        found = dict[CompletedRun, None]()
        while waiting:
            state, values, trail, mark = waiting.pop()
            taken = 0 if trail is None else trail.length
            event = None if taken else trigger
            enabled = [s for s in self._leaving[state] if s.trigger in (event, None) and s.guard(values)]
            if not enabled:
                found[self._ended(state, values, trail)] = None
            elif mark == (state, values):
                raise RunGoesWrong(f"livelock: a run comes back to {state!r} with the same values, so it has no end")
            elif taken >= LONGEST_RUN:
                raise RunGoesWrong(f"livelock: more than {LONGEST_RUN} transitions without an end, now in {state!r}")
            elif len(found) + len(waiting) > MOST_RUNS:
                raise RunGoesWrong(f"one event has more than {MOST_RUNS} different runs, now in {state!r}")
            elif taken >= _GROWING and any(map(_is_huge, values.values())):
                raise RunGoesWrong(f"livelock: values grow without end in a run of {taken} transitions to {state!r}")
            if choose is not None and len(enabled) > 1:
                enabled = [choose(enabled)]
            if taken.bit_count() == 1:  # Brent: where the run was after 1, 2, 4, 8, ... transitions
                mark = (state, values)
            waiting += [(step.target, _after(step, values), _Trail(trail, step, taken + 1), mark) for step in enabled]
        return list(found)

    def _ended(self, state: str, values: Mapping[str, Value], trail: _Trail | None) -> CompletedRun:
        if state in self.model.choices:
            raise RunGoesWrong(f"no way out of choice point {state!r}")
        steps = [] if trail is None else trail.steps()
        sent = tuple(signal for step in steps for signal in step.sends)
        end = Configuration(state, tuple(values.get(name) for name in self.names))
        return CompletedRun(end, sent, tuple(step.number for step in steps))


class _Trail(NamedTuple):
    """The transitions of a run so far, the last one first: a long run does not copy them at every step."""

    before: _Trail | None
    step: CompiledTransition
    length: int

    def steps(self) -> list[CompiledTransition]:
        """In the order in which they were taken."""
        found, here = [self.step], self.before
        while here is not None:
            found.append(here.step)
            here = here.before
        return found[::-1]


def _is_huge(value: Value) -> bool:
    return not isinstance(value, bool | str) and value.numerator.bit_length() > _LARGEST


def _after(step: CompiledTransition, values: Mapping[str, Value]) -> dict[str, Value]:
    after = dict(values)
    for variable, new in step.actions:
        value = coerce(new(after), variable.type)
        if not in_range(value, variable.type):
            raise RunGoesWrong(f"{variable.name} = {value_to_text(value)} leaves {type_to_text(variable.type)}")
        after[variable.name] = value
    return after


def class_of(
    classes: Sequence[StateClass], holds: Sequence[Evaluate], state: str, values: Mapping[str, Value]
) -> int | None:
    """The class of a state with values; ``holds`` are the conditions of the classes, compiled."""
    for number, (c, condition) in enumerate(zip(classes, holds, strict=True)):
        if c.state == state and condition(values):
            return number
    return None
