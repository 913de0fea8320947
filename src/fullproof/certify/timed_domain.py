"""Fault domains of machines with timers: what each timer, each start of a timer and each move may be instead.

A member of the domain decides every *decision*: a finite choice whose first value is the model's own. Times are whole
numbers of a unit in which all durations, the tolerance and the margin are whole, so that nothing depends on seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import gcd, lcm, log10, prod
from typing import TypeAlias

from fullproof.core.errors import UserError
from fullproof.model.named_faults import FaultName, NamedFaults
from fullproof.model.timed import TimedMachine, TimedMove

NEVER = -1
"""The duration of a timer that never expires, and the time of one that is off."""
START = -1
"""The location and the symbol of the beginning, at which the timers of the initial location start."""
OTHER: tuple[str, ...] = ("an output that the model does not have",)
OTHER_LOOK = "values that the model does not show"
_FINENESS = 1024
"""Units in the finest difference of times: tests can be placed between instants that are close."""

TimedCell: TypeAlias = tuple[int, int]
"""A location, and an input or, behind the inputs, a timer that expires there."""
Choose: TypeAlias = Callable[[int], int]
"""The number of the value that a member has for a decision."""


@dataclass(frozen=True, slots=True)
class TimedDecision:
    """A choice of a member; the model's own value is the first. ``what`` names it in messages."""

    what: str
    values: tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedDomain:
    """Decisions are numbered. Where a thing is not to decide, it is as in the model.

    Locations behind those of the model are extra ones: each has the timers, and shows the same, as some location of the
    model, and its moves are free.
    """

    machine: TimedMachine
    unit: Fraction
    """Seconds of one unit of time."""
    margin: int
    decisions: tuple[TimedDecision, ...]
    durations: tuple[int, ...]
    """Of each timer, in units."""
    duration_of: Mapping[int, int]
    """The decision on the duration of a timer."""
    target_of: Mapping[TimedCell, int]
    outputs_of: Mapping[TimedCell, int]
    look_of: Mapping[TimedCell, int]
    """The decision what is shown from a move to the next one: 0 is what the target shows, k > 0 is ``looks[k - 1]``."""
    start_of: Mapping[tuple[int, int, int], int]
    """The decision whether a timer starts otherwise with a cell."""
    like: Mapping[int, int]
    """The decision which location an extra one is like."""
    looks: tuple[str, ...]
    """What a move may show instead: all that some location of the model shows; if all show the same, another thing.

    A member that shows what no location does, and passes a suite, is never seen while it does so: one that shows what
    some location shows there, and the model does not, passes, too. So the claim holds for values that are not here.
    """
    excluded: tuple[tuple[tuple[int, int], tuple[int, int]], ...]
    """Pairs of decisions with values that do not come together."""
    at_most: int | None

    @property
    def locations(self) -> int:
        """Those of the model, and the extra ones."""
        return len(self.machine.locations) + len(self.like)

    def size(self) -> float:
        """The decimal logarithm of the number of members."""
        counts = self._ways()
        if self.at_most is None or self.at_most >= len(counts):
            return sum(log10(count) for count in counts)
        ways = [1] + [0] * self.at_most
        for count in counts:
            for k in range(self.at_most, 0, -1):
                ways[k] += ways[k - 1] * (count - 1)
        return log10(sum(ways))

    def _ways(self) -> list[int]:
        """How many values each independent decision has; target, outputs and look of a cell are one."""
        without: dict[tuple[int, int], int] = {}
        for (one, _), (other, _) in self.excluded:
            without[one, other] = without.get((one, other), 0) + 1
        cells: dict[TimedCell, list[int]] = {}
        for listed in (self.target_of, self.outputs_of, self.look_of):
            for cell, k in listed.items():
                cells.setdefault(cell, []).append(k)
        joined = {k for found in cells.values() for k in found}
        ways = [len(decision.values) for k, decision in enumerate(self.decisions) if k not in joined]
        for cell, found in cells.items():
            two = [k for k in (self.target_of.get(cell), self.outputs_of.get(cell)) if k is not None]
            both = prod(len(self.decisions[k].values) for k in two) - without.get((two[0], two[-1]), 0) if two else 1
            ways.append(both * (len(self.decisions[found[-1]].values) if cell in self.look_of else 1))
        return ways

    def holds(self, member: Mapping[int, int]) -> bool:
        """Whether the decisions that differ from the model make a member of the domain."""
        if any(not 0 <= value < len(self.decisions[k].values) for k, value in member.items()):
            return False
        if any(member.get(k, 0) == v and member.get(j, 0) == w for (k, v), (j, w) in self.excluded):
            return False
        return self.at_most is None or self.wrong(member) <= self.at_most

    def wrong(self, member: Mapping[int, int]) -> int:
        """How many things are wrong: target, outputs and look of one move are one thing."""
        thing = self.things()
        return len({thing[k] for k, value in member.items() if value and k in thing})

    def things(self) -> dict[int, object]:
        """What each decision is about, as far as it counts; what extra locations do is free, and does not count."""
        known = len(self.machine.locations)
        found: dict[int, object] = {k: k for k in self.duration_of.values()}
        found |= {k: k for (place, _, _), k in self.start_of.items() if place < known}
        moves = chain(self.target_of.items(), self.outputs_of.items(), self.look_of.items())
        return found | {k: cell for cell, k in moves if cell[0] < known}

    def seconds(self, units: int) -> Fraction:
        """A time in seconds."""
        return units * self.unit

    def text(self, member: Mapping[int, int]) -> str:
        """What is wrong in a member, in words."""
        found = [f"{self.decisions[k].what}: {self._value(k, v)}" for k, v in sorted(member.items()) if v]
        return "; ".join(found) or "nothing"

    def _value(self, k: int, value: int) -> str:
        chosen = self.decisions[k].values[value]
        if k in self.duration_of.values():
            assert isinstance(chosen, int)
            return "never" if chosen == NEVER else f"{float(self.seconds(chosen)):g} s"
        if k in self.target_of.values() or k in self.like.values():
            assert isinstance(chosen, int)
            names = self.machine.locations
            return names[chosen] if chosen < len(names) else f"extra location {chosen - len(names) + 1}"
        if isinstance(chosen, tuple):
            return ", ".join(chosen) or "no output"
        if k in self.look_of.values():
            assert isinstance(chosen, int)
            return self.looks[chosen - 1]
        return "wrong"


