"""What timers do that expire at one instant, and whether their order matters: a race, of which tests say nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

from fullproof.certify.timed_domain import Choose
from fullproof.certify.timed_member import Here, MemberRuns, TimedWord, Waiting, own_choice, soonest
from fullproof.certify.timed_outputs import Instant, Outputs, instant


class Expired(NamedTuple):
    """Where the expiries of an instant lead, what they emit, and of each timer that they change its new time."""

    location: int
    outputs: Instant
    left: tuple[int | None, ...]


def expired(runs: MemberRuns, place: int, order: Sequence[int], choose: Choose) -> Expired:
    """Timers expire one after the other at one instant.

    A timer that an earlier one stops or restarts does not expire.
    """
    left: list[int | None] = [None for _ in runs.timers]
    outputs: list[Outputs] = []
    for timer in order:
        if left[timer] is not None:
            continue
        moved = runs.moved(place, runs.inputs + timer, choose)
        outputs.append(moved.outputs)
        place = moved.location
        left = [old if new is None else new for old, new in zip(left, moved.left, strict=True)]
    return Expired(place, instant(outputs), tuple(left))


def settled(runs: MemberRuns, place: int, timers: Sequence[int]) -> Expired | None:
    """What expiries of the model at one instant do; None where their order matters."""
    ways = {expired(runs, place, order, own_choice) for order in permutations(timers)}
    return ways.pop() if len(ways) == 1 else None


def before_races(runs: MemberRuns, word: TimedWord) -> TimedWord:
    """The steps of a test before the one in which timers of the model race.

    From there on a tester allows what any of their orders leads to.
    """
    here = runs.begin(own_choice)
    for k, symbol in enumerate(word):
        if symbol < 0 and _has_race(runs, here, -symbol):
            return word[:k]
        here, _ = runs.step(here, symbol, own_choice)
    return word


def _has_race(runs: MemberRuns, here: Here, units: int) -> bool:
    waiting: Waiting | None = Waiting(here, units)
    while waiting is not None:
        place, left = waiting.here
        soon = soonest(left)
        due = [timer for timer, time in enumerate(left) if time == soon]
        if 0 <= soon <= waiting.rest and len(due) > 1 and settled(runs, place, due) is None:
            return True
        waiting = runs.next_expiry(waiting, own_choice)
    return False
