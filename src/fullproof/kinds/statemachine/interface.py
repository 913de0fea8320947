"""The inputs of a state machine: events."""

from __future__ import annotations

from fullproof.artefacts.suite import TestInput
from fullproof.core.suggest import did_you_mean
from fullproof.language.printer import type_to_text, value_to_text
from fullproof.language.values import in_range
from fullproof.model import StateMachine


class Events:
    """A signal under ``trigger``, or none, and values for some input attributes."""

    symbols: tuple[str, ...] = ()

    def __init__(self, model: StateMachine) -> None:
        self._variables = {v.name: v for v in model.inputs}
        self._signals = model.signals_in

    def misfit(self, symbol: TestInput, /) -> str | None:
        """Why a value is no event of the machine."""
        if isinstance(symbol, str):
            return f"the input {symbol!r}; a statemachine takes an object of values by name"
        trigger = symbol.get("trigger")
        if trigger is not None and trigger not in self._signals:
            hint = did_you_mean(str(trigger), self._signals)
            return f"the signal {trigger!r}, which the model does not know{hint}"
        for name, value in symbol.items():
            if name == "trigger":
                continue
            variable = self._variables.get(name)
            if variable is None:
                return f"the input {name!r}, which the model does not know{did_you_mean(name, self._variables)}"
            if not in_range(value, variable.type):
                return f"{name} = {value_to_text(value)}, which is not a value of {type_to_text(variable.type)}"
        return None
