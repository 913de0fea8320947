"""Functions of truth values as reduced ordered decision diagrams: equal functions share one node.

Where only some valuations can occur, functions that agree on those valuations are merged.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeAlias, TypeVar

Leaf = TypeVar("Leaf", bound=Hashable)
OtherLeaf = TypeVar("OtherLeaf", bound=Hashable)
Diagram: TypeAlias = int
"""A node of ``Diagrams``."""


class TooManyNodes(Exception):
    """A store has grown beyond its bound."""


class Diagrams(Generic[Leaf]):
    """A store of diagrams, which are equal iff their numbers are; ``most`` bounds the number of nodes."""

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._nodes: list[tuple[int, Diagram, Diagram]] = []
        """Place, low, high; a leaf has the place -1 and the position of its value twice."""
        self._numbers: dict[tuple[int, Diagram, Diagram], Diagram] = {}
        self._values: list[Leaf] = []
        self._positions: dict[Leaf, int] = {}

    def leaf(self, value: Leaf) -> Diagram:
        """The constant function."""
        position = self._positions.setdefault(value, len(self._values))
        if position == len(self._values):
            self._values.append(value)
        return self._node((-1, position, position))

    def branch(self, place: int, low: Diagram, high: Diagram) -> Diagram:
        """``high`` where the truth value at ``place`` holds, else ``low``; both look at later places only."""
        return low if low == high else self._node((place, low, high))

    def value(self, diagram: Diagram, valuation: Sequence[bool]) -> Leaf:
        """What a valuation leads to."""
        place, low, high = self._nodes[diagram]
        while place >= 0:
            place, low, high = self._nodes[high if valuation[place] else low]
        return self._values[low]

    def mapped(self, diagram: Diagram, change: Callable[[Leaf], Leaf]) -> Diagram:
        """The same with other leaves."""
        return self.copied(diagram, change, self, {})

    def copied(
        self,
        diagram: Diagram,
        change: Callable[[Leaf], OtherLeaf],
        target: Diagrams[OtherLeaf],
        known: dict[Diagram, Diagram],
    ) -> Diagram:
        """The same with other leaves in another store; ``known`` may be shared between calls that change alike."""
        if diagram not in known:
            place, low, high = self._nodes[diagram]
            if place < 0:
                known[diagram] = target.leaf(change(self._values[low]))
            else:
                below = [self.copied(side, change, target, known) for side in (low, high)]
                known[diagram] = target.branch(place, *below)
        return known[diagram]

    def joined(
        self,
        first: Diagram,
        second: Diagram,
        join: Callable[[Leaf, Leaf], Leaf],
        known: dict[tuple[Diagram, Diagram], Diagram] | None = None,
    ) -> Diagram:
        """The function whose value joins those of two."""
        known = {} if known is None else known
        if (first, second) not in known:
            a, b = self._nodes[first], self._nodes[second]
            if a[0] < 0 and b[0] < 0:
                known[first, second] = self.leaf(join(self._values[a[1]], self._values[b[1]]))
            else:
                place = min(node[0] for node in (a, b) if node[0] >= 0)
                low, high = (
                    self.joined(a[side] if a[0] == place else first, b[side] if b[0] == place else second, join, known)
                    for side in (1, 2)
                )
                known[first, second] = self.branch(place, low, high)
        return known[first, second]

    def restricted(self, diagram: Diagram, possible: tuple[int, ...]) -> Diagram:
        """The function on ``possible`` valuations only, given as bit sets; at least one.

        A test whose outcome they determine is removed, so that functions that agree on them become one.
        """
        return self._restricted(diagram, 0, possible, {})

    def _restricted(
        self,
        diagram: Diagram,
        place: int,
        possible: tuple[int, ...],
        known: dict[tuple[Diagram, tuple[int, ...]], Diagram],
    ) -> Diagram:
        if len(possible) == 1:
            return self._at(diagram, possible[0])
        if (diagram, possible) not in known:
            # The split considers all places, tested or not: only then does the result depend on the function alone.
            while True:
                high = tuple(v for v in possible if v >> place & 1)
                if 0 < len(high) < len(possible):
                    break
                place += 1
            low = tuple(v for v in possible if not v >> place & 1)
            below = [
                self._restricted(self._chosen(diagram, place, low[0]), place + 1, low, known),
                self._restricted(self._chosen(diagram, place, high[0]), place + 1, high, known),
            ]
            known[diagram, possible] = self.branch(place, *below)
        return known[diagram, possible]

    def _chosen(self, diagram: Diagram, last: int, valuation: int) -> Diagram:
        """Follow a valuation through the tests of places up to the last, on which all that are left agree."""
        place, low, high = self._nodes[diagram]
        while 0 <= place <= last:
            diagram = high if valuation >> place & 1 else low
            place, low, high = self._nodes[diagram]
        return diagram

    def _at(self, diagram: Diagram, valuation: int) -> Diagram:
        return self._chosen(diagram, sys.maxsize, valuation)

    def leaves(self, diagram: Diagram) -> list[Leaf]:
        """All values, each once."""
        seen, stack, found = {diagram}, [diagram], list[Leaf]()
        while stack:
            place, low, high = self._nodes[stack.pop()]
            if place < 0:
                found.append(self._values[low])
                continue
            for below in (high, low):
                if below not in seen:
                    seen.add(below)
                    stack.append(below)
        return found

    def _node(self, node: tuple[int, Diagram, Diagram]) -> Diagram:
        number = self._numbers.setdefault(node, len(self._nodes))
        if number == len(self._nodes):
            self._nodes.append(node)
            if len(self._nodes) > self._most:
                raise TooManyNodes
        return number
