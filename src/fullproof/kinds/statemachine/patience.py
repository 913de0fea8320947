"""What a state machine with timers says of tests in real time: how late their steps may be, and what is right."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from fullproof.analysis.delays import delays, next_expiry, passed
from fullproof.analysis.run_to_completion import Clocks, Configuration, RunToCompletion
from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import Test, TestInput
from fullproof.artefacts.verdict import Verdict
from fullproof.language.values import coerce
from fullproof.model import StateMachine
from fullproof.model.inputs import Advance, SignalEvent

if TYPE_CHECKING:
    from fullproof.judge.oracle import Oracle

_RESET = -1
"""The step from which timers run that start at the beginning."""


class _Moment(NamedTuple):
    """A configuration, and the seconds since a timer last expired, if one has.

    Of each timer that runs the step from which its start follows, so that it expires as much later as that step is
    late; None where that may be one of several.
    """

    here: Configuration
    since: Fraction | None
    steps: tuple[int | None, ...]


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
        """How late steps may be so that inputs and expiries come in the order of the plan all the same, in seconds.

        The least distance of an input, or of the end of a delay, from an expiry of the model; and between two expiries
        that follow from different steps, as one of these may be late and the other one not.
        """
        room: Fraction | None = None
        start = self._runs().start
        moments = {_Moment(start, None, tuple(_RESET for _ in start.clocks))}
        for number, symbol in enumerate(test.inputs):
            gaps: list[Fraction] = []
            if isinstance(symbol, Advance):
                moments = {after for moment in moments for after in self._waited(moment, symbol.seconds, gaps)}
            for moment in moments:
                gaps += [one for one in (next_expiry(moment.here), moment.since) if one is not None]
            room = min((one for one in (room, *gaps) if one is not None), default=None)
            if not isinstance(symbol, Advance):
                moments = {after for moment in moments for after in self._stepped(moment, number, symbol)}
        return math.inf if room is None else float(room)

    def wrong_step(self, execution: Execution, /) -> int | None:
        """The number of the first step whose answer the model does not allow; None where it allows all."""
        if self._oracle is None:
            from fullproof.judge.oracle import Oracle
            from fullproof.judge.statemachine import StateMachineSemantics

            self._oracle = Oracle(StateMachineSemantics(self._model), self._relation)
        judgement = self._oracle.judge(execution)
        return (judgement.step or 0) if judgement.verdict is Verdict.FAIL else None

    def _runs(self) -> RunToCompletion:
        if self._machine is None:
            self._machine = RunToCompletion(self._model)
        return self._machine

    def _stepped(self, moment: _Moment, number: int, symbol: TestInput) -> Iterator[_Moment]:
        event = symbol if isinstance(symbol, SignalEvent) else self._model.interface.decode(symbol)
        assert isinstance(event, SignalEvent)
        types = {variable.name: variable.type for variable in self._model.inputs}
        values = {name: coerce(value, types[name]) for name, value in event.inputs}
        for run in self._runs().runs(moment.here, event.signal, values):
            steps = self._started(moment.here.clocks, run.end.clocks, moment.steps, number)
            yield _Moment(run.end, moment.since, steps)

    def _waited(self, moment: _Moment, seconds: Fraction, gaps: list[Fraction]) -> Iterator[_Moment]:
        """The moments after a delay. Adds to the gaps those between expiries that may come in another order."""
        waiting = [(moment, seconds)]
        while waiting:
            now, rest = waiting.pop()
            soon = next_expiry(now.here)
            if soon is None or soon > rest:
                yield _Moment(passed(now.here, rest), None if now.since is None else now.since + rest, now.steps)
                continue
            due = {step for left, step in zip(now.here.clocks, now.steps, strict=True) if left == soon}
            step = due.pop() if len(due) == 1 else None
            for left, other in zip(now.here.clocks, now.steps, strict=True):
                if left is not None and left > soon and (step is None or other != step):
                    gaps.append(left - soon)
            before = passed(now.here, soon).clocks
            for run in delays(self._runs(), now.here, soon):
                steps = self._started(before, run.end.clocks, now.steps, step)
                waiting.append((_Moment(run.end, Fraction(0), steps), rest - soon))

    def _started(
        self, before: Clocks, after: Clocks, steps: tuple[int | None, ...], step: int | None
    ) -> tuple[int | None, ...]:
        """The steps from which timers run after something that follows from a step.

        One that has its whole time before and after may have started once more, or not.
        """
        whole = [timer.duration for timer in self._model.timers]
        return tuple(
            old if now != all_of_it else step if earlier != all_of_it or step == old else None
            for earlier, now, all_of_it, old in zip(before, after, whole, steps, strict=True)
        )
