"""Wrong timers that may explain why a run failed: which times explain what was seen, as intervals.

A timer with another time answers a test differently only where an expiry has another place among the other events of
the test. So finitely many times part those that answer alike (``timer_orders``), and one of them stands for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import islice, pairwise

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import Relation
from fullproof.kinds.statemachine.timer_orders import ANY_TIME, TimeCell, TimerOrders
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
_STEPS, _FINER = 40, 16
"""How many cells an interval has at most in each direction, and how often a shorter step is tried behind its end."""


def timed_suspects(model: StateMachine, asked: SuspectFaults) -> Iterator[FaultSuspect]:
    """Each timer with another time, as intervals; then the starts that may be lost or added."""
    for number in range(len(model.timers)):
        for interval in _intervals(model, number, asked, _different(asked.seen())):
            yield _of_interval(model, number, interval, asked)
    shortest = min(timer.duration for timer in model.timers)
    for fault in timer_faults(model, tolerance=shortest / 5).each(model):
        if fault.operator == START:
            mutant = fault.make()
            if mutant is not None:
                yield asked.changed(fault.where, mutant, fault.replaced or ("", fault.where), Relation.EQUIVALENCE)


def _of_interval(model: StateMachine, number: int, interval: TimeCell, asked: SuspectFaults) -> FaultSuspect:
    timer = model.timers[number]
    should = duration_to_text(timer.duration)
    text = f"a wrong timer ({timer.name} expires {_text(interval)}, should be {should})"
    near = [other.duration for other in model.timers if interval.holds(other.duration)]
    time = near[0] if near else interval.time

    def narrowed(traces: Iterable[Execution]) -> Iterator[FaultSuspect]:
        for part in _intervals(model, number, asked, _different(traces), interval):
            yield _of_interval(model, number, part, asked)

    return FaultSuspect(
        text,
        lambda traces: any(True for _ in narrowed(traces)),
        partial(_seen, model, number, time, asked),
        (should, duration_to_text(time)),
        narrowed=narrowed,
    )


def _text(interval: TimeCell) -> str:
    if interval.above is None:
        return f"after more than {duration_to_text(interval.below)}, or never"
    if not interval.below:
        return f"before {duration_to_text(interval.above)}"
    return f"between {duration_to_text(interval.below)} and {duration_to_text(interval.above)}"


def _intervals(
    model: StateMachine, number: int, asked: SuspectFaults, traces: Sequence[Execution], within: TimeCell = ANY_TIME
) -> Iterator[TimeCell]:
    """Times that explain the executions: each interval begins where some time does, and ends where none is known to."""
    known: list[TimeCell] = []
    for time in _candidates(model, number, traces, within):
        if not any(found.holds(time) for found in known) and _allowed(model, number, time, asked, traces):
            found = _grown(model, number, asked, traces, time, within)
            if found is not None:
                known.append(found)
                yield found


def _grown(
    model: StateMachine,
    number: int,
    asked: SuspectFaults,
    traces: Sequence[Execution],
    time: Fraction,
    within: TimeCell,
) -> TimeCell | None:
    """The times around one that explain the executions, cell by cell."""
    tests = list(dict.fromkeys(trace.test.inputs for trace in traces))

    def cell(one: Fraction) -> TimeCell | None:
        return TimerOrders(_with_time(model, number, one), number).around(tests)

    def beyond(end: Fraction, step: Fraction) -> TimeCell | None:
        """The cell at the other side of an end, if its times explain the executions."""
        for _ in range(_FINER):
            one = end + step
            after = cell(one) if one > 0 else None
            if after is not None and (after.below <= end if step > 0 else after.above is None or end <= after.above):
                return after if _allowed(model, number, one, asked, traces) else None
            step /= _FINER
        return None

    found = cell(time)
    if found is None:
        return None
    below, above = found.below, found.above
    for _ in range(_STEPS):
        if above is None or (within.above is not None and above >= within.above):
            break
        after = beyond(above, (above - below) / _FINER)
        if after is None:
            break
        above = after.above
    for _ in range(_STEPS):
        if below <= within.below:
            break
        before = beyond(below, -below / _FINER)
        if before is None:
            break
        below = before.below
    ends = [end for end in (above, within.above) if end is not None]
    below, above = max(below, within.below), min(ends, default=None)
    middle = below + 1 if above is None else (below + above) / 2
    fits = cell(middle) is not None and _allowed(model, number, middle, asked, traces)
    return TimeCell(below, above, middle if fits else time)


def _different(traces: Iterable[Execution]) -> list[Execution]:
    """Executions that differ in what was asked or answered, as many as are looked at."""
    known = {(trace.test.inputs, repr(tuple(trace.steps))): trace for trace in islice(traces, 10 * _EXECUTIONS)}
    return list(known.values())[:_EXECUTIONS]


def _candidates(model: StateMachine, number: int, traces: Sequence[Execution], within: TimeCell) -> Iterator[Fraction]:
    """Times between those at which the answers to some tests may change; none where there are too many."""
    periodic = model.timers[number].periodic
    single = {Fraction(0), *(t.duration for k, t in enumerate(model.timers) if k != number)}
    gaps = {gap for trace in traces for gap in _gaps(trace)}
    for others in ({one + other for one in single for other in single}, single):
        times = {
            (gap - other) / again
            for gap in gaps
            for other in others
            for again in range(1, 1 + (_AGAIN * periodic or 1))
        }
        inside = sorted(time for time in times if time > 0 and within.holds(time))
        if len(inside) <= _TIMES:
            break
    else:
        return
    bounds = [within.below, *inside, *([] if within.above is None else [within.above])]
    yield from ((below + above) / 2 for below, above in pairwise(bounds))
    if within.above is None:
        yield bounds[-1] + 1


def _gaps(trace: Execution) -> set[Fraction]:
    """The times between any two instants of a test."""
    instants, now = [Fraction(0)], Fraction(0)
    for symbol in trace.test.inputs:
        if isinstance(symbol, Advance):
            now += symbol.seconds
            instants.append(now)
    return {later - earlier for k, earlier in enumerate(instants) for later in instants[k + 1 :]}


def _allowed(
    model: StateMachine, number: int, time: Fraction, asked: SuspectFaults, traces: Sequence[Execution]
) -> bool:
    return asked.allows(_seen(model, number, time, asked), Relation.EQUIVALENCE, traces)


def _seen(model: StateMachine, number: int, time: Fraction, asked: SuspectFaults) -> Model:
    """The model in which a timer has another time, with what is observed of it."""
    seen: Model = asked.seen_as(_with_time(model, number, time))
    return seen


def _with_time(model: StateMachine, number: int, time: Fraction) -> StateMachine:
    timers = list(model.timers)
    timers[number] = replace(timers[number], duration=time)
    return replace(model, timers=tuple(timers))
