"""A timed chart played tick by tick: the slow twin of what timers do.

The chart is the tree of a model file: states with transitions, one state active in each. A tick is the largest time of
which all times are multiples; a timer counts the ticks since its state was entered, or since it was restarted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any

Path = tuple[str, ...]
Clocks = frozenset[tuple[tuple[Path, str, int], int]]
"""For each timer that runs, its ticks so far; a timer is its state, whether it is ``after`` or ``every``, and ticks."""
Moment = tuple[Path, Clocks]
SECONDS = {"ms": Fraction(1, 1000), "s": Fraction(1), "min": Fraction(60), "h": Fraction(3600)}


def seconds(text: str) -> Fraction:
    number, unit = text.split()
    return Fraction(number) * SECONDS[unit]


class Ticking:
    """All runs of a timed chart with some ticks in a second."""

    def __init__(self, chart: Mapping[str, Any], times: list[Fraction]) -> None:
        self.states: dict[Path, Mapping[str, Any]] = {}
        self.collect(chart["states"], ())
        all_times = times + [
            seconds(t[key]) for s in self.states.values() for t in s["transitions"] for key in KEYS & t.keys()
        ]
        self.rate = lcm(*(time.denominator for time in all_times))
        self.tick = Fraction(gcd(*(int(time * self.rate) for time in all_times)) or 1, self.rate)
        self.initial = chart["initial"]

    def collect(self, states: Mapping[str, Any], above: Path) -> None:
        for name, state in states.items():
            self.states[(*above, name)] = state
            self.collect(state.get("states", {}), (*above, name))

    def timers(self, path: Path) -> Iterator[tuple[Path, str, int]]:
        for t in self.states[path]["transitions"]:
            for key in KEYS & t.keys():
                yield path, key, int(seconds(t[key]) / self.tick)

    def start(self) -> Moment:
        return self.entered((self.initial,), (), frozenset())

    def entered(self, target: Path, kept: Path, clocks: Clocks) -> Moment:
        while "initial" in self.states[target]:
            target = (*target, self.states[target]["initial"])
        for depth in range(len(kept) + 1, len(target) + 1):
            clocks |= {(timer, 0) for timer in self.timers(target[:depth])}
        return target, clocks

    def fired(self, moment: Moment, source: Path, t: Mapping[str, Any]) -> Moment:
        active, clocks = moment
        internal = t.get("kind") == "internal"
        target = next(path for path in self.states if path[-1] == t["to"]) if not internal else source
        shared = [a for a, b in zip(source[:-1], target[:-1], strict=False) if a == b]
        kept = tuple(shared) if source[: len(shared)] == target[: len(shared)] else ()
        left = active if internal else kept
        clocks = frozenset(pair for pair in clocks if pair[0][0] == left[: len(pair[0][0])])
        for name in t.get("restart", []):
            owner = next(path for path in self.states if path[-1] == name)
            if owner == left[: len(owner)]:
                mine = set(self.timers(owner))
                clocks = frozenset(pair for pair in clocks if pair[0] not in mine) | {(timer, 0) for timer in mine}
        return (active, clocks) if internal else self.entered(target, kept, clocks)

    def event(self, moment: Moment, waits: Any) -> set[tuple[Moment, tuple[str, ...]]]:
        """Where what transitions wait for may lead, with what is sent; innermost first."""
        active, _ = moment
        for depth in range(len(active), 0, -1):
            source = active[:depth]
            ready = [t for t in self.states[source]["transitions"] if self.waits(source, t) == waits]
            if ready:
                return {(self.fired(moment, source, t), tuple(t.get("send", []))) for t in ready}
        return {(moment, ())}

    def waits(self, source: Path, t: Mapping[str, Any]) -> Any:
        for key in KEYS & t.keys():
            return source, key, int(seconds(t[key]) / self.tick)
        return t["trigger"]

    def delay(self, moment: Moment, time: Fraction) -> set[tuple[Moment, tuple[str, ...]]]:
        here = {(moment, ())}
        for _ in range(int(time / self.tick)):
            ticked = {
                ((active, frozenset((timer, n + 1) for timer, n in clocks)), sent) for (active, clocks), sent in here
            }
            here = set().union(*(self.expired(*one) for one in ticked))
        return here

    def expired(self, moment: Moment, sent: tuple[str, ...]) -> set[tuple[Moment, tuple[str, ...]]]:
        active, clocks = moment
        over = [pair for pair in clocks if pair[1] == pair[0][2]]
        if not over:
            return {(moment, sent)}
        found: set[tuple[Moment, tuple[str, ...]]] = set()
        for pair in over:
            rest = clocks - {pair} | ({(pair[0], 0)} if pair[0][1] == "every" else set())
            for after, said in self.event((active, frozenset(rest)), pair[0]):
                found |= self.expired(after, sent + said)
        return found


KEYS = {"after", "every"}