def default_margin(machine: TimedMachine) -> Fraction:
    """A tenth of the smallest duration."""
    return min((timer.duration for timer in machine.timers), default=Fraction(1)) / 10


def timed_domain(
    machine: TimedMachine,
    faults: NamedFaults,
    *,
    margin: Fraction | None = None,
    tolerance: Fraction | None = None,
    extra: int = 0,
    delays: Collection[Fraction] = (),
) -> TimedDomain:
    """The domain over a model. ``tolerance``, by default twice the margin, is how early or late a timer may be.

    ``delays`` are further times that should be whole numbers of units.

    A margin that a tolerance or the half of a duration does not exceed, and names that the model lacks, are UserErrors.
    """
    margin = default_margin(machine) if margin is None else margin
    tolerance = 2 * margin if tolerance is None else tolerance
    _require_room(machine, margin, tolerance)
    times = [timer.duration for timer in machine.timers]
    given = (*times, margin, tolerance, *delays)
    scale = lcm(*(time.denominator for time in given))
    whole = gcd(*(int(time * scale) for time in given))
    unit = Fraction(whole, scale * _FINENESS)
    work = _Decisions(machine, faults, unit, extra)
    if FaultName.DURATION in faults.names:
        work.add_durations(int(tolerance / unit))
    work.add_moves()
    return TimedDomain(
        machine=machine,
        unit=unit,
        margin=int(margin / unit),
        decisions=tuple(work.decisions),
        durations=tuple(int(time / unit) for time in times),
        duration_of=work.duration_of,
        target_of=work.target_of,
        outputs_of=work.outputs_of,
        look_of=work.look_of,
        start_of=work.start_of,
        like=work.like,
        looks=work.looks,
        excluded=tuple(work.excluded),
        at_most=faults.at_most,
    )


