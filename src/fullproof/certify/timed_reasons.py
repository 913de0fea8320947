"""Why a member of a fault domain with timers fails a test, as clauses over its decisions.

After each beginning of a test, the location and the time of each timer have literals of their own, made when a run
comes there. A clause says what follows from where the member is and from the decisions that one input or one expiry
depends on; so it holds for all members that come there by any way, whatever their other timers do. A timer whose expiry
comes later matters only by a literal that it is not sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from fullproof.certify.timed_domain import NEVER, START, Choose, TimedDomain
from fullproof.certify.timed_member import Here, MemberRuns, Seen, TimedReaction, TimedWord, Waiting, later, soonest
from fullproof.certify.timed_outputs import flat, may_be_alike, may_begin
from fullproof.certify.unknown_machine import Position
from fullproof.smt.sat import SatSolver

T = TypeVar("T")
TimedChoices: TypeAlias = Mapping[int, int]
"""A member: the number of the value of each decision that is not the model's."""
_Spot: TypeAlias = tuple[object, ...]
"""After a beginning of a test, perhaps within the delay that follows it."""


class FailureReasons:
    """Clauses for one domain. ``values`` has the literals of the values of each decision."""

    def __init__(self, runs: MemberRuns, values: Sequence[Position], solver: SatSolver) -> None:
        self._runs, self._values, self._solver = runs, values, solver
        self._domain: TimedDomain = runs.domain
        self._literal: dict[tuple[object, ...], int] = {}
        self._said: set[tuple[int, ...]] = set()
        self._member: TimedChoices = {}
        self._asked: dict[int, int] = {}

    def explain(self, member: TimedChoices, word: TimedWord, expected: Seen, switch: int) -> None:
        """Say why a member fails in the last step of a word, whose answer should be another one, while it is on."""
        self._member = member
        here = self._begin()
        spot: _Spot = ((),)
        for k, symbol in enumerate(word):
            wanted = (expected, -switch) if k + 1 == len(word) else None
            spot_after: _Spot = (word[: k + 1],)
            step = self._input if symbol >= 0 else self._delay
            after = step(here, spot, spot_after, symbol, wanted)
            if after is None:
                return
            here, spot = after, spot_after

    def _begin(self) -> Here:
        here = self._with_reasons(self._runs.begin)
        self._clause([], self._place(((),), here.location))
        self._shows([], ((),), here.location)
        running = self._domain.machine.running[here.location]
        for timer in self._runs.timers:
            reasons = self._of_start(START, START, timer) if timer in running else []
            self._clause(reasons, self._time(((),), timer, here.left[timer]))
        return here

    def _input(
        self, here: Here, spot: _Spot, spot_after: _Spot, symbol: int, wanted: tuple[Seen, int] | None
    ) -> Here | None:
        at = self._place(spot, here.location)
        if wanted is not None:
            outputs = self._with_reasons(lambda choose: self._runs.outputs(here.location, symbol, choose))
            if outputs != flat(wanted[0][0]):
                self._clause([at, *self._consulted()], wanted[1])
                return None
        moved = self._moved(here, symbol)
        if wanted is not None:
            target = self._of_target(here.location, symbol, moved)
            self._clause([at, *target, *self._of_look(here.location, symbol)], wanted[1])
            return None
        return self._follow(here, (spot, spot_after), symbol, moved, [at])

    def _delay(
        self, here: Here, spot: _Spot, spot_after: _Spot, symbol: int, wanted: tuple[Seen, int] | None
    ) -> Here | None:
        now = Waiting(here, -symbol)
        while (soon := soonest(now.here.left)) != NEVER and soon <= now.rest:
            timer = now.here.left.index(soon)
            event = self._runs.inputs + timer
            reasons = [self._place(spot, now.here.location), self._time(spot, timer, soon)]
            reasons += [self._not_before(spot, now.here, k, soon + (k < timer)) for k in self._others(timer)]
            moved = self._moved(now.here, event)
            after = now.after(soon, Here(moved.location, now.here.left), moved.outputs)
            if wanted is not None and not may_begin(after.outputs, wanted[0][0]):
                emitted = self._of_outputs(now.here.location, event)
                self._clause([*reasons, *emitted], wanted[1])
                return None
            spot_next: _Spot = (*spot_after, after.rest, after.outputs, after.together)
            emitted = self._of_outputs(now.here.location, event)
            there = Here(now.here.location, later(now.here.left, soon))
            there = self._follow(there, (spot, spot_next), event, moved, [*reasons, *emitted], passed=soon)
            now, spot = after._replace(here=there), spot_next
        reasons = [self._place(spot, now.here.location)]
        reasons += [self._not_before(spot, now.here, k, now.rest + 1) for k in self._runs.timers]
        if wanted is not None:
            if may_be_alike(now.all_outputs, wanted[0][0]):
                self._with_reasons(lambda choose: self._runs.shown(now.here.location, choose))
                reasons += [*self._look(spot, now.here.location), *self._consulted()]
            self._clause(reasons, wanted[1])
            return None
        there = Here(now.here.location, later(now.here.left, now.rest))
        self._clause(reasons, self._place(spot_after, there.location))
        self._shows([*reasons, *self._look(spot, there.location)], spot_after, there.location)
        for timer in self._runs.timers:
            time = self._time(spot, timer, now.here.left[timer])
            self._clause([*reasons, time], self._time(spot_after, timer, there.left[timer]))
        return there

    def _follow(
        self,
        here: Here,
        spots: tuple[_Spot, _Spot],
        symbol: int,
        moved: TimedReaction,
        reasons: list[int],
        passed: int = 0,
    ) -> Here:
        """Where an input or an expiry leads; ``here`` has the times of this very instant, ``passed`` later."""
        spot, after = spots
        place = here.location
        to = [*reasons, *self._of_target(place, symbol, moved)]
        self._clause(to, self._place(after, moved.location))
        self._shows([*reasons, *self._of_look(place, symbol)], after, moved.location)
        left = []
        for timer, new in enumerate(moved.left):
            now = here.left[timer] if new is None else new
            left.append(now)
            because = list(to)
            if new is None:
                before = now + passed if now != NEVER else NEVER
                because += [*self._of_kept(place, symbol, timer), self._time(spot, timer, before)]
            elif timer in self._running(moved.location):
                because += self._of_start(place, symbol, timer)
            self._clause(because, self._time(after, timer, now))
        return Here(moved.location, tuple(left))

    def _running(self, place: int) -> frozenset[int]:
        place = self._runs.place(place)
        like = self._domain.like.get(place)
        return self._domain.machine.running[place if like is None else self._member.get(like, 0)]

    def _others(self, timer: int) -> list[int]:
        return [k for k in self._runs.timers if k != timer]

    def _moved(self, here: Here, symbol: int) -> TimedReaction:
        return self._with_reasons(lambda choose: self._runs.moved(here.location, symbol, choose))

    def _of_target(self, place: int, symbol: int, moved: TimedReaction) -> list[int]:
        """The target, and what extra locations are like on both sides."""
        here, there = self._runs.place(place), self._runs.place(moved.location)
        target = self._domain.target_of.get((here, symbol))
        likes = [self._domain.like[one] for one in (here, there) if one in self._domain.like]
        return self._literals([*([] if target is None else [target]), *dict.fromkeys(likes)])

    def _of_look(self, place: int, symbol: int) -> list[int]:
        """What is shown instead until the next move."""
        found = self._domain.look_of.get((self._runs.place(place), symbol))
        return self._literals([] if found is None else [found])

    def _of_outputs(self, place: int, symbol: int) -> list[int]:
        found = self._domain.outputs_of.get((self._runs.place(place), symbol))
        return self._literals([] if found is None else [found])

    def _of_kept(self, place: int, symbol: int, timer: int) -> list[int]:
        found = self._domain.start_of.get((self._runs.place(place), symbol, timer))
        return self._literals([] if found is None else [found])

    def _of_start(self, place: int, symbol: int, timer: int) -> list[int]:
        """Whether the timer starts, and how long it then runs."""
        place = self._runs.place(place)
        found = [self._domain.start_of.get((place, symbol, timer)), self._domain.duration_of.get(timer)]
        return self._literals([k for k in found if k is not None])

    def _with_reasons(self, ask: Callable[[Choose], T]) -> T:
        """The answer to a question about the member, which records what it consults."""
        self._asked = {}

        def choose(decision: int) -> int:
            value = self._asked[decision] = self._member.get(decision, 0)
            return value

        return ask(choose)

    def _consulted(self) -> list[int]:
        return self._literals(self._asked)

    def _literals(self, decisions: Sequence[int] | Mapping[int, int]) -> list[int]:
        return [self._values[k][self._member.get(k, 0)] for k in decisions]

    def _place(self, spot: _Spot, location: int) -> int:
        return self._get((spot, self._runs.place(location)))

    def _look(self, spot: _Spot, location: int) -> list[int]:
        """The literal of what is shown apart from the location, which matters only where one looks."""
        return [self._get((spot, self._runs.look(location), "look"))] if self._domain.looks else []

    def _shows(self, reasons: Sequence[int], spot: _Spot, location: int) -> None:
        for literal in self._look(spot, location):
            self._clause(reasons, literal)

    def _time(self, spot: _Spot, timer: int, time: int) -> int:
        return self._get((spot, timer, time))

    def _not_before(self, spot: _Spot, here: Here, timer: int, time: int) -> int:
        """The literal that a timer has at least so much time left, which follows from what it has."""
        literal = self._get((spot, timer, time, "at least"))
        self._clause([self._time(spot, timer, here.left[timer])], literal)
        return literal

    def _get(self, key: tuple[object, ...]) -> int:
        found = self._literal.get(key)
        if found is None:
            found = self._literal[key] = self._solver.new_variable()
        return found

    def _clause(self, reasons: Sequence[int], then: int) -> None:
        clause = (*(-literal for literal in reasons), then)
        if clause not in self._said:
            self._said.add(clause)
            self._solver.add_clause(clause)
