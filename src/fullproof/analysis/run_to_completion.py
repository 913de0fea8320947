"""A SysML state machine with concrete values: what an event does until the machine is quiescent (paper 003, section 2).

An event may fire a transition that it triggers or one without trigger; transitions without trigger follow as long as
their guards hold. An event that fires nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.artefacts.partition import StateClass
from fullproof.language.compile import compile_expression
from fullproof.language.printing import type_to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.types import Value, Variable
from fullproof.language.values import coerce, in_range
from fullproof.model import StateMachine

TRIGGER = "trigger"
SENDS = "send"
"""Where the signal stands in an input, and the signals sent in an output."""

LONGEST_RUN = 10_000
MOST_RUNS = 1_000


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
class Run:
    """One run to completion: where it ended, what was sent on the way, and the transitions taken, by number."""

    end: Configuration
    sent: tuple[str, ...]
    transitions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    number: int
    trigger: str | None
    guard: Evaluate
    actions: tuple[tuple[Variable, Evaluate], ...]
    sends: tuple[str, ...]
    target: str


class RunToCompletion:
    """All runs of a model; a deterministic one has exactly one for each event."""

    def __init__(self, model: StateMachine) -> None:
        self.model = model
        variables = (*model.inputs, *model.outputs, *model.variables)
        self.names = tuple(variable.name for variable in variables)
        self._initial = tuple(None if v.initial is None else coerce(v.initial, v.type) for v in variables)
        scope = Scope(variables, {c.name: c.value for c in model.description.constants})
        self._leaving: dict[str, list[_Step]] = {state: [] for state in model.states}
        for number, t in enumerate(model.transitions):
            actions = tuple((scope.variable(a.variable), compile_expression(a.expression, scope)) for a in t.actions)
            guard = compile_expression(t.guard, scope)
            self._leaving[t.source].append(_Step(number, t.trigger, guard, actions, t.sends, t.target))

    @property
    def start(self) -> Configuration:
        """The initial state with the initial values."""
        return Configuration(self.model.initial, self._initial)

    def values(self, configuration: Configuration) -> dict[str, Value]:
        """The attributes that have values, by name."""
        pairs = zip(self.names, configuration.values, strict=True)
        return {name: value for name, value in pairs if value is not None}

    def runs(self, before: Configuration, trigger: str | None, inputs: Mapping[str, Value]) -> list[Run]:
        """What an event may do once the input attributes have new values.

        Raises RunGoesWrong. Needs: every input attribute has a value, before or now.
        """
        values = {**self.values(before), **inputs}
        waiting: list[tuple[str, dict[str, Value], tuple[str, ...], tuple[int, ...], _Mark | None]]
        waiting = [(before.state, values, (), (), None)]
        found: dict[Run, None] = {}
        while waiting:
            state, values, sent, taken, mark = waiting.pop()
            event = None if taken else trigger
            enabled = [s for s in self._leaving[state] if s.trigger in (event, None) and s.guard(values)]
            if not enabled:
                found[self._ended(state, values, sent, taken)] = None
            elif mark == (state, values):
                raise RunGoesWrong(f"livelock: a run comes back to {state!r} with the same values, so it has no end")
            elif len(taken) >= LONGEST_RUN or len(found) + len(waiting) > MOST_RUNS:
                raise RunGoesWrong(f"livelock: more than {LONGEST_RUN} transitions without an end, now in {state!r}")
            if len(taken).bit_count() == 1:  # Brent: where the run was after 1, 2, 4, 8, ... transitions
                mark = (state, values)
            waiting += [
                (step.target, _after(step, values), (*sent, *step.sends), (*taken, step.number), mark)
                for step in enabled
            ]
        return list(found)

    def _ended(self, state: str, values: Mapping[str, Value], sent: tuple[str, ...], taken: tuple[int, ...]) -> Run:
        if state in self.model.choices:
            raise RunGoesWrong(f"no way out of choice point {state!r}")
        return Run(Configuration(state, tuple(values.get(name) for name in self.names)), sent, taken)


def _after(step: _Step, values: Mapping[str, Value]) -> dict[str, Value]:
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
