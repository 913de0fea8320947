"""Machines with timers that several tests and benchmarks use, in seconds times a factor."""

from __future__ import annotations

from fractions import Fraction

from fullproof.model.timed import TimedMachine, TimedMove, Timer

_NONE: frozenset[int] = frozenset()


def lamp(factor: Fraction = Fraction(1)) -> TimedMachine:
    """A light that goes out after 5 s, which its button starts anew."""
    lit = frozenset({0})
    return TimedMachine(
        locations=("dark", "lit"),
        inputs=("press",),
        timers=(Timer("out", 5 * factor),),
        initial=0,
        running=(_NONE, lit),
        moves={(0, 0): TimedMove(1, ("on",), lit), (1, 0): TimedMove(1, (), lit)},
        timeouts={(1, 0): TimedMove(0, ("off",))},
    )


def sensor(factor: Fraction = Fraction(1)) -> TimedMachine:
    """A node that measures two things at two rates until it is done, and checks itself on demand.

    The same as a model of LearnLib's test resources, written anew.
    """
    measuring, checking = frozenset({0, 1, 2}), frozenset({3})
    times = ((3, True), (6, True), (40, False), (4, False))
    moves = {(place, symbol): TimedMove(place) for place in range(4) for symbol in range(4)}
    moves[0, 0] = TimedMove(1, ("go",), measuring)
    moves[0, 1] = TimedMove(2, ("go",), checking)
    moves[1, 2] = TimedMove(1, ("ok",), measuring)
    moves[2, 2] = TimedMove(3)
    moves[3, 3] = TimedMove(0)
    return TimedMachine(
        locations=("idle", "measuring", "checking", "full"),
        inputs=("p1", "p2", "abort", "collect"),
        timers=tuple(Timer("abcd"[k], time * factor, periodic=again) for k, (time, again) in enumerate(times)),
        initial=0,
        running=(_NONE, measuring, checking, _NONE),
        moves=moves,
        timeouts={
            (1, 0): TimedMove(1, ("part",), frozenset({0})),
            (1, 1): TimedMove(1, ("noise",), frozenset({1})),
            (1, 2): TimedMove(3, ("done",)),
            (2, 3): TimedMove(3, ("done",)),
        },
    )
