"""What a timed machine does: exact runs of inputs and delays."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fullproof.model.timed import TimedMachine, TimedMove

Clocks = tuple[Fraction | None, ...]
"""For each timer the time until it expires; None where it is off."""


@dataclass(frozen=True, slots=True)
class TimedState:
    """A configuration: where a machine is, and how long its timers still run."""

    location: int
    clocks: Clocks


@dataclass(frozen=True, slots=True)
class Expiry:
    """A timer has expired at an instant, counted from the beginning of the delay."""

    instant: Fraction
    timer: int
    outputs: tuple[str, ...]


def initial_state(machine: TimedMachine) -> TimedState:
    """The initial location, whose timers have just started."""
    off: Clocks = (None,) * len(machine.timers)
    start = TimedMove(target=machine.initial, starts=machine.running[machine.initial])
    return after_move(machine, TimedState(machine.initial, off), start)


def after_move(machine: TimedMachine, state: TimedState, move: TimedMove) -> TimedState:
    """The configuration after a move; a timer that has expired is off already."""
    there = machine.running[move.target]
    clocks = tuple(
        timer.duration if k in move.starts else left if k in there else None
        for k, (timer, left) in enumerate(zip(machine.timers, state.clocks, strict=True))
    )
    return TimedState(move.target, clocks)


def after_input(machine: TimedMachine, state: TimedState, symbol: int) -> tuple[TimedState, tuple[str, ...]]:
    """The configuration after an input, and its answer."""
    move = machine.moves[state.location, symbol]
    return after_move(machine, state, move), move.outputs


def next_expiry(state: TimedState) -> Fraction | None:
    """How long it takes until a timer expires; None where none runs."""
    return min((left for left in state.clocks if left is not None), default=None)


def after_expiry(machine: TimedMachine, state: TimedState) -> tuple[TimedState, int, tuple[str, ...]]:
    """The configuration after the next timer has expired, that timer, and its outputs. Needs: a timer that runs."""
    passed = next_expiry(state)
    assert passed is not None
    first = state.clocks.index(passed)
    clocks = [None if left is None else left - passed for left in state.clocks]
    clocks[first] = None
    move = machine.timeouts[state.location, first]
    return after_move(machine, TimedState(state.location, tuple(clocks)), move), first, move.outputs


def after_delay(machine: TimedMachine, state: TimedState, delay: Fraction) -> tuple[TimedState, tuple[Expiry, ...]]:
    """The configuration after a delay, and what has expired, also at its very end."""
    passed, found = Fraction(0), list[Expiry]()
    while (soon := next_expiry(state)) is not None and passed + soon <= delay:
        passed += soon
        state, timer, outputs = after_expiry(machine, state)
        found.append(Expiry(passed, timer, outputs))
    rest = delay - passed
    clocks = tuple(None if left is None else left - rest for left in state.clocks)
    return TimedState(state.location, clocks), tuple(found)
