"""Which identifiers the inner nodes of a suite's tree need so that the leaves can be distinguished from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from fullproof.analysis.covers import StateCover
from fullproof.analysis.identifiers import Identifiers, Word
from fullproof.analysis.kernels.inner import InnerWords
from fullproof.analysis.separation import Separation
from fullproof.analysis.table import IntArray, Table
from fullproof.artefacts.kernels.forest import Forest


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
    here[table.target[(cover_edges(table, cover) == 0) & (table.target >= 0)]] = True
    rows = table.target.reshape(table.states, table.inputs)
    for _ in range(extra_states):
        there = np.zeros(table.states, dtype=np.bool_)
        after = rows[here]
        there[after[after >= 0]] = True
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
    cover carry those of their own states, and every inner node is made apart from them as it is from leaves.
    """
    if agreement is Agreement.HARMONISED:
        inner = _inner_words(table, cover, identifiers, identifiers.root, extra_states)
        inner.settle(cover.order, leaf_states(table, cover, extra_states=extra_states), False)
        return _carved(inner, identifiers)
    trees = with_union(identifiers, ())
    inner = _inner_words(table, cover, trees, _union_root(identifiers), extra_states)
    inner.settle(cover.order, np.arange(table.states, dtype=np.int32), True)
    return _carved(inner, trees)


def where_paths_need(
    table: Table, cover: StateCover, identifiers: Identifiers, separation: Separation, *, extra_states: int
) -> NodeIdentifiers:
    """Give inner nodes what the H-method needs (Dorofeeva, El-Fakih, Yevtushenko 2005), which is less.

    Guarantee: nodes of the cover are apart from all nodes of other states, and any two nodes of different states on one
    path that starts in the cover are apart. That makes the suite complete for machines of up to ``extra_states`` more
    states.
    """
    trees = with_union(identifiers, _pair_words(separation))
    inner = _inner_words(table, cover, trees, _union_root(identifiers), extra_states)
    within = _within(table, extra_states)
    for level in range(extra_states, 0, -1):
        state, reached = np.nonzero(within[extra_states + 1 - level])
        start = np.searchsorted(state, np.arange(table.states + 1)).astype(np.int32)
        inner.settle_level(level, cover.order, reached.astype(np.int32), start)
    inner.settle_cover(cover.order, leaf_states(table, cover, extra_states=extra_states), False)
    for one, other in _distant_pairs(separation):
        word = np.array(separation.word(one, other), dtype=np.int32)
        inner.meet((one, 0), (other, 0), word)
        for level in range(1, extra_states + 1):
            inner.meet((one, level), (other, 0), word)
            inner.meet((other, level), (one, 0), word)
            for further in range(level + 1, extra_states + 1):
                if within[further - level][one, other]:
                    inner.meet((one, level), (other, further), word)
                if within[further - level][other, one]:
                    inner.meet((other, level), (one, further), word)
    return _carved(inner, trees)


def with_union(identifiers: Identifiers, words: Iterable[Word]) -> Identifiers:
    """Add one more tree, at the end, with the words of all states and some more."""
    forest = Forest(1)
    for state in range(len(identifiers.root)):
        for word in identifiers.words(state):
            forest.insert(0, np.array(word, dtype=np.int32))
    for word in words:
        forest.insert(0, np.array(word, dtype=np.int32))
    child, sibling, symbol = forest.arrays()
    shift = len(identifiers.child)
    return Identifiers(
        child=np.concatenate((identifiers.child, np.where(child >= 0, child + shift, -1))).astype(np.int32),
        sibling=np.concatenate((identifiers.sibling, np.where(sibling >= 0, sibling + shift, -1))).astype(np.int32),
        symbol=np.concatenate((identifiers.symbol, symbol)).astype(np.int32),
        root=identifiers.root,
    )


def _union_root(identifiers: Identifiers) -> IntArray:
    return np.full(len(identifiers.root), len(identifiers.child), dtype=np.int32)


def _inner_words(
    table: Table, cover: StateCover, trees: Identifiers, candidate: IntArray, extra_states: int
) -> InnerWords:
    """Candidates with separate roots share no nodes, so one mark per node is enough; those below a common root share
    nodes.
    """
    offset = np.zeros(table.states, dtype=np.int64)
    size = len(trees.child)
    if len(np.unique(candidate)) < table.states:
        first = int(candidate[0])
        offset = np.arange(table.states, dtype=np.int64) * (size - first) - first
        size = (size - first) * table.states
    return InnerWords(
        (table.target, table.output, table.inputs, extra_states),
        cover_edges(table, cover),
        (trees.child, trees.sibling, trees.symbol),
        (trees.root, candidate),
        offset,
        np.zeros((extra_states + 1, size), dtype=np.uint8),
    )


def _carved(inner: InnerWords, trees: Identifiers) -> NodeIdentifiers:
    child, sibling, symbol, roots = inner.carve()
    return NodeIdentifiers(child=child, sibling=sibling, symbol=symbol, leaf=trees.root, inner=roots)


def _within(table: Table, steps: int) -> list[NDArray[np.bool_]]:
    """For each number of steps: which states are reached from which."""
    rows = table.target.reshape(table.states, table.inputs)
    reached = [np.eye(table.states, dtype=np.bool_)]
    for _ in range(steps):
        step = np.zeros_like(reached[-1])
        for symbol in range(table.inputs):
            step |= reached[-1][rows[:, symbol]]
        reached.append(step)
    return reached


def _distant_pairs(separation: Separation) -> list[tuple[int, int]]:
    """The pairs that no single input separates: inner nodes have all inputs, so only these need care."""
    numbers = np.flatnonzero(separation.lengths > 1)
    high = ((1 + np.sqrt(1 + 8 * numbers.astype(np.float64))) // 2).astype(np.int64)
    high -= high * (high - 1) // 2 > numbers  # rounding
    low = numbers - high * (high - 1) // 2
    return list(zip(low.tolist(), high.tolist(), strict=True))


def _pair_words(separation: Separation) -> set[Word]:
    return {separation.word(one, other) for one, other in _distant_pairs(separation)}
