"""A SysML state machine in motion: run to completion, paper 003 section 2."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from fullproof.analysis.run_to_completion import SENDS, TRIGGER, RunGoesWrong, RunToCompletion
from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.execute.observation import shown
from fullproof.execute.sut import SutError
from fullproof.language.printer import type_to_text, value_to_text
from fullproof.language.types import Value
from fullproof.language.values import coerce, in_range
from fullproof.model import StateMachine


class StateMachinePlayer:
    """Plays a state machine.

    An input is the values of the input attributes by name and, under ``trigger``, a signal or nothing; attributes that
    are left out keep their values. An event may fire a transition that it triggers or one without trigger, then
    transitions without trigger follow as long as their guards hold; an event that fires nothing is lost. The answer is
    the values of the output attributes and, under ``send``, the signals sent, where the model has any.
    """

    is_partial = False

    def __init__(self, model: StateMachine, random: Random) -> None:
        for reserved, variables in ((TRIGGER, model.inputs), (SENDS, model.outputs)):
            if any(v.name == reserved for v in variables):
                raise UserError(f"a model with a variable called {reserved!r} cannot be played")
        self._model = model
        self._choose = random.choice
        self._machine = RunToCompletion(model)
        self._inputs = {v.name: v for v in model.inputs}
        self._here = self._machine.start

    def reset(self) -> None:
        """Return to the initial state and values."""
        self._here = self._machine.start

    @property
    def state(self) -> str:
        """The current state."""
        return self._here.state

    @property
    def values(self) -> Mapping[str, Value]:
        """The current values of inputs, outputs and variables, where they have any."""
        return self._machine.values(self._here)

    def step(self, symbol: TestInput, /) -> Mapping[str, object]:
        """Dispatch an event with new inputs and run to completion; where that goes wrong, nothing has happened."""
        trigger, inputs = self._trigger(symbol), self._new_inputs(symbol)
        known = self.values
        if missing := next((name for name in self._inputs if name not in known and name not in inputs), None):
            raise SutError(f"no value of the input {missing} so far")
        try:
            run = self._machine.run(self._here, trigger, inputs, self._choose)
        except RunGoesWrong as wrong:
            raise SutError(f"the model goes wrong: {wrong}") from wrong
        self._here = run.end
        values = self.values
        answer: dict[str, object] = {v.name: values[v.name] for v in self._model.outputs}
        return answer | ({SENDS: list(run.sent)} if self._model.signals_out else {})

    def enabled(self) -> None:
        """Events are never refused, only lost."""
        return

    def _trigger(self, symbol: TestInput) -> str | None:
        if isinstance(symbol, str):
            raise SutError(
                f'{shown(symbol)} is not an input of a statemachine, which is {{"trigger": ..., values by name}}'
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
