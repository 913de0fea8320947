"""Between which times of a timer everything comes in the same order: compared with what a model answers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.execute.timed_lamp import test_of

from fullproof.analysis.delays import delays
from fullproof.analysis.run_to_completion import RunToCompletion
from fullproof.artefacts.suite import Test
from fullproof.formats import read_model_text
from fullproof.kinds.statemachine.timer_orders import TimerOrders
from fullproof.model import StateMachine
from fullproof.model.inputs import Advance, SignalEvent

CHAIN = """
machine: statemachine
name: chain
signals: {in: [go, more], out: [a, b, c, tick]}
initial: idle
states:
  idle: [{trigger: go, to: one}]
  one: [{after: 2 s, send: a, to: two}]
  two: [{after: 3 s, send: b, to: three}, {trigger: more, to: one}]
  three: [{after: 1 s, send: c, to: idle}, {trigger: more, to: two}]
"""
TICKS = CHAIN.replace("  one: [", "  one: [{every: 700 ms, kind: internal, send: tick}, ")
TESTS = (
    test_of("go", 1, "more", 6, "more", 1, 7),
    test_of("go", 4, "more", Fraction(5, 2), "more", Fraction(9, 2), 3),
)


def model_of(text: str) -> StateMachine:
    model = read_model_text(text, Path("chain.yaml"))
    assert isinstance(model, StateMachine)
    return model


def answers(model: StateMachine, test: Test) -> frozenset[object]:
    """All that may be seen."""
    machine = RunToCompletion(model)
    heres: set[tuple[object, ...]] = {(machine.start,)}
    for symbol in test.inputs:
        after = set()
        for here, *seen in heres:
            if isinstance(symbol, Advance):
                runs = delays(machine, here, symbol.seconds)
            else:
                assert isinstance(symbol, SignalEvent)
                runs = machine.runs(here, symbol.signal, {})
            after |= {(run.end, *seen, (run.sent, run.end.state)) for run in runs}
        heres = after
    return frozenset(one[1:] for one in heres)


@pytest.mark.parametrize(("text", "number"), [(CHAIN, 0), (CHAIN, 1), (CHAIN, 2), (TICKS, 0), (TICKS, 1), (TICKS, 2)])
def test_answers_change_only_at_the_ends_of_cells(text: str, number: int) -> None:
    model = model_of(text)

    def changed(time: Fraction) -> StateMachine:
        timers = list(model.timers)
        timers[number] = replace(timers[number], duration=time)
        return replace(model, timers=tuple(timers))

    times = [Fraction(k, 37) for k in range(10, 37 * 9, 3)]
    found = [(time, changed(time)) for time in times]
    cells = [TimerOrders(machine, number).around([test.inputs for test in TESTS]) for _, machine in found]
    seen = [[answers(machine, test) for test in TESTS] for _, machine in found]
    assert sum(cell is None for cell in cells) < 5
    for cell, one in zip(cells, seen, strict=True):
        assert cell is None or all(other == one for t, other in zip(times, seen, strict=True) if cell.holds(t))


def test_an_end_is_where_two_events_meet() -> None:
    model = model_of(CHAIN)
    (cell,) = {TimerOrders(model, 0).around([test_of("go", 7).inputs])}
    assert cell is not None
    assert (cell.below, cell.above) == (0, 3)  # the last one of three expires after d + 3 s + 1 s, before the end
