"""The slow twin of fault domains with timers: all members one by one, and time tick by tick.

Nothing is shared with ``certify`` but the description of the domain. A member is a table of moves, and two machines are
compared by following both over a fine grid of instants, with every input at every tick.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations, product

from fullproof.certify.timed_domain import NEVER, START, TimedDomain
from fullproof.model.timed import TimedMove

Outputs = tuple[str, ...]
Clock = tuple[int, int]
"""Ticks left, and the last input from which its start follows."""


@dataclass(frozen=True)
class SlowMove:
    """``new``: timers that start, with their ticks or None for never; ``kept``: those that go on."""

    target: int
    outputs: tuple[str, ...]
    new: Mapping[int, int | None]
    kept: frozenset[int]
    look: str | None = None
    """What is shown until the next move, where that is not what the location shows."""


@dataclass(frozen=True)
class SlowMachine:
    """A member as a table. Times are ticks."""

    initial: SlowMove
    moves: Mapping[tuple[int, int], SlowMove]
    inputs: int
    shown: tuple[str, ...]


def all_members(domain: TimedDomain) -> Iterator[dict[int, int]]:
    """Every member, by what is wrong in it. Needs: no extra locations."""
    about: dict[object, list[int]] = {}
    for k, thing in domain.things().items():
        about.setdefault(thing, []).append(k)
    most = len(about) if domain.at_most is None else domain.at_most
    for count in range(most + 1):
        for wrong in combinations(about.values(), count):
            ways = [_wrong_values(domain, decisions) for decisions in wrong]
            for chosen in product(*ways):
                member = {k: value for part in chosen for k, value in part.items() if value}
                if domain.holds(member):
                    yield member


def _wrong_values(domain: TimedDomain, decisions: list[int]) -> list[dict[int, int]]:
    """All values of the decisions about one thing but the model's."""
    values = product(*(range(len(domain.decisions[k].values)) for k in decisions))
    return [dict(zip(decisions, some, strict=True)) for some in values if any(some)]


def slow_machine(domain: TimedDomain, member: Mapping[int, int], tick: Fraction) -> SlowMachine:
    """The table of a member."""
    machine, known = domain.machine, len(domain.machine.locations)

    def chosen(decision: int) -> object:
        return domain.decisions[decision].values[member.get(decision, 0)]

    def base(place: int) -> int:
        return place if place < known else chosen(domain.like[place])  # type: ignore[return-value]

    def ticks(timer: int) -> int | None:
        units = chosen(domain.duration_of[timer]) if timer in domain.duration_of else domain.durations[timer]
        assert isinstance(units, int)
        return None if units == NEVER else int(units * domain.unit / tick)

    def started(
        place: int, symbol: int, starts: set[int], there: frozenset[int], gone: int | None
    ) -> tuple[dict[int, int | None], frozenset[int]]:
        new: dict[int, int | None] = {}
        kept: set[int] = set()
        for timer in there:
            wrong = (
                bool(chosen(domain.start_of[place, symbol, timer]))
                if (place, symbol, timer) in domain.start_of
                else False
            )
            if (timer in starts) != wrong:
                new[timer] = ticks(timer)
            elif timer != gone:
                kept.add(timer)
        return new, frozenset(kept)

    def row(place: int, symbol: int, move: TimedMove, expired: int | None) -> SlowMove:
        target = chosen(domain.target_of[place, symbol]) if (place, symbol) in domain.target_of else move.target
        outputs = chosen(domain.outputs_of[place, symbol]) if (place, symbol) in domain.outputs_of else move.outputs
        there = machine.running[base(target)]
        starts = {k for k in there if k in move.starts or k not in machine.running[base(place)]}
        if expired is not None and machine.timers[expired].periodic and expired in there:
            starts.add(expired)
        number = chosen(domain.look_of[place, symbol]) if (place, symbol) in domain.look_of else 0
        look = domain.looks[number - 1] if number else None
        return SlowMove(target, outputs, *started(place, symbol, starts, there, expired), look)

    inputs = len(machine.inputs)
    moves = {cell: row(*cell, move, None) for cell, move in machine.moves.items()}
    moves |= {(p, inputs + k): row(p, inputs + k, move, k) for (p, k), move in machine.timeouts.items()}
    for place in range(known, domain.locations):
        for symbol in range(inputs + len(machine.timers)):
            expired = symbol - inputs if symbol >= inputs else None
            moves[place, symbol] = row(place, symbol, TimedMove(0), expired)
    begin = machine.running[machine.initial]
    initial = SlowMove(machine.initial, (), *started(START, START, set(begin), begin, None))
    shown = tuple(machine.shown[base(place)] for place in range(domain.locations)) if machine.shown else ()
    return SlowMachine(initial, moves, inputs, shown)


