"""What a state machine with timers says of tests in real time: how late their steps may be, and what is right."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from fullproof.analysis.delays import delays, next_expiry, passed
from fullproof.analysis.run_to_completion import Configuration, RunToCompletion
from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import Test, TestInput
from fullproof.artefacts.verdict import Verdict
from fullproof.language.values import coerce
from fullproof.model import StateMachine
from fullproof.model.inputs import Advance, SignalEvent

if TYPE_CHECKING:
    from fullproof.judge.oracle import Oracle

_Moment = tuple[Configuration, Fraction | None]
"""A configuration, and the seconds since a timer last expired, if one has."""


class TimedPatience:
    """Of one model; what it has computed is not pickled."""

    def __init__(self, model: StateMachine, relation: Relation) -> None:
        self._model, self._relation = model, relation
        self._machine: RunToCompletion | None = None
        self._oracle: Oracle | None = None

    def __reduce__(self) -> tuple[type[TimedPatience], tuple[StateMachine, Relation]]:
        """The model is enough."""
        return TimedPatience, (self._model, self._relation)

    @property
    def starts(self) -> bool:
        """Whether a timer runs from the beginning."""
        return next_expiry(self._runs().start) is not None

    def room(self, test: Test, /) -> float:
        """How far inputs and ends of delays are from all expiries of the model, in seconds.

        An expiry that comes before a step was caused by an earlier one, and the next one is in time after the step:
        where each step is late by less than this, all happens in the same order as if none were late.
        """
        room: Fraction | None = None
        moments: set[_Moment] = {(self._runs().start, None)}
        for symbol in test.inputs:
            if isinstance(symbol, Advance):
                moments = {after for moment in moments for after in self._waited(moment, symbol.seconds)}
            room = min((one for one in (room, *_distances(moments)) if one is not None), default=None)
            if not isinstance(symbol, Advance):
                moments = {after for moment in moments for after in self._stepped(moment, symbol)}
        return math.inf if room is None else float(room)

    def allows(self, execution: Execution, /) -> bool:
        """Whether the model allows all answers."""
        if self._oracle is None:
            from fullproof.judge.oracle import Oracle
            from fullproof.judge.statemachine import StateMachineSemantics

            self._oracle = Oracle(StateMachineSemantics(self._model), self._relation)
        return self._oracle.judge(execution).verdict is not Verdict.FAIL

    def _runs(self) -> RunToCompletion:
        if self._machine is None:
            self._machine = RunToCompletion(self._model)
        return self._machine

    def _stepped(self, moment: _Moment, symbol: TestInput) -> Iterator[_Moment]:
        here, since = moment
        event = symbol if isinstance(symbol, SignalEvent) else self._model.interface.decode(symbol)
        assert isinstance(event, SignalEvent)
        types = {variable.name: variable.type for variable in self._model.inputs}
        values = {name: coerce(value, types[name]) for name, value in event.inputs}
        for run in self._runs().runs(here, event.signal, values):
            yield run.end, since

    def _waited(self, moment: _Moment, seconds: Fraction) -> Iterator[_Moment]:
        waiting: list[tuple[Configuration, Fraction | None, Fraction]] = [(*moment, seconds)]
        while waiting:
            here, since, rest = waiting.pop()
            soon = next_expiry(here)
            if soon is None or soon > rest:
                yield passed(here, rest), None if since is None else since + rest
            else:
                waiting += [(run.end, Fraction(0), rest - soon) for run in delays(self._runs(), here, soon)]


def _distances(moments: Iterable[_Moment]) -> Iterator[Fraction]:
    for here, since in moments:
        soon = next_expiry(here)
        yield from (one for one in (soon, since) if one is not None)
