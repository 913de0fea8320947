"""State covers and transition covers of deterministic machines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fullproof.analysis.table import IntArray, Table
from fullproof.artefacts.words import WordList, word_list


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StateCover:
    """A tree of shortest access words: ``parent``, ``symbol`` and ``depth`` of each state, -1 where there is none.

    ``order`` lists the reachable states in breadth-first order, the initial one first.
    """

    parent: IntArray
    symbol: IntArray
    depth: IntArray
    order: IntArray

    def word(self, state: int) -> tuple[int, ...]:
        """The access word of a reachable state."""
        word: list[int] = []
        while self.parent[state] >= 0:
            word.append(int(self.symbol[state]))
            state = int(self.parent[state])
        return tuple(reversed(word))


def state_cover(table: Table) -> StateCover:
    """Build the breadth-first tree that tries inputs in the order of their numbers.

    Guarantee: the words are shortest, and the set of words is closed under prefixes.
    """
    parent = np.full(table.states, -1, dtype=np.int32)
    symbol = parent.copy()
    depth = parent.copy()
    depth[0] = 0
    order = [0]
    target = table.target.reshape(table.states, table.inputs)
    for state in order:  # grows while it is walked
        row = target[state]
        for i in np.flatnonzero((row >= 0) & (depth[row] < 0)).tolist():
            successor = int(row[i])
            if depth[successor] < 0:
                parent[successor], symbol[successor] = state, i
                depth[successor] = depth[state] + 1
                order.append(successor)
    return StateCover(parent=parent, symbol=symbol, depth=depth, order=np.array(order, dtype=np.int32))


def transition_cover(table: Table, cover: StateCover) -> WordList:
    """The words of the cover, each followed by every input defined there, in breadth-first order."""
    target = table.target.reshape(table.states, table.inputs)
    return word_list(
        (*cover.word(state), i) for state in cover.order.tolist() for i in np.flatnonzero(target[state] >= 0).tolist()
    )
