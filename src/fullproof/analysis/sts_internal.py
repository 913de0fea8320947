"""Closure under internal steps: the states that a system may be in although nothing was observed since."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from fullproof.analysis.sts_knowledge import Position, Route, forked

MOST = 1_000
"""Where a state leads to more positions, the rest is not explored, and the closure says so."""

_START = -1


class InternalStep(NamedTuple):
    """``target`` is None where a variable leaves its range."""

    switch: int
    target: Position | None


Steps: TypeAlias = Callable[[Position], Iterable[InternalStep]]


class _Reached(NamedTuple):
    """A position and the step that leads to it, by the number of the position before; None where several lead there."""

    position: Position
    step: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Closure:
    """All positions that internal steps lead to from the first one, which is among them."""

    reached: tuple[_Reached, ...]
    astray: str = ""
    """Why the system may also be in other states, if it may; empty otherwise."""

    def routes(self, route: Route) -> Iterator[tuple[Position, Route]]:
        """Each position with its route, where the first has this one."""
        found: list[Route] = []
        for position, step in self.reached:
            if step is None:
                found.append(forked(route))
            else:
                before, switch = step
                found.append(route if before == _START else found[before].then(switch))
            yield position, found[-1]


class Internal:
    """The closures of one model under its internal steps, cached."""

    def __init__(self, names: tuple[str, ...], steps: Steps) -> None:
        self._names = names
        self._steps = steps
        self._known: dict[Position, Closure] = {}

    def closure(self, start: Position) -> Closure:
        """Follow internal steps from a position on. Needs: nothing is pending there."""
        known = self._known.get(start)
        if known is None:
            known = self._known[start] = self._computed(start)
        return known

    def _computed(self, start: Position) -> Closure:
        ways: dict[Position, list[tuple[int, int]]] = {start: [(_START, _START)]}
        queue, astray, number = deque([start]), "", 0
        while queue:
            here = queue.popleft()
            for switch, target in self._steps(here):
                if target is None:
                    astray = astray or f"{self._names[switch]} takes a variable out of its range"
                elif target in ways:
                    ways[target].append((number, switch))
                elif len(ways) < MOST:
                    ways[target] = [(number, switch)]
                    queue.append(target)
                else:
                    astray = astray or f"internal steps lead to more than {MOST:,} states from {start.location}"
            number += 1
        reached = (_Reached(position, steps[0] if len(steps) == 1 else None) for position, steps in ways.items())
        return Closure(tuple(reached), astray)
