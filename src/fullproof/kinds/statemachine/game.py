"""Stepping through a state machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fullproof.artefacts.suite import TestInput
from fullproof.judge.oracle import text_of
from fullproof.kinds.game import Form, GameWay, PlayedGame, field, given_values
from fullproof.kinds.statemachine.player import StateMachinePlayer
from fullproof.language.types import Value
from fullproof.model import StateMachine
from fullproof.model.inputs import SignalEvent


class StateMachineGame(PlayedGame[StateMachine]):
    """A move is an event: a signal or none, and values of input attributes that change."""

    player: StateMachinePlayer

    @property
    def values(self) -> Mapping[str, Value]:
        """The attributes."""
        return self.player.values

    def symbol(self, move: Mapping[str, Any], /) -> TestInput:
        """The input that a move stands for."""
        values = given_values(move, self.model.inputs)
        return SignalEvent.of(move["name"] or None, values)

    def shown(self, symbol: TestInput, /) -> str:
        """The signal before the values."""
        assert isinstance(symbol, SignalEvent)
        return " ".join(filter(None, [symbol.signal, text_of(symbol.values)])) or "no event"

    def choices(self) -> Iterator[Form]:
        """One form for each signal, and one for none."""
        known = self.values
        fields = [field(v, known.get(v.name)) for v in self.model.inputs]
        for signal in ("", *self.model.signals_in):
            yield {"name": signal, "fields": fields}

    def way(self, number: int, /) -> GameWay:
        """The trigger, and values that the guard admits."""
        t, model = self.model.transitions[number], self.model
        known = (*model.outputs, *model.variables)
        return GameWay(name=t.trigger or "", free=model.inputs, known=known, conditions=(t.guard,))
