"""Counts of what a run has tried so far, which direct a walk to the least tried switches and values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Protocol

from fullproof.analysis.sts_knowledge import Knowledge
from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.analysis.sts_successors import Cell, StateCells
from fullproof.artefacts.execution import Event, Move, Received, Sent, Silence
from fullproof.language.types import Value

_KEPT = 60
"""How many earlier values of a test are remembered."""


class TriedCounts:
    """Counts of switches, pairs of switches, silences, kinds of values and kinds of states, over all tests of a run."""

    def __init__(self, semantics: StsSemantics) -> None:
        self.cells = StateCells(semantics.model)
        self.switches: Counter[int] = Counter()
        self.pairs: Counter[tuple[int, int]] = Counter()
        self.silences: Counter[int] = Counter()
        self.kinds: Counter[Hashable] = Counter()
        self.refused: Counter[int] = Counter()
        self.visits: Counter[Cell] = Counter()
        self.earlier: list[Value] = []

    def begin(self) -> None:
        """Start a test: its inputs and outputs are counted separately."""
        self.earlier = []

    def note(self, event: Event, after: Knowledge) -> None:
        """Count an observation; where several runs of the model explain it, count each of them."""
        if isinstance(event, Silence):
            for route in after.routes.values():
                self.silences[route.switch] += 1
            return
        for position, route in after.routes.items():
            self.switches[route.switch] += 1
            self.pairs[-1 if route.before is None else route.before.switch, route.switch] += 1
            self.visits[self.cells.of(position)] += 1
        if isinstance(event, Sent | Received):
            fresh = [value for value in event.values if value not in self.earlier]
            self.earlier = [*self.earlier, *fresh][-_KEPT:]


class KnowingGuide(Protocol):
    """A guide that tracks the states that the system may be in."""

    knowledge: Knowledge

    def restart(self) -> None:
        """Start a test."""

    def next(self) -> Move:
        """The next action."""

    def saw(self, event: Event, /) -> None:
        """Record an observation."""


class Remembering:
    """A guide that records each of its tests in the counts."""

    def __init__(self, guide: KnowingGuide, tried: TriedCounts) -> None:
        self._guide = guide
        self._tried = tried

    def restart(self) -> None:
        """Start a test."""
        self._tried.begin()
        self._guide.restart()

    def next(self) -> Move:
        """The next action."""
        return self._guide.next()

    def saw(self, event: Event, /) -> None:
        """Record an observation."""
        self._guide.saw(event)
        self._tried.note(event, self._guide.knowledge)
