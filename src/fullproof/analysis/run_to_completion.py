"""A SysML state machine with concrete values: what an event does until the machine is quiescent (paper 003, section 2).

An event may fire a transition that it triggers or one without trigger; transitions without trigger follow as long as
their guards hold. An event that fires nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from fullproof.artefacts.partition import StateClass
from fullproof.language.compile import compile_expression
from fullproof.language.printer import type_to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.types import Value, Variable
from fullproof.language.values import coerce, in_range
from fullproof.model import StateMachine
from fullproof.model.statemachine import SmTransition
from fullproof.model.unflattened import UnflattenedMachine, Unfolding

LONGEST_RUN = 10_000
MOST_RUNS = 1_000
_GROWING = 8
_LARGEST = 1 << 20
"""In a run of this many transitions, a number of more bits than that indicates a run without end."""


Clocks: TypeAlias = tuple[Fraction | None, ...]
Evaluate: TypeAlias = Callable[[Mapping[str, Value]], Value]
_Mark: TypeAlias = tuple[str, dict[str, Value]]


class RunGoesWrong(Exception):
    """The model leaves a range, is stuck in a choice point or never comes to rest; the text says which."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A control state and the values of all attributes, in the order of ``RunToCompletion.names``.

    An input attribute has no value before the first input. ``clocks`` has the seconds that each timer of the model
    still runs, None for one that does not run.
    """

    state: str
    values: tuple[Value | None, ...]
    clocks: Clocks = ()


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
    taken: tuple[int, ...]
    """The transitions of the model that it is, by number; of a chart that is not flattened, those of the chart."""
    starts: frozenset[str] = frozenset()
    stops: frozenset[str] = frozenset()


Choose: TypeAlias = Callable[[Sequence[CompiledTransition]], CompiledTransition]


class RunToCompletion:
    """All runs of a model; a deterministic one has exactly one for each event."""

    def __init__(self, model: StateMachine) -> None:
        self.model = model
        variables = (*model.inputs, *model.outputs, *model.variables)
        self.names = tuple(variable.name for variable in variables)
        self._initial = tuple(None if v.initial is None else coerce(v.initial, v.type) for v in variables)
        scope = Scope(variables, {c.name: c.value for c in model.description.constants})
        self._unfolding = model.unfolding() if isinstance(model, UnflattenedMachine) else None
        self._leaving: dict[str, list[CompiledTransition]]
        if self._unfolding is None:
            self._first, self._started = model.initial, model.started
            self._leaving = {state: [] for state in model.states}
            for number, t in enumerate(model.transitions):
                self._leaving[t.source].append(_compiled(number, t, scope))
        else:
            self._first, self._started = self._unfolding.initial, self._unfolding.started
            self._leaving = _StepsOnDemand(self._unfolding, scope)

    @property
    def start(self) -> Configuration:
        """The initial state with the initial values, and timers that have just started."""
        clocks = tuple(timer.duration if timer.name in self._started else None for timer in self.model.timers)
        return Configuration(self._first, self._initial, clocks)

    def active(self, configuration: Configuration) -> tuple[str, ...]:
        """The innermost states of the chart that are active, or the state itself."""
        if self._unfolding is None:
            return self.model.active_in(configuration.state)
        return self._unfolding.active(configuration.state)

    def values(self, configuration: Configuration) -> dict[str, Value]:
        """The attributes that have values, by name."""
        pairs = zip(self.names, configuration.values, strict=True)
        return {name: value for name, value in pairs if value is not None}

    def runs(self, before: Configuration, trigger: str | None, inputs: Mapping[str, Value]) -> list[CompletedRun]:
        """What an event may do once the input attributes have new values.

        Raises RunGoesWrong. Needs: every input attribute has a value, before or now.
        """
        return self._completed(before, {**self.values(before), **inputs}, None, trigger)

    def run(
        self, before: Configuration, trigger: str | None, inputs: Mapping[str, Value], choose: Choose
    ) -> CompletedRun:
        """One of these runs: ``choose`` takes one of several transitions. Raises RunGoesWrong.

        A run that comes back to where it was is a livelock of the model even where another choice would have ended it.
        """
        return self._completed(before, {**self.values(before), **inputs}, None, trigger, choose)[0]

    def runs_after(self, before: Configuration, number: int, inputs: Mapping[str, Value]) -> list[CompletedRun]:
        """The runs that start by firing a transition, regardless of its guard and trigger. Raises RunGoesWrong."""
        step = next(s for s in self._leaving[before.state] if s.number == number)
        values = _after(step, {**self.values(before), **inputs})
        return self._completed(before, values, _Trail(None, step, 1), None)

    def changed(self, state: str, change: Callable[[CompiledTransition], CompiledTransition | None]) -> RunToCompletion:
        """The same machine with changed transitions from a state; one that becomes None is missing.

        All other states are shared with this machine: there may be thousands of changed machines of a large model.
        """
        other = copy(self)
        other._leaving = _ExceptOne(self._leaving, state, change)
        return other

    def _completed(
        self,
        before: Configuration,
        values: dict[str, Value],
        trail: _Trail | None,
        trigger: str | None,
        choose: Choose | None = None,
    ) -> list[CompletedRun]:
        state = before.state if trail is None else trail.step.target
        waiting: list[tuple[str, dict[str, Value], _Trail | None, _Mark | None]] = [(state, values, trail, None)]
        found = dict[CompletedRun, None]()
        while waiting:
            state, values, trail, mark = waiting.pop()
            taken = 0 if trail is None else trail.length
            event = None if taken else trigger
            enabled = [s for s in self._leaving[state] if s.trigger in (event, None) and s.guard(values)]
            if not enabled:
                found[self._ended(state, values, trail, before.clocks)] = None
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

    def _ended(self, state: str, values: Mapping[str, Value], trail: _Trail | None, clocks: Clocks) -> CompletedRun:
        choice = state in self.model.choices if self._unfolding is None else self._unfolding.is_choice(state)
        if choice:
            raise RunGoesWrong(f"no way out of choice point {state!r}")
        steps = [] if trail is None else trail.steps()
        sent = tuple(signal for step in steps for signal in step.sends)
        for step in steps if clocks else ():
            clocks = self._clocks_after(step, clocks)
        end = Configuration(state, tuple(values.get(name) for name in self.names), clocks)
        return CompletedRun(end, sent, tuple(number for step in steps for number in step.taken))

    def _clocks_after(self, step: CompiledTransition, clocks: Clocks) -> Clocks:
        pairs = zip(self.model.timers, clocks, strict=True)
        return tuple(
            timer.duration if timer.name in step.starts else None if timer.name in step.stops else left
            for timer, left in pairs
        )


class _ExceptOne(dict[str, list[CompiledTransition]]):
    """The transitions of a machine, those of one state changed."""

    def __init__(
        self,
        others: dict[str, list[CompiledTransition]],
        state: str,
        change: Callable[[CompiledTransition], CompiledTransition | None],
    ) -> None:
        super().__init__({state: [new for step in others[state] if (new := change(step)) is not None]})
        self._others = others

    def __missing__(self, state: str) -> list[CompiledTransition]:
        return self._others[state]


class _StepsOnDemand(dict[str, list[CompiledTransition]]):
    """The transitions of configurations as these are met, numbered in that order."""

    def __init__(self, unfolding: Unfolding, scope: Scope) -> None:
        super().__init__()
        self._unfolding = unfolding
        self._scope = scope
        self._count = 0

    def __missing__(self, state: str) -> list[CompiledTransition]:
        found = self[state] = []
        for t in self._unfolding.leaving(state):
            found.append(replace(_compiled(self._count, t, self._scope), taken=t.arrows))
            self._count += 1
        return found


def _compiled(number: int, t: SmTransition, scope: Scope) -> CompiledTransition:
    actions = tuple((scope.variable(a.variable), compile_expression(a.expression, scope)) for a in t.actions)
    guard, timers = compile_expression(t.guard, scope), (frozenset(t.starts), frozenset(t.stops))
    return CompiledTransition(number, t.trigger, guard, actions, t.sends, t.target, (number,), *timers)


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


class CompiledClasses:
    """The classes of a partition, compiled: which one holds."""

    def __init__(self, classes: Sequence[StateClass], scope: Scope) -> None:
        self._of_state: dict[str, list[tuple[int, Evaluate]]] = {}
        for number, c in enumerate(classes):
            self._of_state.setdefault(c.state, []).append((number, compile_expression(c.condition, scope)))

    def of(self, state: str, values: Mapping[str, Value]) -> int | None:
        """The number of the first class that a state with values is in."""
        return next((number for number, holds in self._of_state.get(state, ()) if holds(values)), None)
