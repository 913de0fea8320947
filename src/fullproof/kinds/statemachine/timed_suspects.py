"""Wrong timers that may explain why a run failed: which times explain what was seen, as intervals.

A timer with another time answers a test differently only where an expiry has another place among the instants of the
test. So finitely many times part those that answer alike; one time between any two of them stands for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice, pairwise

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import Relation
from fullproof.kinds.suspects import FaultSuspect, SuspectFaults
from fullproof.language.durations import duration_to_text
from fullproof.model import Model, StateMachine
from fullproof.model.inputs import Advance
from fullproof.mutate.statemachine_timers import START, timer_faults

_EXECUTIONS = 200
"""How many executions, the failing ones first, say between which times there may be a difference."""
_TIMES = 500
"""How many different times are tried for one timer; where there are more, no interval is looked for."""
_AGAIN = 8
"""How often a periodic timer may expire between two instants that matter."""


@dataclass(frozen=True, slots=True)
class _Interval:
    """Times of a timer that explain what was seen; ``above`` is None where there is no upper bound."""

    below: Fraction
    above: Fraction | None
    middle: Fraction

    def text(self) -> str:
        if self.above is None:
            return f"after more than {duration_to_text(self.below)}, or never"
        if not self.below:
            return f"before {duration_to_text(self.above)}"
        return f"between {duration_to_text(self.below)} and {duration_to_text(self.above)}"

    def holds(self, time: Fraction) -> bool:
        return self.below < time and (self.above is None or time < self.above)


def timed_suspects(model: StateMachine, asked: SuspectFaults) -> Iterator[FaultSuspect]:
    """Each timer with another time, as intervals; then the starts that may be lost or added."""
    for number in range(len(model.timers)):
        for interval in _intervals(model, number, asked):
            yield _of_interval(model, number, interval, asked)
    shortest = min(timer.duration for timer in model.timers)
    for fault in timer_faults(model, tolerance=shortest / 5).each(model):
        if fault.operator == START:
            mutant = fault.make()
            if mutant is not None:
                yield asked.changed(fault.where, mutant, fault.replaced or ("", fault.where), Relation.EQUIVALENCE)


def _of_interval(model: StateMachine, number: int, interval: _Interval, asked: SuspectFaults) -> FaultSuspect:
    timer = model.timers[number]
    should = duration_to_text(timer.duration)
    text = f"a wrong timer ({timer.name} expires {interval.text()}, should be {should})"
    near = [other.duration for other in model.timers if interval.holds(other.duration)]
    time = near[0] if near else interval.middle
    make = partial(_seen, model, number, time, asked)
    return FaultSuspect(
        text, partial(_explains, model, number, interval, asked), make, (should, duration_to_text(time))
    )


def _intervals(model: StateMachine, number: int, asked: SuspectFaults) -> Iterator[_Interval]:
    """The times that explain the executions, joined where they lie beside each other."""
    traces = _different(asked.seen())
    found: _Interval | None = None
    for cell in _cells(model, number, traces, _Interval(Fraction(0), None, Fraction(1))):
        if not _allowed(model, number, cell.middle, asked, traces):
            if found is not None:
                yield found
            found = None
        elif found is None:
            found = cell
        else:
            above = cell.above
            middle = found.below + 1 if above is None else (found.below + above) / 2
            inside = middle if _allowed(model, number, middle, asked, traces) else cell.middle
            found = _Interval(found.below, above, inside)
    if found is not None:
        yield found


def _different(traces: Iterable[Execution]) -> list[Execution]:
    """Executions that differ in what was asked or answered, as many as are looked at."""
    known = {(trace.test.inputs, repr(tuple(trace.steps))): trace for trace in islice(traces, 10 * _EXECUTIONS)}
    return list(known.values())[:_EXECUTIONS]


def _cells(model: StateMachine, number: int, traces: Sequence[Execution], within: _Interval) -> Iterator[_Interval]:
    """The intervals between times at which the answers to some tests may change; none where there are too many."""
    periodic = model.timers[number].periodic
    others = {Fraction(0), *(t.duration for k, t in enumerate(model.timers) if k != number)}
    times = {
        (gap - other) / again
        for gap in {gap for trace in traces for gap in _gaps(trace)}
        for other in others
        for again in (range(1, _AGAIN + 1) if periodic else (1,))
    }
    inside = sorted(time for time in times if time > 0 and within.holds(time))
    if len(inside) > _TIMES:
        return
    bounds = [within.below, *inside]
    for below, above in pairwise(bounds):
        yield _Interval(below, above, (below + above) / 2)
    last = bounds[-1]
    if within.above is None:
        yield _Interval(last, None, last + 1)
    else:
        yield _Interval(last, within.above, (last + within.above) / 2)


def _gaps(trace: Execution) -> set[Fraction]:
    """The times between any two instants of a test."""
    instants, now = [Fraction(0)], Fraction(0)
    for symbol in trace.test.inputs:
        if isinstance(symbol, Advance):
            now += symbol.seconds
            instants.append(now)
    return {later - earlier for k, earlier in enumerate(instants) for later in instants[k + 1 :]}


def _explains(
    model: StateMachine, number: int, interval: _Interval, asked: SuspectFaults, traces: Iterable[Execution]
) -> bool:
    """Whether some time of the interval allows all executions."""
    seen = _different(traces)
    return any(_allowed(model, number, cell.middle, asked, seen) for cell in _cells(model, number, seen, interval))


def _allowed(
    model: StateMachine, number: int, time: Fraction, asked: SuspectFaults, traces: Sequence[Execution]
) -> bool:
    return asked.allows(_seen(model, number, time, asked), Relation.EQUIVALENCE, traces)


def _seen(model: StateMachine, number: int, time: Fraction, asked: SuspectFaults) -> Model:
    """The model in which a timer has another time, with what is observed of it."""
    timers = list(model.timers)
    timers[number] = replace(timers[number], duration=time)
    seen: Model = asked.seen_as(replace(model, timers=tuple(timers)))
    return seen
