"""What timers of a state machine can really do: places with the times that are possible in them, and ways there.

Times are difference bounds (Dill 1989): entry (i, j) bounds ``x_i - x_j``, where ``x_0`` is 0 and the others are the
times that timers still run. Timers that meet at one instant may expire in any order. An input comes strictly before
the timeouts that are still to come: at the instant of a timeout, a delay has let the timer expire before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from fullproof.analysis.run_to_completion import RunGoesWrong
from fullproof.analysis.timed_steps import TimedPlace, TimedStep, TimedSteps
from fullproof.core.errors import UserError
from fullproof.model.inputs import Advance, SignalEvent, TestInput

MOST_NODES = 3_000

Limit: TypeAlias = tuple[Fraction, int]
"""At most this, or with -1 instead of 0 less than it."""
Bounds: TypeAlias = tuple[tuple[Limit, ...], ...]
"""The first row and column are those of 0, the others those of the running timers, in the order of their numbers."""


@dataclass(frozen=True, slots=True)
class Way:
    """A step on a way: what came before, the event or the number of the timer, and what it did."""

    before: ReachedNode
    taken: SignalEvent | int
    step: TimedStep


@dataclass(frozen=True, slots=True, eq=False)
class ReachedNode:
    """A place, and the times that are possible until something happens in it."""

    place: TimedPlace
    bounds: Bounds
    way: Way | None = None

    def ways(self) -> list[Way]:
        """The steps from the beginning."""
        found: list[Way] = []
        here = self
        while here.way is not None:
            found.append(here.way)
            here = here.way.before
        return found[::-1]

    def together(self, *timers: int) -> bool:
        """Whether these timers may expire at one instant here."""
        order = sorted(self.place.running)
        bounds: Bounds | None = self.bounds
        for timer in timers:
            bounds = None if bounds is None else _over(bounds, order.index(timer) + 1)
        return bounds is not None


class TimedReach:
    """All nodes, with short ways first. UserError: more than ``MOST_NODES``, or too many inputs."""

    def __init__(self, steps: TimedSteps) -> None:
        self.steps = steps
        self.duration = [timer.duration for timer in steps.model.timers]
        self.nodes: list[ReachedNode] = []
        self.taken: list[Way] = []
        self._known: dict[TimedPlace, list[Bounds]] = {}
        running = sorted(steps.start.running)
        self._add(steps.start, _point([self.duration[k] for k in running]), None)
        for node in self.nodes:
            for way, bounds in self._steps(node):
                self.taken.append(way)
                self._add(way.step.target, bounds, way)
            if len(self.nodes) > MOST_NODES:
                raise UserError(f"more than {MOST_NODES:,} states with values and bounds on times")

    def _add(self, place: TimedPlace, bounds: Bounds, way: Way | None) -> None:
        later = _elapsed(bounds)
        known = self._known.setdefault(place, [])
        if not any(_within(later, other) for other in known):
            known.append(later)
            self.nodes.append(ReachedNode(place, later, way))

    def _steps(self, node: ReachedNode) -> Iterator[tuple[Way, Bounds]]:
        order = sorted(node.place.running)
        for position, timer in enumerate(order, 1):
            bounds = _over(node.bounds, position)
            if bounds is not None:
                for step in possible(partial(self.steps.expiry, node.place, timer)):
                    yield Way(node, timer, step), self._after(bounds, order, step)
        before = _before_timeouts(node.bounds)
        for event in self.steps.events if before is not None else ():
            assert before is not None
            for step in possible(partial(self.steps.event, node.place, event)):
                yield Way(node, event, step), self._after(before, order, step)

    def _after(self, bounds: Bounds, order: list[int], step: TimedStep) -> Bounds:
        started = {timer: self.duration[timer] for timer in step.starts}
        return _changed(bounds, {timer: k for k, timer in enumerate(order, 1)}, sorted(step.target.running), started)


def possible(take: Callable[[], Sequence[TimedStep]]) -> Sequence[TimedStep]:
    """The steps, none where a run goes wrong: ``check`` reports that elsewhere."""
    try:
        return take()
    except RunGoesWrong:
        return []


def witness(reach: TimedReach, node: ReachedNode, *now: int) -> list[TestInput]:
    """Inputs and delays, as soon as possible, to a place, and there to the instant at which these timers expire."""
    ways = node.ways()
    instants = _instants(reach, ways, now)
    found: list[TestInput] = []
    passed = Fraction(0)
    for way, instant in zip(ways, instants[1:], strict=False):
        if isinstance(way.taken, SignalEvent):
            if instant > passed:
                found.append(Advance(instant - passed))
            found.append(way.taken)
            passed = instant
    if instants[-1] > passed:
        found.append(Advance(instants[-1] - passed))
    return found


def _instants(reach: TimedReach, ways: list[Way], now: tuple[int, ...]) -> list[Fraction]:
    """When each step may happen at the earliest, and at last the end: the longest paths of difference constraints.

    Lengths are pairs of a time and of a number of moments, which are short enough to change no order of times.
    """
    since = dict.fromkeys(reach.steps.start.running, 0)
    least: list[tuple[int, int, Fraction, int]] = []  # the second is at least so much later than the first
    for number, way in enumerate(ways, 1):
        is_input = isinstance(way.taken, SignalEvent)
        least.append((number - 1, number, Fraction(0), 0))
        for timer, start in since.items():
            least.append((number, start, -reach.duration[timer], int(is_input)))
        if not isinstance(way.taken, SignalEvent):
            least.append((since[way.taken], number, reach.duration[way.taken], 0))
        kept = {timer: start for timer, start in since.items() if timer in way.step.target.running}
        since = kept | dict.fromkeys(way.step.starts, number)
    end = len(ways) + 1
    least.append((end - 1, end, Fraction(0), 0))
    least += [(end, start, -reach.duration[timer], 0) for timer, start in since.items()]
    least += [(since[timer], end, reach.duration[timer], 0) for timer in now]
    instants = [(Fraction(0), 0)] * (end + 1)
    for _ in range(end + 2):
        for first, second, later, moments in least:
            instants[second] = max(instants[second], (instants[first][0] + later, instants[first][1] + moments))
    spare = [
        (instants[second][0] - instants[first][0] - later, instants[second][1] - instants[first][1] - moments)
        for first, second, later, moments in least
    ]
    longest = [time / -moments for time, moments in spare if time > 0 and moments < 0]
    moment = min([*(duration for duration in reach.duration if duration), *longest], default=Fraction(1)) / 2
    return [time + moments * moment for time, moments in instants]


def _sum(first: Limit, second: Limit) -> Limit:
    return first[0] + second[0], min(first[1], second[1])


def _point(times: list[Fraction]) -> Bounds:
    values = [Fraction(0), *times]
    return tuple(tuple((a - b, 0) for b in values) for a in values)


def _elapsed(bounds: Bounds) -> Bounds:
    """The same or any later, until a timer is at 0."""
    zero = Fraction(0), 0
    first = [min([zero, *(row[j] for row in bounds[1:])]) if j else zero for j in range(len(bounds))]
    return (tuple(first), *bounds[1:])


def _before_timeouts(bounds: Bounds) -> Bounds | None:
    """The part in which all timers have some time left; None where that is empty."""
    some = Fraction(0), -1
    for k in range(1, len(bounds)):
        if bounds[k][0] <= (0, 0):
            return None
        if bounds[0][k] > some:
            through = [_sum(row[0], some) for row in bounds]
            bounds = tuple(
                tuple(min(old, _sum(way, after)) for old, after in zip(row, bounds[k], strict=True))
                for row, way in zip(bounds, through, strict=True)
            )
    return bounds


def _over(bounds: Bounds, k: int) -> Bounds | None:
    """The part in which a timer is at 0; None where that is empty."""
    if bounds[0][k] < (0, 0):  # it has some time left
        return None
    first = bounds[0]
    return tuple(tuple(min(old, _sum(row[k], least)) for old, least in zip(row, first, strict=True)) for row in bounds)


def _changed(bounds: Bounds, old: Mapping[int, int], running: list[int], started: Mapping[int, Fraction]) -> Bounds:
    """The bounds of the timers that run after a step: some have started, the others are as they were."""

    def place(timer: int | None) -> tuple[int, Fraction]:
        if timer is None:
            return 0, Fraction(0)
        return (0, started[timer]) if timer in started else (old[timer], Fraction(0))

    entries = [place(None), *(place(timer) for timer in running)]
    return tuple(tuple(_sum(bounds[i][j], (a - b, 0)) for j, b in entries) for i, a in entries)


def _within(first: Bounds, second: Bounds) -> bool:
    return all(a <= b for mine, theirs in zip(first, second, strict=True) for a, b in zip(mine, theirs, strict=True))
