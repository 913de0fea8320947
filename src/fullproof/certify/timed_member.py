"""Executes a member of a fault domain with timers, and asks for a decision only where the run depends on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from fullproof.certify.timed_domain import NEVER, START, Choose, TimedDomain
from fullproof.certify.timed_outputs import Instant, instant, may_be_alike

Left: TypeAlias = tuple[int, ...]
"""The units until each timer expires; NEVER where it is off."""
TimedWord: TypeAlias = tuple[int, ...]
"""A test: inputs by number, and delays as the negative number of their units."""
Seen: TypeAlias = tuple[tuple[Instant, ...], str]
"""What a step shows: the outputs of each instant, and what the location shows."""


class Here(NamedTuple):
    """Where a member is.

    Where it shows something else than its location does, the number of that follows: see ``MemberRuns.place``.
    """

    location: int
    left: Left


class TimedReaction(NamedTuple):
    """What a move leads to: its location, its outputs, and of each timer that starts or goes on its new time.

    ``left`` has None for a timer that keeps what remained.
    """

    location: int
    outputs: tuple[str, ...]
    left: tuple[int | None, ...]


class Waiting(NamedTuple):
    """A delay that lasts on: the outputs so far, and apart from them those of this very instant."""

    here: Here
    rest: int
    outputs: tuple[Instant, ...] = ()
    together: Instant = ()

    @property
    def all_outputs(self) -> tuple[Instant, ...]:
        """The outputs of each instant so far at which some came."""
        return (*self.outputs, self.together) if self.together else self.outputs

    def after(self, units: int, here: Here, outputs: tuple[str, ...]) -> Waiting:
        """So much later, when a timer emits outputs."""
        if units:
            return Waiting(here, self.rest - units, self.all_outputs, instant([outputs]))
        return Waiting(here, self.rest, self.outputs, instant((*self.together, outputs)))


class MemberRuns:
    """Runs of members of one domain."""

    def __init__(self, domain: TimedDomain) -> None:
        machine = domain.machine
        self.domain = domain
        self.timers = range(len(machine.timers))
        self.inputs = len(machine.inputs)
        self._known = len(machine.locations)
        self._locations = domain.locations
        self._moves = dict(machine.moves)
        self._moves |= {(place, self.inputs + timer): move for (place, timer), move in machine.timeouts.items()}
        self._periodic = [timer.periodic for timer in machine.timers]

    def begin(self, choose: Choose) -> Here:
        """The initial location, whose timers start unless that is lost."""
        initial = self.domain.machine.initial
        left = [NEVER] * len(self.timers)
        for timer in self.domain.machine.running[initial]:
            if not self._otherwise(START, START, timer, choose):
                left[timer] = self._duration(timer, choose)
        return Here(initial, tuple(left))

    def place(self, location: int) -> int:
        """The location alone: the numbers behind those of locations are of locations that show ``looks[0]``, etc."""
        return location if location == START else location % self._locations

    def look(self, location: int) -> int:
        """What is shown instead: k > 0 is ``looks[k - 1]``."""
        return location // self._locations

    def shown(self, location: int, choose: Choose) -> str:
        """What a location shows."""
        if look := self.look(location):
            return self.domain.looks[look - 1]
        shown = self.domain.machine.shown
        return shown[self._base(self.place(location), choose)] if shown else ""

    def moved(self, location: int, symbol: int, choose: Choose) -> TimedReaction:
        """What an input, or behind the inputs the expiry of a timer, does in a location."""
        domain, machine, place = self.domain, self.domain.machine, self.place(location)
        own = self._moves.get((place, symbol))
        target = own.target if own is not None else 0
        decision = domain.target_of.get((place, symbol))
        if decision is not None:
            target = domain.decisions[decision].values[choose(decision)]  # type: ignore[assignment]
        here = machine.running[self._base(place, choose)]
        there = machine.running[self._base(target, choose)]
        starts = own.starts if own is not None else frozenset()
        expired = symbol - self.inputs
        again = expired if expired >= 0 and self._periodic[expired] else None
        left: list[int | None] = [NEVER] * len(self.timers)
        for timer in there:
            begins = timer in starts or timer not in here or timer == again
            if begins != self._otherwise(place, symbol, timer, choose):
                left[timer] = self._duration(timer, choose)
            else:
                left[timer] = NEVER if timer == expired else None
        after = target + self._look(place, symbol, choose) * self._locations
        return TimedReaction(after, self.outputs(place, symbol, choose), tuple(left))

    def outputs(self, location: int, symbol: int, choose: Choose) -> tuple[str, ...]:
        """What an input or an expiry emits in a location."""
        place = self.place(location)
        decision = self.domain.outputs_of.get((place, symbol))
        if decision is not None:
            return self.domain.decisions[decision].values[choose(decision)]  # type: ignore[return-value]
        return self._moves[place, symbol].outputs

    def after_input(self, here: Here, symbol: int, choose: Choose) -> tuple[Here, Seen]:
        """Where an input leads, and what is seen."""
        moved = self.moved(here.location, symbol, choose)
        there = Here(moved.location, kept(moved, here.left))
        outputs = ((moved.outputs,),) if moved.outputs else ()
        return there, (outputs, self.shown(there.location, choose))

    def after_delay(self, here: Here, units: int, choose: Choose) -> tuple[Here, Seen]:
        """Where a delay leads, and what is seen; what expires at its end belongs to it.

        Timers that expire at the same instant do so in the order of their numbers; that of their outputs is open.
        """
        waiting: Waiting | None = Waiting(here, units)
        while waiting is not None:
            now = waiting
            waiting = self.next_expiry(now, choose)
        there = Here(now.here.location, later(now.here.left, now.rest))
        return there, (now.all_outputs, self.shown(there.location, choose))

    def next_expiry(self, now: Waiting, choose: Choose) -> Waiting | None:
        """After the next timer has expired; None where none does before the end."""
        place, left = now.here
        soon = soonest(left)
        if soon == NEVER or soon > now.rest:
            return None
        timer = left.index(soon)
        moved = self.moved(place, self.inputs + timer, choose)
        return now.after(soon, Here(moved.location, kept(moved, later(left, soon))), moved.outputs)

    def step(self, here: Here, symbol: int, choose: Choose) -> tuple[Here, Seen]:
        """An input or a delay."""
        return self.after_input(here, symbol, choose) if symbol >= 0 else self.after_delay(here, -symbol, choose)

    def seen(self, word: TimedWord, choose: Choose) -> list[Seen]:
        """What a test shows."""
        here, found = self.begin(choose), []
        for symbol in word:
            here, one = self.step(here, symbol, choose)
            found.append(one)
        return found

    def _base(self, place: int, choose: Choose) -> int:
        """The location of the model whose timers and looks a location has."""
        return place if place < self._known else choose(self.domain.like[place])

    def _look(self, place: int, symbol: int, choose: Choose) -> int:
        decision = self.domain.look_of.get((place, symbol))
        return 0 if decision is None else self.domain.decisions[decision].values[choose(decision)]  # type: ignore[return-value]

    def _otherwise(self, place: int, symbol: int, timer: int, choose: Choose) -> bool:
        decision = self.domain.start_of.get((place, symbol, timer))
        return decision is not None and bool(choose(decision))

    def _duration(self, timer: int, choose: Choose) -> int:
        decision = self.domain.duration_of.get(timer)
        if decision is None:
            return self.domain.durations[timer]
        return self.domain.decisions[decision].values[choose(decision)]  # type: ignore[return-value]


def own_choice(_decision: int) -> int:
    """The model's."""
    return 0


def choices_of(member: Mapping[int, int]) -> Choose:
    """The choices of a member, of which those that are the model's may be missing."""
    return lambda decision: member.get(decision, 0)


def look_alike(one: Seen, other: Seen) -> bool:
    """Whether two steps may show the same, as the outputs of one instant come in any order."""
    return one == other or (one[1] == other[1] and may_be_alike(one[0], other[0]))


def soonest(left: Left) -> int:
    """The units until a timer expires; NEVER where none runs."""
    return min((time for time in left if time != NEVER), default=NEVER)


def later(left: Left, units: int) -> Left:
    """The times after some units. Needs: none of them is shorter."""
    return tuple([time - units if time != NEVER else NEVER for time in left])


def kept(moved: TimedReaction, left: Left) -> Left:
    """The times after a move."""
    return tuple([now if new is None else new for new, now in zip(moved.left, left, strict=True)])
