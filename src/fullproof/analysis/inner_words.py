"""Which identifiers the inner nodes of a suite's tree need so that the leaves can be told apart from them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from fullproof.analysis.covers import StateCover
from fullproof.analysis.identifiers import Identifiers
from fullproof.analysis.kernels.inner import InnerWords
from fullproof.analysis.table import IntArray, Table


class Agreement(Enum):
    """Whether the identifiers of any two states begin with a common word that separates them."""

    HARMONISED = "harmonised"
    LOOSE = "loose"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NodeIdentifiers:
    """Identifiers for every node of the tree {v.x : v in cover, |x| <= extra + 1}.

    A leaf of state s has those below ``leaf[s]``, an inner node of level k (0: in the cover) those below
    ``inner[k * states + s]``.
    """

    child: IntArray
    sibling: IntArray
    symbol: IntArray
    leaf: IntArray
    inner: IntArray


def cover_edges(table: Table, cover: StateCover) -> NDArray[np.uint8]:
    """Mark the cells of a table that are edges of the cover's tree."""
    edges = np.zeros(table.states * table.inputs, dtype=np.uint8)
    below = np.flatnonzero(cover.parent >= 0)
    edges[cover.parent[below].astype(np.int64) * table.inputs + cover.symbol[below]] = 1
    return edges


def leaf_states(table: Table, cover: StateCover, *, extra_states: int) -> IntArray:
    """The states of the leaves of the tree, in order."""
    here = np.zeros(table.states, dtype=np.bool_)
    here[table.target[cover_edges(table, cover) == 0]] = True
    rows = table.target.reshape(table.states, table.inputs)
    for _ in range(extra_states):
        there = np.zeros(table.states, dtype=np.bool_)
        there[rows[here]] = True
        here = there
    return np.flatnonzero(here).astype(np.int32)


def everywhere(identifiers: Identifiers, *, extra_states: int) -> NodeIdentifiers:
    """Give inner nodes the same identifiers as leaves."""
    return NodeIdentifiers(
        child=identifiers.child,
        sibling=identifiers.sibling,
        symbol=identifiers.symbol,
        leaf=identifiers.root,
        inner=np.tile(identifiers.root, extra_states + 1),
    )


def where_needed(
    table: Table, cover: StateCover, identifiers: Identifiers, *, extra_states: int, agreement: Agreement
) -> NodeIdentifiers:
    """Give inner nodes only what they need.

    Guarantee: every leaf is apart from every inner node of another state, and every node of the cover is apart from
    every inner node of another state. With all inputs at all inner nodes these are the conditions of
    k-A-completeness (Vaandrager and Melse 2025) for k = extra states, so the suite is complete for machines of up to
    ``extra_states`` more states.

    Why nodes of the cover are apart from inner nodes: follow a shortest separating word of their states from both.
    While both stay inner, the next input is there; if one becomes a leaf, it is apart from the other by the first
    condition; if both do, their harmonised identifiers separate them. Where identifiers are loose, the nodes of the
    cover carry those of their own states, and the first condition applies to them as to leaves.
    """
    nodes = len(identifiers.child)
    harmonised = agreement is Agreement.HARMONISED
    # Loose identifiers: any state's may be needed anywhere. Then all words hang below one root of candidates.
    trees = identifiers if harmonised else _with_union(identifiers)
    candidate = trees.root if harmonised else np.full(table.states, nodes, dtype=np.int32)
    size = len(trees.child) - nodes
    offset = np.zeros(table.states, dtype=np.int64)
    if not harmonised:
        offset = np.arange(table.states, dtype=np.int64) * size - nodes
    marks = np.zeros((extra_states + 1, nodes if harmonised else size * table.states), dtype=np.uint8)
    inner = InnerWords(
        (table.target, table.output, table.inputs, extra_states),
        cover_edges(table, cover),
        (trees.child, trees.sibling, trees.symbol),
        (trees.root, candidate),
        offset,
        marks,
    )
    inner.settle(cover.order, leaf_states(table, cover, extra_states=extra_states), not harmonised)
    child, sibling, symbol, roots = inner.carve()
    return NodeIdentifiers(child=child, sibling=sibling, symbol=symbol, leaf=trees.root, inner=roots)


def _with_union(identifiers: Identifiers) -> Identifiers:
    """Add one more tree, at the end, with the words of all states."""
    from fullproof.artefacts.kernels.forest import Forest

    forest = Forest(1)
    for state in range(len(identifiers.root)):
        for word in identifiers.words(state):
            forest.insert(0, np.array(word, dtype=np.int32))
    child, sibling, symbol = forest.arrays()
    shift = len(identifiers.child)
    return Identifiers(
        child=np.concatenate((identifiers.child, np.where(child >= 0, child + shift, -1))).astype(np.int32),
        sibling=np.concatenate((identifiers.sibling, np.where(sibling >= 0, sibling + shift, -1))).astype(np.int32),
        symbol=np.concatenate((identifiers.symbol, symbol)).astype(np.int32),
        root=identifiers.root,
    )
