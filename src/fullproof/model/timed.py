"""Finite machines with timers: what an input or a timeout does, and which timers start with it.

A configuration is a location and the remaining time of each timer that runs. Time passes until an input is given; a
timer whose time is over expires, which takes its timeout in the location. It is deterministic, as inputs and timeouts
are, and complete: each location has a move for each input and a timeout for each timer that may run there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from fullproof.core.errors import UserError
from fullproof.model.common import require_distinct


@dataclass(frozen=True, slots=True)
class Timer:
    """It expires when its duration, in seconds, has passed since it was started. A periodic one starts again then."""

    name: str
    duration: Fraction
    periodic: bool = False


class TimedMove(NamedTuple):
    """Go to a location, emit outputs in order, perhaps none, and start timers, each with its whole duration."""

    target: int
    outputs: tuple[str, ...] = ()
    starts: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedMachine:
    """Locations, inputs and timers are numbered; ``running`` has the timers of each location.

    Initially, the timers of the initial location start. After a move, a timer of the target that is in ``starts`` has
    its whole duration; another one has what remained, or is off if it was off; a timer that the target does not have is
    off. ``starts`` has every timer that the target has and the source does not; a timer that expires has no time left,
    so it is off unless it is in ``starts``, where a periodic one that the target has must be. Timers that expire at the
    same instant do so in the order of their numbers, and before an input of that instant.

    After an input or a delay one sees the outputs that came meanwhile, in order, and what the location shows.
    """

    locations: tuple[str, ...]
    inputs: tuple[str, ...]
    timers: tuple[Timer, ...]
    initial: int
    running: tuple[frozenset[int], ...]
    moves: Mapping[tuple[int, int], TimedMove]
    """By location and input."""
    timeouts: Mapping[tuple[int, int], TimedMove]
    """By location and timer."""
    shown: tuple[str, ...] = ()
    """What is seen of each location where a machine is after a step; nothing where this is empty."""

    def __post_init__(self) -> None:
        require_distinct(self.locations, what="location")
        require_distinct(self.inputs, what="input")
        require_distinct([timer.name for timer in self.timers], what="timer")
        for timer in self.timers:
            if timer.duration <= 0:
                raise UserError(f"timer {timer.name}: its duration must be positive, and is {timer.duration}")
        if len(self.running) != len(self.locations) or not 0 <= self.initial < len(self.locations):
            raise UserError("each location, and the initial one among them, has its timers")
        if self.shown and len(self.shown) != len(self.locations):
            raise UserError("what is shown is said of each location, or of none")
        self._require_keys(self.moves, product(range(len(self.locations)), range(len(self.inputs))), "move")
        pairs = ((place, one) for place, timers in enumerate(self.running) for one in timers)
        self._require_keys(self.timeouts, pairs, "timeout")
        for (place, _), move in self.moves.items():
            self._require_starts(place, move)
        for (place, expired), move in self.timeouts.items():
            self._require_starts(place, move)
            again = self.timers[expired].periodic and expired in self.running[move.target]
            if again and expired not in move.starts:
                raise UserError(f"location {self.locations[place]}: {self.timers[expired].name} must start again")

    @staticmethod
    def _require_keys(
        given: Mapping[tuple[int, int], TimedMove], expected: Iterable[tuple[int, int]], what: str
    ) -> None:
        wanted = set(expected)
        if set(given) != wanted:
            pair = sorted(wanted ^ set(given))[0]
            raise UserError(f"{'a' if pair in wanted else 'no'} {what} is expected for {pair}")

    def _require_starts(self, place: int, move: TimedMove) -> None:
        where = f"a move from location {self.locations[place]}"
        if not 0 <= move.target < len(self.locations):
            raise UserError(f"{where} has no target")
        there = self.running[move.target]
        if not there - self.running[place] <= move.starts <= there:
            raise UserError(f"{where} must start the timers that its target alone has, and may start no others")