def _require_room(machine: TimedMachine, margin: Fraction, tolerance: Fraction) -> None:
    shortest = min((timer.duration for timer in machine.timers), default=None)
    if margin <= 0:
        raise UserError("the margin must be above 0")
    if shortest is not None and 2 * margin >= shortest:
        raise UserError(f"the margin must be below half of the smallest time, {float(shortest):g} s")
    if tolerance <= margin:
        raise UserError(
            f"the tolerance, {float(tolerance):g} s, must exceed the margin, {float(margin):g} s: tests end no closer "
            "to the instants of the model"
        )


class _Decisions:
    """Collects the decisions of a domain."""

    def __init__(self, machine: TimedMachine, faults: NamedFaults, unit: Fraction, extra: int) -> None:
        self.machine, self.faults, self.unit = machine, faults, unit
        self.decisions: list[TimedDecision] = []
        self.duration_of: dict[int, int] = {}
        self.target_of: dict[TimedCell, int] = {}
        self.outputs_of: dict[TimedCell, int] = {}
        self.look_of: dict[TimedCell, int] = {}
        self.start_of: dict[tuple[int, int, int], int] = {}
        self.like: dict[int, int] = {}
        self.excluded: list[tuple[tuple[int, int], tuple[int, int]]] = []
        self._inputs, self._known = len(machine.inputs), len(machine.locations)
        self._extra = range(self._known, self._known + extra)
        moves = chain(machine.moves.values(), machine.timeouts.values())
        self._outputs = tuple(sorted({(), OTHER, *(move.outputs for move in moves)}))
        looks = tuple(sorted(set(machine.shown)))
        self.looks = (*looks, OTHER_LOOK) if len(looks) == 1 else looks
        self._quiet = {m.outputs for (place, _), m in machine.moves.items() if m.target == place and not m.starts}

    def add_durations(self, tolerance: int) -> None:
        """Each timer may be early or late, have another constant of the model, or never expire."""
        times = [int(timer.duration / self.unit) for timer in self.machine.timers]
        for k, own in enumerate(times):
            near = [time for time in (own - tolerance, own + tolerance) if time > 0]
            values = tuple(dict.fromkeys((own, *near, *times, NEVER)))
            self.duration_of[k] = self._new(f"duration of {self.machine.timers[k].name}", values)

    def add_moves(self) -> None:
        """What moves and starts may be instead, and the extra locations."""
        for number, place in enumerate(self._extra, start=1):
            self.like[place] = self._new(f"extra location {number}", tuple(range(self._known)))
        if FaultName.START in self.faults.names:
            self._add_starts((START, START), self.machine.running[self.machine.initial], "at the beginning")
        sites = self._sites()
        for cell, move in self._moves():
            if cell in sites:
                self._add_move(cell, move)
        for place in self._extra:
            for symbol in range(self._inputs + len(self.machine.timers)):
                self._add_free(place, symbol)

    def _moves(self) -> Iterable[tuple[TimedCell, TimedMove]]:
        yield from self.machine.moves.items()
        for (place, timer), move in self.machine.timeouts.items():
            yield (place, self._inputs + timer), move

    def _sites(self) -> set[TimedCell]:
        """The cells that faults by name concern."""
        machine, faults = self.machine, self.faults
        symbols = (*machine.inputs, *(timer.name for timer in machine.timers))
        places = set(_numbers(faults.states, machine.locations, "state"))
        wanted = set(_numbers(faults.inputs, symbols, "input or timer"))
        return {cell for cell, _ in self._moves() if cell[0] in places and cell[1] in wanted}

    def _add_move(self, cell: TimedCell, move: TimedMove) -> None:
        where = f"{self._symbol(cell[1])} in {self.machine.locations[cell[0]]}"
        choices = self._choices(cell, move)
        targets = (move.target, *sorted(choices.keys() - {move.target}))
        outputs = (move.outputs, *sorted({o for some in choices.values() for o in some} - {move.outputs}))
        if len(targets) > 1:
            self.target_of[cell] = self._new(f"target of {where}", targets)
        if len(outputs) > 1:
            self.outputs_of[cell] = self._new(f"outputs of {where}", outputs)
        if len(targets) > 1 and len(outputs) > 1:
            one, other = self.target_of[cell], self.outputs_of[cell]
            self.excluded += [
                ((one, v), (other, w))
                for v, target in enumerate(targets)
                for w, output in enumerate(outputs)
                if output not in choices[target]
            ]
        if FaultName.OUTPUT in self.faults.names:
            self._add_look(cell, where, move.target if len(targets) == 1 else None)
        if FaultName.START in self.faults.names:
            self._add_starts(cell, frozenset(chain(*(self._running(target) for target in targets))), f"by {where}")

    def _choices(self, cell: TimedCell, move: TimedMove) -> dict[int, set[tuple[str, ...]]]:
        """For each target the outputs that may come with it."""
        names, (place, symbol) = self.faults.names, cell
        anything = self._outputs if FaultName.OUTPUT in names else (move.outputs,)
        found: dict[int, set[tuple[str, ...]]] = {move.target: set(anything)}
        if FaultName.TRANSFER in names:
            found = {target: set(anything) for target in (*range(self._known), *self._extra)}
        elif FaultName.STUCK in names:
            found.setdefault(place, set()).update(anything)
        if FaultName.MISSING in names:
            found.setdefault(place, set()).update({(), *self._quiet})
        if FaultName.SWAPPED in names and symbol < self._inputs:
            for other in range(self._inputs):
                swapped = self.machine.moves[place, other]
                found.setdefault(swapped.target, set()).add(swapped.outputs)
        return dict(found)

    def _add_free(self, place: int, symbol: int) -> None:
        where = f"{self._symbol(symbol)} in extra location {place - self._known + 1}"
        targets = (*range(self._known), *self._extra)
        self.target_of[place, symbol] = self._new(f"target of {where}", targets)
        self.outputs_of[place, symbol] = self._new(f"outputs of {where}", self._outputs)
        self._add_look((place, symbol), where, None)
        self._add_starts((place, symbol), frozenset(range(len(self.machine.timers))), f"by {where}")

    def _add_look(self, cell: TimedCell, where: str, target: int | None) -> None:
        """Output attributes may have other values until the next move; ``target`` is the only one, if there is one."""
        own = None if target is None else self.machine.shown[target] if self.machine.shown else ""
        other = [k for k, look in enumerate(self.looks, start=1) if look != own]
        if other:
            self.look_of[cell] = self._new(f"values shown after {where}", (0, *other))

    def _add_starts(self, cell: TimedCell, timers: Collection[int], when: str) -> None:
        for timer in sorted(timers):
            name = self.machine.timers[timer].name
            self.start_of[(*cell, timer)] = self._new(f"start of {name} {when}", (False, True))

    def _running(self, place: int) -> Collection[int]:
        return self.machine.running[place] if place < self._known else range(len(self.machine.timers))

    def _symbol(self, symbol: int) -> str:
        if symbol < self._inputs:
            return self.machine.inputs[symbol]
        return f"expiry of {self.machine.timers[symbol - self._inputs].name}"

    def _new(self, what: str, values: tuple[object, ...]) -> int:
        self.decisions.append(TimedDecision(what, values))
        return len(self.decisions) - 1


def _numbers(chosen: tuple[str, ...], names: tuple[str, ...], what: str) -> Iterable[int]:
    from fullproof.core.suggest import did_you_mean

    for name in chosen:
        if name not in names:
            raise UserError(f"the fault domain names an unknown {what} {name!r}{did_you_mean(name, names)}")
    return [k for k, name in enumerate(names) if not chosen or name in chosen]