class SlowRun:
    """One machine that runs tick by tick."""

    def __init__(self, machine: SlowMachine) -> None:
        self.machine, self.place = machine, machine.initial.target
        self.clocks: dict[int, Clock] = {}
        self.instead: str | None = None
        self._take(machine.initial, 0)

    def _take(self, move: SlowMove, base: int) -> None:
        self.place, self.instead = move.target, move.look
        self.clocks = {k: clock for k, clock in self.clocks.items() if k in move.kept}
        self.clocks |= {k: (ticks, base) for k, ticks in move.new.items() if ticks is not None}

    def give(self, symbol: int, base: int) -> tuple[str, ...]:
        """An input."""
        move = self.machine.moves[self.place, symbol]
        self._take(move, base)
        return move.outputs

    def tick(self) -> None:
        """Time goes on by one tick."""
        self.clocks = {k: (left - 1, base) for k, (left, base) in self.clocks.items()}

    def due(self) -> list[int]:
        """The timers whose time is over."""
        return sorted(k for k, (left, _) in self.clocks.items() if left == 0)

    def expire(self, order: list[int]) -> list[tuple[str, ...]]:
        """Timers whose time is over expire in an order, unless an earlier one stops or restarts them."""
        found = []
        for timer in order:
            if self.clocks.get(timer, (1, 0))[0] == 0:
                _, base = self.clocks.pop(timer)
                move = self.machine.moves[self.place, self.machine.inputs + timer]
                self._take(move, base)
                found.append(move.outputs)
        return found

    def look(self) -> str:
        """What is shown."""
        if self.instead is not None:
            return self.instead
        return self.machine.shown[self.place] if self.machine.shown else ""

    def copy(self) -> SlowRun:
        """An independent copy."""
        twin = object.__new__(SlowRun)
        twin.machine, twin.place, twin.clocks = self.machine, self.place, dict(self.clocks)
        twin.instead = self.instead
        return twin

    def key(self) -> tuple[object, ...]:
        """Where it is."""
        return self.place, self.instead, tuple(sorted(self.clocks.items()))


Answer = tuple[frozenset[Outputs], str]
"""All sequences in which the outputs of a step may come, and what is shown then."""


def slow_answers(machine: SlowMachine, word: tuple[int, ...], unit: Fraction, tick: Fraction) -> list[Answer]:
    """What a test shows: inputs by number, delays as negative units."""
    run, found = SlowRun(machine), list[Answer]()
    for symbol in word:
        outputs: frozenset[Outputs] = frozenset({()})
        if symbol >= 0:
            outputs = frozenset({run.give(symbol, 0)})
        else:
            for _ in range(int(-symbol * unit / tick)):
                run.tick()
                while due := run.due():
                    orders = _orders(run.expire(due))
                    outputs = frozenset(before + now for before in outputs for now in orders)
        found.append((outputs, run.look()))
    return found


def may_be_same(ones: list[Answer], others: list[Answer]) -> bool:
    """Whether two machines may answer a test alike, as the outputs of one instant come in any order."""
    pairs = zip(ones, others, strict=True)
    return all(bool(one & other) and shown == look for (one, shown), (other, look) in pairs)


def _orders(parts: list[Outputs]) -> set[Outputs]:
    return {tuple(o for part in order for o in part) for order in permutations(parts)}


def slow_difference(model: SlowMachine, member: SlowMachine, margin: int) -> bool:
    """Whether the two differ on a run that keeps a margin, with all inputs and ends of delays on the grid."""
    level = frozenset({((), ())})
    first = (SlowRun(member), SlowRun(model), 0, True, level)
    queue, seen = deque([first]), set()
    while queue:
        mine, own, quiet, calm, ahead = queue.popleft()
        key = _key(mine, own, quiet, calm, ahead)
        if key in seen:
            continue
        seen.add(key)
        if quiet == 0 and calm and all(left >= margin for left, _ in own.clocks.values()):
            if level != ahead or mine.look() != own.look():
                return True
            for symbol in range(model.inputs):
                one, other = mine.copy(), own.copy()
                base = 1 + max((b for run in (one, other) for _, b in run.clocks.values()), default=0)
                if one.give(symbol, base) != other.give(symbol, base) or one.look() != other.look():
                    return True
                queue.append((one, other, 0, True, level))
        following = _next_tick(mine, own, quiet, ahead, margin)
        if following is not None:
            queue.append(following)
    return False


def _next_tick(mine: SlowRun, own: SlowRun, quiet: int, ahead: frozenset, margin: int) -> tuple | None:
    """One tick later; None where timers of one machine meet by chance, or the order of the model's matters."""
    one, other = mine.copy(), own.copy()
    one.tick()
    other.tick()
    quiet, calm = max(0, quiet - 1), True
    for run in (one, other):
        if len({run.clocks[k][1] for k in run.due()}) > 1:
            return None
    said, meant = {()}, {()}
    if due := one.due():
        calm = False
        said = _orders(one.expire(due))
    if due := other.due():
        quiet = margin
        ways = set()
        for order in permutations(due):
            twin = other.copy()
            outputs = tuple(sorted(filter(None, twin.expire(list(order)))))
            ways.add((twin.key(), outputs))
        if len(ways) > 1:
            return None
        meant = _orders(other.expire(due))
    pairs = {_rests(a + now, b + then) for a, b in ahead for now in said for then in meant}
    return one, other, quiet, calm, frozenset(pair for pair in pairs if () in pair)


def _rests(said: Outputs, meant: Outputs) -> tuple[Outputs, Outputs]:
    """What is left of two sequences behind their common beginning."""
    while said and meant and said[0] == meant[0]:
        said, meant = said[1:], meant[1:]
    return said, meant


def _key(mine: SlowRun, own: SlowRun, quiet: int, calm: bool, ahead: frozenset) -> tuple[object, ...]:
    """The same for runs that differ only in how inputs are numbered."""
    bases = sorted({base for run in (mine, own) for _, base in run.clocks.values()})
    number = {base: k for k, base in enumerate(bases)}
    clocks = [tuple(sorted((k, left, number[b]) for k, (left, b) in run.clocks.items())) for run in (mine, own)]
    return mine.place, mine.instead, own.place, *clocks, quiet, calm, ahead
