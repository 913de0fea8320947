"""Paths to the switches that a run has tried least, over classes of states; computed on demand from the model."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from fullproof.analysis.sts_knowledge import Position
from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.analysis.sts_successors import Cell, Successors
from fullproof.concretise.tried import TriedCounts

_SPOTS = 200
"""How many classes of states, each with the switch that led there, one plan examines."""
_MOST = 20_000
"""How many classes of states are kept."""
_NEAR = 4
"""Steps added to the length of every path, so that distant goals are preferred where near ones were tried often."""
_BEST = 3.0
"""The value of a switch that was never tried in any respect."""


class SwitchRoute(NamedTuple):
    """Switches to take, and their value per step."""

    switches: tuple[int, ...]
    worth: float


class _Spot(NamedTuple):
    cell: Cell
    before: int


class Atlas:
    """Classes of states with one representative each, and the switches between them."""

    def __init__(self, semantics: StsSemantics, tried: TriedCounts) -> None:
        self._semantics = semantics
        self._tried = tried
        self._successors = Successors(semantics, tried.cells)
        self._example: dict[Cell, Position] = {}
        self._edges: dict[Cell, list[tuple[int, Cell]]] = {}

    def way(self, position: Position, before: int) -> SwitchRoute:
        """The path from a state with the best value per step; none where no switch is possible."""
        start = _Spot(self._enter(position, afresh=True), before)
        came: dict[_Spot, _Spot | None] = {start: None}
        queue, depth = deque([start]), {start: 0}
        best, worth = None, 0.0
        while queue and len(came) < _SPOTS:
            spot = queue.popleft()
            if _BEST / (depth[spot] + _NEAR) <= worth:
                break  # no longer path can have a higher value
            for number, cell in self._leaving(spot.cell):
                target = _Spot(cell, number)
                gain = self._gain(spot.before, number, cell) / (depth[spot] + _NEAR)
                if target not in came:
                    came[target] = spot
                    depth[target] = depth[spot] + 1
                    queue.append(target)
                if gain > worth:
                    best, worth = (spot, number), gain
        return SwitchRoute(() if best is None else _switches(came, *best), worth)

    def _gain(self, before: int, number: int, cell: Cell) -> float:
        tried = self._tried
        return (
            1 / (1 + tried.switches[number] + tried.refused[number] / 4)
            + 1 / (1 + tried.pairs[before, number] + tried.refused[number] / 4)
            + 1 / (1 + tried.visits[cell])
        )

    def _enter(self, position: Position, *, afresh: bool = False) -> Cell:
        cell = self._tried.cells.of(position)
        if cell not in self._example:
            if len(self._example) >= _MOST:
                self._example.clear()
                self._edges.clear()
            self._example[cell] = position
        elif afresh and self._example[cell] != position:
            # States of a class differ in values that guards do not compare: the walk's own state is used here.
            self._example[cell] = position
            self._edges.pop(cell, None)
        return cell

    def _leaving(self, cell: Cell) -> list[tuple[int, Cell]]:
        if cell not in self._edges:
            position = self._example.get(cell)
            steps = [] if position is None else [(s.number, s.target) for s in self._successors.of(position)]
            self._edges[cell] = [(number, self._enter(target)) for number, target in steps]
        return self._edges[cell]


def _switches(came: dict[_Spot, _Spot | None], spot: _Spot, last: int) -> tuple[int, ...]:
    found = [last]
    here: _Spot | None = spot
    while here is not None and came[here] is not None:
        found.append(here.before)
        here = came[here]
    return tuple(reversed(found))
