"""Stepping through a state machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.judge.oracle import text_of
from fullproof.kinds.game import Form, GameWay, PlayedGame, field, given_values, read_value
from fullproof.kinds.statemachine.player import StateMachinePlayer
from fullproof.language.formulas import has_values
from fullproof.language.syntax import Boolean
from fullproof.language.types import RealType, Value, Variable
from fullproof.model import StateMachine
from fullproof.model.inputs import ADVANCE, Advance, SignalEvent

DELAY, OTHER_DELAY = "advance", "time passes"
"""The name of a delay, and the one where a signal of the model has that name."""
SECONDS = Variable(name="seconds", type=RealType())


class StateMachineGame(PlayedGame[StateMachine]):
    """A move is an event, a signal or none, and values of input attributes that change; or a delay."""

    player: StateMachinePlayer

    @property
    def values(self) -> Mapping[str, Value]:
        """The attributes."""
        return self.player.values

    @property
    def clock(self) -> str:
        """The time since the beginning, and the timers that run."""
        return self.player.clock() if self.player.has_clock else ""

    @property
    def taken(self) -> tuple[int, ...]:
        """The run to completion."""
        return self.player.taken

    @property
    def _delay(self) -> str:
        return OTHER_DELAY if DELAY in self.model.signals_in else DELAY

    def symbol(self, move: Mapping[str, Any], /) -> TestInput:
        """The input that a move stands for."""
        if self.model.timers and (move["name"] == self._delay or ADVANCE in move["values"]):
            return Advance(_seconds(given_values(move, (SECONDS,)) or _delay_of(move)))
        values = given_values(move, self.model.inputs)
        return SignalEvent.of(move["name"] or None, values)

    def shown(self, symbol: TestInput, /) -> str:
        """The signal before the values."""
        if not isinstance(symbol, SignalEvent):
            return text_of(symbol)
        return " ".join(filter(None, [symbol.signal, text_of(symbol.values)])) or "no event"

    def choices(self) -> Iterator[Form]:
        """One form for each signal, and one for none."""
        known = self.values
        fields = [field(v, known.get(v.name)) for v in self.model.inputs]
        for signal in ("", *self.model.signals_in):
            yield {"name": signal, "fields": fields}
        if self.model.timers:
            yield {"name": self._delay, "fields": [field(SECONDS, self.player.next_expiry)]}

    def way(self, number: int, /) -> GameWay:
        """The trigger, and values that the guard admits. Of a timer, the time until it expires."""
        t, model = self.model.transitions[number], self.model
        known = (*model.outputs, *model.variables)
        if t.trigger is not None and t.trigger not in model.signals_in:
            left = self.player.remaining(t.trigger)
            if left is None:
                return GameWay(name=self._delay, free=(SECONDS,), conditions=(Boolean(False),))
            known = (*model.inputs, *known)
            exactly = has_values([("seconds", left)])
            return GameWay(name=self._delay, free=(SECONDS,), known=known, conditions=(exactly,))
        return GameWay(name=t.trigger or "", free=model.inputs, known=known, conditions=(t.guard,))


def _delay_of(move: Mapping[str, Any]) -> dict[str, Value]:
    """The delay of an input as suites write it: ``{"advance": 2.5}``."""
    given = move["values"].get(ADVANCE, "")
    return {} if given == "" else {SECONDS.name: read_value(given, SECONDS)}


def _seconds(values: Mapping[str, Value]) -> Fraction:
    seconds = values.get(SECONDS.name)
    if not isinstance(seconds, Fraction) or seconds < 0:
        raise UserError("how many seconds pass?")
    return seconds
