"""Places the inputs of a run in time: a run whose order of events is known becomes a test with delays.

Each event takes place at the instant of an input, or of the start, plus a constant. So the order of events is a set of
bounds on differences of the instants of inputs, and the earliest solution puts every input, and the end, right at the
margin before or after an instant at which a timer expires, would expire, or at the input before it.
"""

from __future__ import annotations

from typing import NamedTuple

from fullproof.certify.timed_domain import NEVER, Choose
from fullproof.certify.timed_member import Here, MemberRuns, TimedWord, own_choice
from fullproof.certify.timed_product import Happens, ProductStart
from fullproof.core.errors import Bug


class _Instant(NamedTuple):
    """That of an action of the test, plus a constant; action 0 is the start."""

    action: int
    later: int


class _Machine:
    """One of the two, with the instants at which its timers expire."""

    def __init__(self, runs: MemberRuns, here: Here, choose: Choose) -> None:
        self.runs, self.choose, self.place = runs, choose, here.location
        self.due = {k: _Instant(0, t) for k, t in enumerate(here.left) if t != NEVER}
        self.last: _Instant | None = None

    def react(self, symbol: int, now: _Instant) -> None:
        """An input or an expiry at an instant."""
        moved = self.runs.moved(self.place, symbol, self.choose)
        self.place = moved.location
        for timer, time in enumerate(moved.left):
            if time == NEVER:
                self.due.pop(timer, None)
            elif time is not None:
                self.due[timer] = _Instant(now.action, now.later + time)

    def expire(self, timers: list[int], now: _Instant) -> None:
        """Timers expire at an instant; one that an earlier one stops or restarts does not."""
        for timer in timers:
            if self.due.get(timer) == now:
                self.due.pop(timer)
                self.react(self.runs.inputs + timer, now)
                self.last = now


class RunPlacing:
    """Bounds on the instants of a run: of each pair of actions, how much later the second one is at least."""

    def __init__(self, runs: MemberRuns, choose: Choose, start: ProductStart, model: MemberRuns | None = None) -> None:
        own = runs if model is None else model
        self._margin, self._timers = own.domain.margin, len(runs.timers)
        self._member = _Machine(runs, start.member, choose)
        self._model = _Machine(own, start.model, own_choice)
        self._symbols: list[int | None] = [None]
        self._firm: list[tuple[_Instant, _Instant, int]] = []
        self._strict: list[tuple[_Instant, _Instant]] = []
        self._now = _Instant(0, 0)

    def word(self, path: tuple[Happens, ...]) -> TimedWord:
        """The test, from the start; it ends with a delay where the run ends with an expiry."""
        for what in path:
            if isinstance(what, int):
                self._act(what)
            else:
                self._expire(what)
        if not path or not isinstance(path[-1], int):
            self._act(None)
        times = self._placed()
        found: list[int] = []
        for symbol, before, now in zip(self._symbols[1:], times[:-1], times[1:], strict=True):
            if now > before:
                found.append(before - now)
            if symbol is not None:
                found.append(symbol)
        return tuple(found)

    def _act(self, symbol: int | None) -> None:
        """An input, or the end, at an instant that keeps the margin."""
        now = _Instant(len(self._symbols), 0)
        self._symbols.append(symbol)
        self._firm.append((self._now, now, 0))
        for due in self._model.due.values():
            self._firm.append((now, due, self._margin))
        if self._model.last is not None:
            self._firm.append((self._model.last, now, self._margin))
        if self._member.last is not None:
            self._strict.append((self._member.last, now))
        self._strict += [(now, due) for due in self._member.due.values()]
        self._now = now
        if symbol is not None:
            self._member.react(symbol, now)
            self._model.react(symbol, now)

    def _expire(self, clocks: tuple[int, ...]) -> None:
        mine = [k for k in clocks if k < self._timers]
        own = [k - self._timers for k in clocks if self._timers <= k < 2 * self._timers]
        if not mine and not own:
            return
        now = self._member.due[mine[0]] if mine else self._model.due[own[0]]
        if self._now != now:
            self._firm.append((self._now, now, 0))
        for machine, timers in ((self._member, mine), (self._model, own)):
            others = [due for timer, due in machine.due.items() if timer not in timers]
            self._strict += [(now, due) for due in others if due != now]
            for due in (machine.due[timer] for timer in timers):
                self._firm += [(due, now, 0), (now, due, 0)]
            for timer in timers:
                machine.due[timer] = now
        self._now = now
        self._member.expire(mine, now)
        self._model.expire(own, now)

    def _placed(self) -> list[int]:
        """The earliest instants, with as much room for what must be strictly later as there is, up to the margin."""
        room = self._margin
        while room:
            # What follows the same action is later by a constant, which no choice of instants changes.
            bounds = self._firm + [(i, j, room) for i, j in self._strict if i.action != j.action]
            found = _earliest(bounds, len(self._symbols))
            if found is not None:
                return found
            room //= 2
        raise Bug("a run of the product cannot be placed in time")


def _earliest(bounds: list[tuple[_Instant, _Instant, int]], actions: int) -> list[int] | None:
    """The least instants of actions in which each second instant is so much later than the first; None: impossible."""
    edges: dict[tuple[int, int], int] = {}
    for one, other, room in bounds:
        gap = one.later + room - other.later
        pair = one.action, other.action
        edges[pair] = max(gap, edges.get(pair, gap))
    if any(i == j and gap > 0 for (i, j), gap in edges.items()):
        return None
    times = [0] * actions
    for _ in range(actions + 1):
        steady = True
        for (i, j), gap in edges.items():
            if times[j] < times[i] + gap:
                times[j], steady = times[i] + gap, False
        if steady:
            return times if times[0] == 0 else None
    return None
