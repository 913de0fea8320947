"""A SysML state machine in motion: run to completion, paper 003 section 2."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.execute.observation import shown
from fullproof.execute.play.assigning import Assigning
from fullproof.execute.sut import SutError
from fullproof.language.compile import compile_expression
from fullproof.language.printer import type_to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.types import Value
from fullproof.language.values import coerce, in_range
from fullproof.model import StateMachine
from fullproof.model.statemachine import SmTransition

TRIGGER = "trigger"
SENDS = "send"
_LONGEST_RUN = 10_000


class StateMachinePlayer:
    """Plays a state machine.

    An input is the values of the input attributes by name and, under ``trigger``, a signal or nothing; attributes that
    are left out keep their values. An event may fire a transition that it triggers or one without trigger, then
    transitions without trigger follow as long as their guards hold; an event that fires nothing is lost. The answer is
    the values of the output attributes and, under ``send``, the signals sent, where the model has any.
    """

    def __init__(self, model: StateMachine, random: Random) -> None:
        for reserved, variables in ((TRIGGER, model.inputs), (SENDS, model.outputs)):
            if any(v.name == reserved for v in variables):
                raise UserError(f"a model with a variable called {reserved!r} cannot be played")
        self._model = model
        self._random = random
        variables = (*model.inputs, *model.outputs, *model.variables)
        self._inputs = {v.name: v for v in model.inputs}
        scope = Scope(variables, {c.name: c.value for c in model.description.constants})
        self._leaving = {
            state: [
                (t, compile_expression(t.guard, scope), Assigning(t.actions, scope))
                for t in model.transitions
                if t.source == state
            ]
            for state in model.states
        }
        self._state = model.initial
        self._values: dict[str, Value] = {}
        self.reset()

    def reset(self) -> None:
        """Return to the initial state and values."""
        self._state = self._model.initial
        variables = (*self._model.inputs, *self._model.outputs, *self._model.variables)
        self._values = {v.name: coerce(v.initial, v.type) for v in variables if v.initial is not None}

    @property
    def state(self) -> str:
        """The current state."""
        return self._state

    @property
    def values(self) -> Mapping[str, Value]:
        """The current values of inputs, outputs and variables, where they have any."""
        return dict(self._values)

    def step(self, symbol: TestInput, /) -> Mapping[str, object]:
        """Dispatch an event with new inputs and run to completion; where that goes wrong, nothing has happened."""
        trigger = self._trigger(symbol)
        state, values = self._state, self._values | self._new_inputs(symbol)
        if missing := next((name for name in self._inputs if name not in values), None):
            raise SutError(f"no value of the input {missing} so far")
        sent: list[str] = []
        for count in range(_LONGEST_RUN):
            taken = self._choose(state, values, trigger if count == 0 else None)
            if taken is None:
                break
            transition, actions = taken
            values = values | actions.in_order(values)
            state = transition.target
            sent += transition.sends
        else:
            raise SutError(f"livelock: more than {_LONGEST_RUN} transitions without an end, now in {state!r}")
        if state in self._model.choices:
            raise SutError(f"the model goes wrong: no way out of choice point {state!r}")
        self._state, self._values = state, values
        answer: dict[str, object] = {v.name: values[v.name] for v in self._model.outputs}
        return answer | ({SENDS: sent} if self._model.signals_out else {})

    def enabled(self) -> None:
        """Events are never refused, only lost."""
        return

    def _choose(
        self, state: str, values: Mapping[str, Value], trigger: str | None
    ) -> tuple[SmTransition, Assigning] | None:
        here = [
            (t, actions) for t, guard, actions in self._leaving[state] if t.trigger in (trigger, None) and guard(values)
        ]
        return self._random.choice(here) if len(here) > 1 else here[0] if here else None

    def _trigger(self, symbol: TestInput) -> str | None:
        if isinstance(symbol, str):
            raise SutError(
                f'{shown(symbol)} is no input of a statemachine, which is {{"trigger": ..., values by name}}'
            )
        trigger = symbol.get(TRIGGER)
        if trigger is not None and trigger not in self._model.signals_in:
            hint = did_you_mean(str(trigger), self._model.signals_in)
            raise SutError(f"unknown signal {shown(trigger)}{hint}")
        return None if trigger is None else str(trigger)

    def _new_inputs(self, symbol: TestInput) -> dict[str, Value]:
        assert not isinstance(symbol, str)
        values: dict[str, Value] = {}
        for name, value in symbol.items():
            if name == TRIGGER:
                continue
            if name not in self._inputs:
                raise SutError(f"unknown input {name!r}{did_you_mean(name, self._inputs)}")
            type_ = self._inputs[name].type
            if not in_range(value, type_):
                raise SutError(f"{name} = {value_to_text(value)} is outside {type_to_text(type_)}")
            values[name] = coerce(value, type_)
        return values
