"""The states that a symbolic transition system may be in according to the observations: the set C of paper 001,
algorithm 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple, TypeAlias

from fullproof.language.types import Value

GateValue: TypeAlias = tuple[str, tuple[Value, ...]]


class Position(NamedTuple):
    """A semantic state, and inputs that are in transit to the system while an output is in transit to the tester."""

    location: str
    values: tuple[Value, ...]
    pending: tuple[GateValue, ...] = ()


_FORK = -1
"""Stands in a route for the switches about which its explanations differ."""


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """The switches taken, as a list that shares its beginning with others; the first has no switch.

    Where several runs lead to one position, the route has a fork in the place of what they do not have in common.
    """

    before: Route | None = None
    switch: int = _FORK
    length: int = 0

    def then(self, switch: int) -> Route:
        """One switch more."""
        return Route(self, switch, self.length + 1)

    def pieces(self) -> tuple[tuple[int, ...], ...]:
        """The switches from the first to the last, cut at the forks; the first piece begins at the start."""
        found: list[list[int]] = [[]]
        here: Route | None = self
        while here is not None and here.before is not None:
            if here.switch == _FORK:
                found.append([])
            else:
                found[-1].append(here.switch)
            here = here.before
        return tuple(tuple(reversed(piece)) for piece in reversed(found))


def merged(one: Route, other: Route) -> Route:
    """A route for two runs to one position: what both begin with, and a fork."""
    if one is other:
        return one
    return forked(common(one, other))


def forked(route: Route) -> Route:
    """A route that begins like this one, and goes on in one of several ways."""
    return Route(route, _FORK, route.length + 1)


def common(one: Route, other: Route) -> Route:
    """The longest beginning that two routes share."""
    while one is not other:
        longer = one if one.length >= other.length else other
        assert longer.before is not None  # all routes of one knowledge begin at the same start
        one, other = longer.before, other if longer is one else one
    return one


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The positions consistent with everything observed, each with its route.

    ``astray`` says why the system may also be in a state for which the model specifies nothing, if it may.
    """

    routes: Mapping[Position, Route]
    astray: str = ""

    @property
    def is_refuted(self) -> bool:
        """Whether no behaviour of the model explains what was observed."""
        return not self.routes and not self.astray

    @property
    def certain(self) -> tuple[tuple[int, ...], ...]:
        """The switches that every run of the model that explains what was observed has taken, in pieces.

        Pieces are paths; between two of them, and after the last, runs differ. With one run only (|C| = 1 in the
        paper) there is one piece, the whole of it.
        """
        if not self.routes or self.astray:
            return ()
        return reduce(common, self.routes.values()).pieces()


class Gathering:
    """Collects positions and notices where two routes meet."""

    def __init__(self, astray: str) -> None:
        self.routes: dict[Position, Route] = {}
        self.astray = astray

    def add(self, position: Position, route: Route) -> None:
        """Take one more way to a position."""
        known = self.routes.get(position)
        self.routes[position] = route if known is None else merged(known, route)

    def knowledge(self) -> Knowledge:
        """What was collected."""
        return Knowledge(self.routes, self.astray)
