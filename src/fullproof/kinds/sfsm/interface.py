"""The inputs of a symbolic machine: a value for each input variable."""

from __future__ import annotations

from fullproof.artefacts.suite import TestInput
from fullproof.language.assumptions import Assumptions
from fullproof.language.printer import type_to_text, value_to_text
from fullproof.language.values import in_range
from fullproof.model import Sfsm


class Valuations:
    """Values for all input variables, each in its range, that keep the assumptions of the model."""

    symbols: tuple[str, ...] = ()

    def __init__(self, model: Sfsm) -> None:
        self._variables = model.inputs
        self._names = {variable.name for variable in model.inputs}
        self._assumed = Assumptions(model.input_scope)

    def misfit(self, symbol: TestInput, /) -> str | None:
        """Why a value is no input of the machine."""
        if isinstance(symbol, str) or symbol.keys() != self._names:
            return f"the input {symbol!r}; the model takes values for {', '.join(v.name for v in self._variables)}"
        wrong = next((v for v in self._variables if not in_range(symbol[v.name], v.type)), None)
        if wrong is None:
            broken = self._assumed.broken(symbol)
            return f"an input of which {broken}" if broken else None
        return f"{wrong.name} = {value_to_text(symbol[wrong.name])}, which is not a value of {type_to_text(wrong.type)}"
