"""Between which times of a timer a model does everything in the same order, in some tests.

An expiry takes place at an instant c + n d, where d is the time of the timer and n says how often it is part of that
sum. So the order of two events stays as it is until their distance, which is linear in d, is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from fullproof.analysis.delays import delays, next_expiry, passed
from fullproof.analysis.run_to_completion import Clocks, Configuration, RunGoesWrong, RunToCompletion
from fullproof.language.values import coerce
from fullproof.model import StateMachine
from fullproof.model.inputs import Advance, SignalEvent, TestInput


class TimeCell(NamedTuple):
    """Times above a bound, and below another one if there is one, with one of them."""

    below: Fraction
    above: Fraction | None
    time: Fraction

    def holds(self, time: Fraction) -> bool:
        """Whether it has a time."""
        return self.below < time and (self.above is None or time < self.above)


ANY_TIME = TimeCell(Fraction(0), None, Fraction(1))
"""All times."""


class _Here(NamedTuple):
    """``counts``: of each timer that runs, how often the time is part of the instant of its expiry."""

    at: Configuration
    counts: tuple[int, ...]


class TimerOrders:
    """Of one timer of a model, by its number."""

    def __init__(self, model: StateMachine, number: int) -> None:
        self._number = number
        self._machine = RunToCompletion(model)
        self._whole = [timer.duration for timer in model.timers]
        self._types = {variable.name: variable.type for variable in model.inputs}
        self._bounds = TimeCell(Fraction(0), None, self._whole[number])

    def around(self, tests: Sequence[Sequence[TestInput]]) -> TimeCell | None:
        """The times with which the model does all in the same order; None where its own is the end of such a cell.

        None, too, where the model goes wrong.
        """
        try:
            for test in tests:
                self._follow(test)
        except RunGoesWrong:
            return None
        found = self._bounds
        return found if found.holds(found.time) else None

    def _follow(self, test: Sequence[TestInput]) -> None:
        start = self._machine.start
        places = {_Here(start, tuple(int(k == self._number) for k in range(len(start.clocks))))}
        for symbol in test:
            if isinstance(symbol, Advance):
                places = {after for here in places for after in self._waited(here, symbol.seconds)}
            else:
                places = {after for here in places for after in self._stepped(here, symbol)}

    def _stepped(self, here: _Here, symbol: TestInput) -> Iterator[_Here]:
        event = symbol if isinstance(symbol, SignalEvent) else self._machine.model.interface.decode(symbol)
        assert isinstance(event, SignalEvent)
        values = {name: coerce(value, self._types[name]) for name, value in event.inputs}
        for run in self._machine.runs(here.at, event.signal, values):
            yield _Here(run.end, self._counts(here.at.clocks, run.end.clocks, here.counts, 0))

    def _waited(self, here: _Here, seconds: Fraction) -> Iterator[_Here]:
        waiting = [(here, seconds)]
        while waiting:
            now, rest = waiting.pop()
            clocks = [(left, n) for left, n in zip(now.at.clocks, now.counts, strict=True) if left is not None]
            soon = next_expiry(now.at)
            if soon is None or soon > rest:
                for left, n in clocks:
                    self._keep(left - rest, n)
                yield _Here(passed(now.at, rest), now.counts)
                continue
            count = next(n for left, n in clocks if left == soon)
            self._keep(rest - soon, -count)
            for left, n in clocks:
                self._keep(left - soon, n - count)
            before = passed(now.at, soon).clocks
            for run in delays(self._machine, now.at, soon):
                counts = self._counts(before, run.end.clocks, now.counts, count)
                waiting.append((_Here(run.end, counts), rest - soon))

    def _counts(self, before: Clocks, after: Clocks, counts: tuple[int, ...], now: int) -> tuple[int, ...]:
        """A timer that has its whole time has just started, at an instant with ``now`` times the time in its sum."""
        both = zip(before, after, self._whole, counts, strict=True)
        return tuple(
            now + (k == self._number) if left == whole and old != whole else n
            for k, (old, left, whole, n) in enumerate(both)
        )

    def _keep(self, gap: Fraction, count: int) -> None:
        """Two events stay in order while their distance, of which so many times the time is part, is above 0."""
        below, above, time = self._bounds
        if count > 0:
            self._bounds = TimeCell(max(below, time - gap / count), above, time)
        elif count < 0:
            end = time + gap / -count
            self._bounds = TimeCell(below, end if above is None else min(above, end), time)
