"""The prime machine: reachable states only, equivalent ones merged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fullproof.analysis.equivalence import state_classes
from fullproof.analysis.reachability import reachable
from fullproof.analysis.table import IntArray, RelationTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prime:
    """A smaller machine of the same language, and where its states come from.

    ``state_of`` maps old states to new ones (-1: unreachable), ``representative`` new ones to the first of theirs.
    """

    relation: RelationTable
    state_of: IntArray
    representative: IntArray


def prime(relation: RelationTable) -> Prime:
    """Drop unreachable states and merge equivalent ones; new states keep the order of their first old ones.

    Guarantee: the result has the same language; it has the fewest states where the machine is observable (every
    deterministic machine is). Where it is not, states of equal language that are not bisimilar stay apart.
    """
    connected = restrict(relation, reachable(relation))
    classes = state_classes(connected.relation)
    representative = np.unique(classes, return_index=True)[1].astype(np.int32)
    moved = _select(connected.relation, representative)
    merged = _rows(moved.inputs, moved.outputs, len(representative), _cells(moved), moved.output, classes[moved.target])
    state_of = np.where(connected.state_of >= 0, classes[connected.state_of], -1).astype(np.int32)
    return Prime(relation=merged, state_of=state_of, representative=connected.representative[representative])


def restrict(relation: RelationTable, kept: NDArray[np.bool_]) -> Prime:
    """Keep some states, among them the initial one, with the transitions between them."""
    representative = np.flatnonzero(kept).astype(np.int32)
    state_of = np.full(relation.states, -1, dtype=np.int32)
    state_of[representative] = np.arange(len(representative), dtype=np.int32)
    moved = _select(relation, representative)
    target = state_of[moved.target]
    inside = target >= 0
    smaller = _rows(
        moved.inputs,
        moved.outputs,
        len(representative),
        _cells(moved)[inside],
        moved.output[inside],
        target[inside],
    )
    return Prime(relation=smaller, state_of=state_of, representative=representative)


def _cells(relation: RelationTable) -> NDArray[np.int64]:
    return np.repeat(np.arange(len(relation.start) - 1, dtype=np.int64), np.diff(relation.start))


def _select(relation: RelationTable, states: IntArray) -> RelationTable:
    """The rows of the given states, in that order; targets still carry their old numbers."""
    cells = _cells(relation)
    place = np.full(relation.states, -1, dtype=np.int64)
    place[states] = np.arange(len(states))
    row = place[cells // max(relation.inputs, 1)]
    chosen = np.flatnonzero(row >= 0)
    moved = row[chosen] * relation.inputs + cells[chosen] % max(relation.inputs, 1)
    return _rows(
        relation.inputs, relation.outputs, len(states), moved, relation.output[chosen], relation.target[chosen]
    )


def _rows(
    inputs: int, outputs: int, states: int, cell: NDArray[np.int64], output: IntArray, target: IntArray
) -> RelationTable:
    """Sort transitions into a relation, each of them once."""
    order = np.lexsort((target, output, cell))
    cell, output, target = cell[order], output[order], target[order]
    fresh = np.ones(len(cell), dtype=np.bool_)
    fresh[1:] = (np.diff(cell) != 0) | (np.diff(output) != 0) | (np.diff(target) != 0)
    start = np.zeros(states * inputs + 1, dtype=np.int32)
    np.cumsum(np.bincount(cell[fresh], minlength=states * inputs), out=start[1:])
    return RelationTable(
        states=states,
        inputs=inputs,
        outputs=outputs,
        start=start,
        output=np.ascontiguousarray(output[fresh], dtype=np.int32),
        target=np.ascontiguousarray(target[fresh], dtype=np.int32),
    )
