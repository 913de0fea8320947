"""The inputs of a finite machine: its symbols."""

from __future__ import annotations

from fullproof.artefacts.suite import TestInput
from fullproof.core.suggest import did_you_mean
from fullproof.model import Fsm


class Symbols:
    """The input alphabet."""

    def __init__(self, model: Fsm) -> None:
        self.symbols = model.inputs
        self._known = frozenset(model.inputs)

    def misfit(self, symbol: TestInput, /) -> str | None:
        """Why a value is no input of the machine."""
        if isinstance(symbol, str) and symbol in self._known:
            return None
        hint = did_you_mean(symbol, self.symbols) if isinstance(symbol, str) else ""
        return f"the input {symbol!r}, which the model does not know{hint}"
