"""What a tester knows of where a symbolic transition system is: the set C of paper 001, algorithm 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from fullproof.language.types import Value

GateValue: TypeAlias = tuple[str, tuple[Value, ...]]


class Position(NamedTuple):
    """A semantic state, and inputs that are under way to the system while an output of it was under way to us."""

    location: str
    values: tuple[Value, ...]
    pending: tuple[GateValue, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """The switches taken, as a list that shares its beginning with others; the first has no switch."""

    before: Route | None = None
    switch: int = -1

    def switches(self) -> tuple[int, ...]:
        """From the first to the last."""
        found = list[int]()
        here: Route | None = self
        while here is not None and here.before is not None:
            found.append(here.switch)
            here = here.before
        return tuple(reversed(found))


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The positions consistent with everything observed, each with its route, None where there are several routes.

    ``astray`` says why the system may also be where the model says nothing, if it may.
    """

    routes: Mapping[Position, Route | None]
    astray: str = ""

    @property
    def is_refuted(self) -> bool:
        """Whether no behaviour of the model explains what was observed."""
        return not self.routes and not self.astray

    @property
    def certain(self) -> tuple[int, ...] | None:
        """The switches taken where only one run of the model explains everything: |C| = 1 in the paper."""
        if len(self.routes) != 1 or self.astray:
            return None
        (route,) = self.routes.values()
        return None if route is None else route.switches()


class Gathering:
    """Collects positions and notices where two routes meet."""

    def __init__(self, astray: str) -> None:
        self.routes: dict[Position, Route | None] = {}
        self.astray = astray

    def add(self, position: Position, route: Route | None) -> None:
        """Take one more way to a position."""
        self.routes[position] = None if position in self.routes else route

    def knowledge(self) -> Knowledge:
        """What was collected."""
        return Knowledge(self.routes, self.astray)
