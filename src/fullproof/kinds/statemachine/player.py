"""Execution of SysML state machines: run to completion, paper 003 section 2."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from fullproof.analysis.run_to_completion import RunGoesWrong, RunToCompletion
from fullproof.artefacts.suite import TestInput
from fullproof.execute.sut import SutError
from fullproof.language.types import Value
from fullproof.language.values import coerce
from fullproof.model import StateMachine
from fullproof.model.inputs import SENDS, SignalEvent


class StateMachinePlayer:
    """Executes a state machine.

    Attributes that an event leaves out keep their values. What it does is one of the runs of ``RunToCompletion``. The
    answer is the values of the output attributes and, under ``send``, the signals sent, where the model has any.
    """

    is_partial = False

    def __init__(self, model: StateMachine, random: Random) -> None:
        self._model = model
        self._choose = random.choice
        self._machine = RunToCompletion(model)
        self._interface = model.interface
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
        """Dispatch an event with new inputs and run to completion; where that goes wrong, the state is unchanged."""
        if (misfit := self._interface.misfit(symbol)) is not None:
            raise SutError(f"the model does not take {misfit}")
        assert isinstance(symbol, SignalEvent)
        inputs = {name: coerce(value, self._inputs[name].type) for name, value in symbol.inputs}
        known = self.values
        if missing := next((name for name in self._inputs if name not in known and name not in inputs), None):
            raise SutError(f"no value of the input {missing} so far")
        try:
            run = self._machine.run(self._here, symbol.signal, inputs, self._choose)
        except RunGoesWrong as wrong:
            raise SutError(f"the model goes wrong: {wrong}") from wrong
        self._here = run.end
        values = self.values
        answer: dict[str, object] = {v.name: values[v.name] for v in self._model.outputs}
        return answer | ({SENDS: list(run.sent)} if self._model.signals_out else {})

    def enabled(self) -> None:
        """Events are never refused, only lost."""
        return
