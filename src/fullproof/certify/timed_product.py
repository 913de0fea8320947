"""Decides exactly whether a member of a fault domain with timers differs from the model, over all real delays.

The product of both is explored by zones (Dill 1989; Alur and Dill 1994), cheapest runs first. A run keeps the margin:
an input is given, and a delay ends, at least so long before and after each instant at which a timer of the model
expires, and not at the instant at which one of the member does. So outputs that differ only within the margin are no
difference. Coincidences of timers that no run needs to have are left out, and so is what follows where timers of the
model expire together and their order matters.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from fullproof.certify.timed_domain import NEVER, Choose
from fullproof.certify.timed_instants import expired, settled
from fullproof.certify.timed_member import Here, MemberRuns, own_choice
from fullproof.certify.timed_outputs import LEVEL, Ahead, further, longest
from fullproof.certify.timed_zones import (
    Zone,
    are_equal,
    at_most,
    below,
    bounded,
    changed,
    elapsed,
    includes,
    point,
    strictly_elapsed,
)

_ZONES = 200_000
_UNSEEN = 200
"""Zones of one question, and outputs that could not be observed, at which it is given up."""

Happens: TypeAlias = int | tuple[int, ...]
"""What happens in a run: an input, or the clocks that expire together.

The clocks are the timers of the member, those of the model behind them, and last the one that runs for the margin after
the model's last expiry.
"""


@dataclass(frozen=True, slots=True)
class TimedDifference:
    """A run from one of the starts on which the two differ; at its end one sees it."""

    start: int
    path: tuple[Happens, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class TimedAgreement:
    """There is none, which depends on these decisions alone."""

    consulted: frozenset[int]


@dataclass(frozen=True, slots=True)
class ProductTooLarge:
    """The question was given up."""


class ProductStart(NamedTuple):
    """Where a search starts, and what it costs to begin there."""

    member: Here
    model: Here
    cost: float


class _Node(NamedTuple):
    member: int
    model: int
    clocks: tuple[int, ...]
    ahead: Ahead
    """What the member and the model have emitted, and the other one not, since the last observation."""
    zone: Zone
    cost: float
    parent: int
    by: Happens | None
    differs: bool = False


class DifferenceSearch:
    """Looks for differences between one member and the model, which may be that of another domain.

    Needs: both have the same inputs, as many timers, and the same unit of time.
    """

    def __init__(self, runs: MemberRuns, choose: Choose, model: MemberRuns | None = None) -> None:
        self.runs, self._own = runs, runs if model is None else model
        self.consulted: set[int] = set()
        self.observed: set[int] = set()
        """The locations of the model in which inputs may come, as far as the search went."""
        self._asked = choose
        self._margin = self._own.domain.margin
        self._timers = len(runs.timers)
        self._quiet = 2 * self._timers
        self._nodes: list[_Node] = []
        self._queue: list[tuple[float, int]] = []

    def find(self, starts: Sequence[ProductStart]) -> TimedDifference | TimedAgreement | ProductTooLarge:
        """The cheapest difference from some starts."""
        for number, start in enumerate(starts):
            self._begin(start, -1 - number)
        done: dict[tuple[object, ...], list[Zone]] = {}
        while self._queue:
            number = heapq.heappop(self._queue)[1]
            node = self._nodes[number]
            if node.differs:
                return self._found(node)
            if len(self._nodes) > _ZONES or longest(node.ahead) > _UNSEEN:
                return ProductTooLarge()
            known = done.setdefault((*node[:4], self._is_due(node)), [])
            if any(includes(zone, node.zone) for zone in known):
                continue
            known.append(node.zone)
            self._expand(node, number)
        return TimedAgreement(frozenset(self.consulted))

    def _choose(self, decision: int) -> int:
        self.consulted.add(decision)
        return self._asked(decision)

    def _begin(self, start: ProductStart, parent: int) -> None:
        times = [(k, t) for k, t in enumerate((*start.member.left, *start.model.left)) if t != NEVER]
        clocks = tuple(k for k, _ in times)
        zone = point(tuple(t for _, t in times))
        places = start.member.location, start.model.location
        self._push(_Node(*places, clocks, LEVEL, zone, start.cost, parent, None))

    def _push(self, node: _Node) -> None:
        self._nodes.append(node)
        heapq.heappush(self._queue, (node.cost, len(self._nodes) - 1))

    def _found(self, node: _Node) -> TimedDifference:
        path: list[Happens] = []
        cost = node.cost
        while node.by is not None:
            path.append(node.by)
            node = self._nodes[node.parent]
        return TimedDifference(-1 - node.parent, tuple(reversed(path)), cost)

    def _expand(self, node: _Node, number: int) -> None:
        later = elapsed(node.zone)
        calm = self._calm(node, later)
        if calm is not None:
            self.observed.add(node.model)
            if node.ahead != LEVEL or self._looks_differ(node):
                delay = 0 if isinstance(node.by, tuple) else 1
                self._push(node._replace(differs=True, cost=node.cost + delay))
                return
            for symbol in range(self.runs.inputs):
                self._input(node, number, calm, symbol)
        for k in range(1, len(node.clocks) + 1):
            together = [j for j in range(1, len(node.clocks) + 1) if are_equal(later, k, j)]
            if together[0] == k:
                self._expiry(node, number, later, together)

    def _looks_differ(self, node: _Node) -> bool:
        return self.runs.shown(node.member, self._choose) != self._own.shown(node.model, own_choice)

    def _is_due(self, node: _Node) -> bool:
        """Whether a timer of the member has just expired: an input may come strictly later, and not at once."""
        return isinstance(node.by, tuple) and node.by[0] < self._timers

    def _calm(self, node: _Node, later: Zone) -> Zone | None:
        """The moments before the next expiry that keep the margin, and come after an expiry of the member."""
        if self._quiet in node.clocks:
            return None
        found: Zone | None = strictly_elapsed(later) if self._is_due(node) else later
        for k, clock in enumerate(node.clocks, start=1):
            if found is not None:
                found = bounded(found, 0, k, below(0) if clock < self._timers else at_most(-self._margin))
        return found

    def _input(self, node: _Node, number: int, calm: Zone, symbol: int) -> None:
        mine = self.runs.moved(node.member, symbol, self._choose)
        own = self._own.moved(node.model, symbol, own_choice)
        clocks, zone = self._after(node.clocks, calm, (*mine.left, *own.left), quiet=False)
        after = _Node(mine.location, own.location, clocks, LEVEL, zone, node.cost + 1, number, symbol)
        self._push(after._replace(differs=mine.outputs != own.outputs or self._looks_differ(after)))

    def _expiry(self, node: _Node, number: int, later: Zone, together: Sequence[int]) -> None:
        """Some clocks expire together, and strictly before all others."""
        zone: Zone | None = bounded(later, together[0], 0, at_most(0))
        for j in range(1, len(node.clocks) + 1):
            if zone is not None and j not in together:
                zone = bounded(zone, 0, j, below(0))
        if zone is None:
            return
        over = [node.clocks[j - 1] for j in together]
        mine = expired(self.runs, node.member, [k for k in over if k < self._timers], self._choose)
        theirs = [k - self._timers for k in over if self._timers <= k < self._quiet]
        own = settled(self._own, node.model, theirs)
        if own is None:
            return
        ahead = further(node.ahead, mine.outputs, own.outputs)
        clocks, zone = self._after(node.clocks, zone, (*mine.left, *own.left), quiet=bool(theirs), gone=over)
        delay = 0 if isinstance(node.by, tuple) else 1
        self._push(_Node(mine.location, own.location, clocks, ahead, zone, node.cost + delay, number, tuple(over)))

    def _after(
        self,
        clocks: tuple[int, ...],
        zone: Zone,
        left: tuple[int | None, ...],
        *,
        quiet: bool,
        gone: Sequence[int] = (),
    ) -> tuple[tuple[int, ...], Zone]:
        """The clocks that run after a step, and their zone."""
        new: list[int] = []
        entries: list[int | None] = []
        values: list[int] = []
        for clock in range(self._quiet + 1):
            now = left[clock] if clock < self._quiet else self._margin if quiet else None
            if now is None and (clock not in clocks or clock in gone):
                continue
            if now == NEVER:
                continue
            new.append(clock)
            entries.append(clocks.index(clock) + 1 if now is None else None)
            values.append(0 if now is None else now)
        return tuple(new), changed(zone, tuple(entries), tuple(values))


def hidden_locations(runs: MemberRuns) -> tuple[str, ...]:
    """Locations of the model in which no run that keeps the margin, and ends before a race, can give an input."""
    search = DifferenceSearch(runs, own_choice)
    start = runs.begin(own_choice)
    found = search.find([ProductStart(start, start, 0.0)])
    names = runs.domain.machine.locations
    whole = isinstance(found, TimedAgreement)
    return tuple(name for k, name in enumerate(names) if whole and k not in search.observed)
