"""Observation trees and apartness.

A tree is kept as sibling lists: ``first`` child and next one ``after`` it, sorted by input. Each node but the root is
also the edge that leads to it: ``symbol`` and ``output`` stand on that edge. ``label`` is the state of the model.
"""

from typing import Any

import cython
import numpy as np

DEPTH = 400
"""Longer words are ignored, which is safe: a check may then fail that would have succeeded."""


def grow(
    symbols: cython.int[::1],
    offsets: cython.longlong[::1],
    target: cython.int[::1],
    answer: cython.int[::1],
    inputs: cython.int,
) -> tuple[Any, ...]:
    """Return (first, after, symbol, output, label, parent) of the tree of all words; a parent precedes its children."""
    capacity: cython.longlong = symbols.shape[0] + 1
    arrays = [np.full(capacity, -1, dtype=np.int32) for _ in range(6)]
    first: cython.int[::1] = arrays[0]
    after: cython.int[::1] = arrays[1]
    symbol: cython.int[::1] = arrays[2]
    output: cython.int[::1] = arrays[3]
    label: cython.int[::1] = arrays[4]
    parent: cython.int[::1] = arrays[5]
    nodes: cython.int = 1
    label[0] = 0
    word: cython.longlong
    k: cython.longlong
    node: cython.int
    before: cython.int
    here: cython.int
    for word in range(offsets.shape[0] - 1):
        node = 0
        for k in range(offsets[word], offsets[word + 1]):
            before = -1
            here = first[node]
            while here >= 0 and symbol[here] < symbols[k]:
                before = here
                here = after[here]
            if here < 0 or symbol[here] != symbols[k]:
                after[nodes] = here
                if before < 0:
                    first[node] = nodes
                else:
                    after[before] = nodes
                here = nodes
                nodes += 1
                symbol[here] = symbols[k]
                output[here] = answer[label[node] * inputs + symbols[k]]
                label[here] = target[label[node] * inputs + symbols[k]]
                parent[here] = node
            node = here
    return tuple(array[:nodes].copy() for array in arrays)


@cython.cclass
class ApartNodes:
    """Which nodes are apart: some word defined below both gives different outputs.

    ``into`` says where an edge leads: to itself in a tree, elsewhere once nodes are known to be the same state.
    """

    first: cython.int[::1]
    after: cython.int[::1]
    symbol: cython.int[::1]
    output: cython.int[::1]
    label: cython.int[::1]
    into: cython.int[::1]
    settled: cython.uchar[::1]
    moved: cython.int[::1]

    def __init__(
        self,
        first: cython.int[::1],
        after: cython.int[::1],
        symbol: cython.int[::1],
        output: cython.int[::1],
        label: cython.int[::1],
    ) -> None:
        self.first = first
        self.after = after
        self.symbol = symbol
        self.output = output
        self.label = label
        self.into = np.arange(first.shape[0], dtype=np.int32)
        self.settled = np.zeros(first.shape[0], dtype=np.uint8)
        self.moved = np.full(first.shape[0], -1, dtype=np.int32)

    @cython.ccall
    @cython.exceptval(check=False)
    def apart(self, one: cython.int, other: cython.int, depth: cython.int) -> cython.bint:
        """Whether a word of at most ``depth`` inputs defined below both nodes gives different outputs.

        Nodes with the same label expect the same outputs: they are never apart.
        """
        e: cython.int = self.first[one]
        f: cython.int = self.first[other]
        while e >= 0 and f >= 0:
            if self.symbol[e] < self.symbol[f]:
                e = self.after[e]
            elif self.symbol[e] > self.symbol[f]:
                f = self.after[f]
            else:
                if self.output[e] != self.output[f]:
                    return True
                if (
                    depth > 1
                    and self.label[self.into[e]] != self.label[self.into[f]]
                    and (
                        (self.settled[self.into[e]] and self.settled[self.into[f]])
                        or self.apart(self.into[e], self.into[f], depth - 1)
                    )
                ):
                    return True
                e = self.after[e]
                f = self.after[f]
        return False

    def table(self, rows: cython.int[::1], columns: cython.int[::1]) -> Any:
        """A 1 for each row node and column node that are apart."""
        result = np.zeros((rows.shape[0], columns.shape[0]), dtype=np.uint8)
        cell: cython.uchar[:, ::1] = result
        limit: cython.int = DEPTH
        r: cython.Py_ssize_t
        c: cython.Py_ssize_t
        for r in range(rows.shape[0]):
            for c in range(columns.shape[0]):
                if self.label[rows[r]] != self.label[columns[c]]:
                    cell[r, c] = self.apart(rows[r], columns[c], limit)
        return result

    def first_not_apart(self, node: cython.int, others: cython.int[::1]) -> cython.Py_ssize_t:
        """The place of the first of ``others`` with another label from which the node is not apart, or -1."""
        limit: cython.int = DEPTH
        k: cython.Py_ssize_t
        for k in range(others.shape[0]):
            if self.label[node] != self.label[others[k]] and not self.apart(node, others[k], limit):
                return k
        return -1

    @cython.ccall
    def end(self, edge: cython.int) -> cython.int:
        """The node that an edge leads to."""
        return self.into[edge]

    @cython.ccall
    def edge(self, node: cython.int, symbol: cython.int) -> cython.int:
        """The edge of a node with a given input, or -1."""
        e: cython.int = self.first[node]
        while e >= 0 and self.symbol[e] != symbol:
            e = self.after[e]
        return e

    def settle(self, nodes: cython.int[::1]) -> None:
        """From now on these nodes count as apart; needs: they are. One for each label; other nodes are merged into
        them.
        """
        k: cython.Py_ssize_t
        for k in range(nodes.shape[0]):
            self.settled[nodes[k]] = 1

    @cython.ccall
    @cython.exceptval(check=False)
    def now(self, node: cython.int) -> cython.int:
        """The node that has absorbed a node, or the node itself."""
        while self.moved[node] >= 0:
            node = self.moved[node]
        return node

    def redirect(self, edge: cython.int, node: cython.int) -> None:
        """Let an edge lead to a node that is known to be the same state; observations below it are moved there."""
        former: cython.int = self.into[edge]
        self.into[edge] = node
        self.absorb(former, node)

    def absorb(self, source: cython.int, sink: cython.int) -> None:
        """Move all observations below one node to another one, word by word."""
        todo = [(source, sink)]
        e: cython.int
        f: cython.int
        following: cython.int
        before: cython.int
        while todo:
            source, sink = todo.pop()
            source, sink = self.now(source), self.now(sink)
            if self.settled[source]:
                source, sink = sink, source
            if source == sink:
                continue
            self.moved[source] = sink
            e = self.first[source]
            self.first[source] = -1
            while e >= 0:
                following = self.after[e]
                before = -1
                f = self.first[sink]
                while f >= 0 and self.symbol[f] < self.symbol[e]:
                    before = f
                    f = self.after[f]
                if f >= 0 and self.symbol[f] == self.symbol[e]:
                    if self.settled[self.into[e]]:
                        todo.append((self.into[f], self.into[e]))
                        self.into[f] = self.into[e]
                    else:
                        todo.append((self.into[e], self.into[f]))
                else:
                    self.after[e] = f
                    if before < 0:
                        self.first[sink] = e
                    else:
                        self.after[before] = e
                e = following
