"""Which states cannot be distinguished."""

from __future__ import annotations

import numpy as np

from fullproof.analysis.kernels.refine import stable_partition
from fullproof.analysis.table import IntArray, RelationTable


def is_observable(relation: RelationTable) -> bool:
    """Whether state, input and output together determine the next state."""
    if len(relation.output) == 0:
        return True
    cell = np.repeat(np.arange(len(relation.start) - 1), np.diff(relation.start))
    same = (cell[1:] == cell[:-1]) & (relation.output[1:] == relation.output[:-1])
    return not bool((same & (relation.target[1:] != relation.target[:-1])).any())


def state_classes(relation: RelationTable) -> IntArray:
    """Number the classes of equivalent states, in the order of their first states.

    Guarantee: two states share a class iff they have the same language over inputs and outputs, where an undefined
    input is an observation of its own. That is output equivalence for complete deterministic machines; observable
    nondeterministic and partial machines are covered as well, all in O(m log n) for m transitions (Valmari and
    Lehtinen 2008, Hopcroft's idea on partial transition functions). A machine that is not observable gets its
    bisimilarity classes, which may separate states of equal language.
    """
    if len(relation.target) == 0:
        return np.zeros(relation.states, dtype=np.int32)
    cell = np.repeat(np.arange(len(relation.start) - 1, dtype=np.int64), np.diff(relation.start))
    source = (cell // relation.inputs).astype(np.int32)
    symbol = cell % relation.inputs * relation.outputs + relation.output
    label = np.unique(symbol, return_inverse=True)[1].astype(np.int32)
    if is_observable(relation):
        classes = np.asarray(stable_partition(relation.states, source, label, relation.target))
    else:
        classes = _bisimilarity(relation.states, source, label, relation.target)
    return by_first_occurrence(classes)


def by_first_occurrence(classes: IntArray) -> IntArray:
    """Rename classes to 0, 1, ... in the order in which they first appear."""
    _, first, inverse = np.unique(classes, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int32)
    rank[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    return rank[inverse]


def _bisimilarity(states: int, source: IntArray, label: IntArray, target: IntArray) -> IntArray:
    """Refine by the set of (label, class of target) of each state until nothing changes."""
    classes = np.zeros(states, dtype=np.int32)
    while True:
        rows: list[set[tuple[int, int]]] = [set() for _ in range(states)]
        for s, symbol, c in zip(source.tolist(), label.tolist(), classes[target].tolist(), strict=True):
            rows[s].add((symbol, c))
        numbers: dict[tuple[int, frozenset[tuple[int, int]]], int] = {}
        refined = np.array(
            [numbers.setdefault((int(c), frozenset(row)), len(numbers)) for c, row in zip(classes, rows, strict=True)],
            dtype=np.int32,
        )
        if len(numbers) == int(classes.max()) + 1:
            return classes
        classes = refined
