"""Prefix trees in four arrays: first child, next sibling, symbol, depth. Siblings are sorted by symbol.

Nodes 0..roots-1 are the roots; a node takes 16 bytes whatever the alphabet.
"""

from typing import Any

import cython
import numpy as np

from fullproof.core.budget import require_room


@cython.cclass
class Forest:
    """Several prefix trees that share their storage."""

    child: cython.int[::1]
    sibling: cython.int[::1]
    symbol: cython.int[::1]
    depth: cython.int[::1]
    size: cython.int
    roots: cython.int

    def __init__(self, roots: cython.int) -> None:
        room: cython.int = roots + 64
        self.child = np.full(room, -1, dtype=np.int32)
        self.sibling = np.full(room, -1, dtype=np.int32)
        self.symbol = np.full(room, -1, dtype=np.int32)
        self.depth = np.zeros(room, dtype=np.int32)
        self.size = roots
        self.roots = roots

    def nodes(self) -> cython.int:
        """How many nodes there are, roots included."""
        return self.size

    def arrays(self) -> tuple[Any, Any, Any]:
        """First child, next sibling and symbol of each node, -1 where there is none."""
        return (
            np.asarray(self.child)[: self.size],
            np.asarray(self.sibling)[: self.size],
            np.asarray(self.symbol)[: self.size],
        )

    @cython.cfunc
    def grow(self) -> cython.void:
        """Double the room."""
        require_room(2 * self.child.shape[0])
        more = np.full(self.child.shape[0], -1, dtype=np.int32)
        self.child = np.concatenate((np.asarray(self.child), more))
        self.sibling = np.concatenate((np.asarray(self.sibling), more))
        self.symbol = np.concatenate((np.asarray(self.symbol), more))
        self.depth = np.concatenate((np.asarray(self.depth), more))

    @cython.ccall
    @cython.exceptval(check=False)
    def find(self, node: cython.int, symbol: cython.int) -> cython.int:
        """The child by a symbol, -1 where there is none."""
        node = self.child[node]
        while node >= 0 and self.symbol[node] < symbol:
            node = self.sibling[node]
        if node >= 0 and self.symbol[node] == symbol:
            return node
        return -1

    @cython.ccall
    def extend(self, node: cython.int, symbol: cython.int) -> cython.int:
        """The child by a symbol, made where there is none."""
        before: cython.int = -1
        here: cython.int = self.child[node]
        while here >= 0 and self.symbol[here] < symbol:
            before = here
            here = self.sibling[here]
        if here >= 0 and self.symbol[here] == symbol:
            return here
        if self.size == self.child.shape[0]:
            self.grow()
        fresh: cython.int = self.size
        self.size += 1
        self.symbol[fresh] = symbol
        self.depth[fresh] = self.depth[node] + 1
        self.sibling[fresh] = here
        if before < 0:
            self.child[node] = fresh
        else:
            self.sibling[before] = fresh
        return fresh

    @cython.ccall
    @cython.exceptval(check=False)
    def price(self, node: cython.int, symbol: cython.int) -> cython.int:
        """What an input costs after a word: nothing where it is there, one at the end of a test, else a new test."""
        if self.find(node, symbol) >= 0:
            return 0
        return 1 if self.child[node] < 0 else self.depth[node] + 2

    def insert(self, node: cython.int, word: cython.int[::1]) -> cython.int:
        """Add a word below a node; returns its last node."""
        k: cython.Py_ssize_t
        for k in range(word.shape[0]):
            node = self.extend(node, word[k])
        return node

    def insert_all(self, root: cython.int, symbols: cython.int[::1], offsets: cython.longlong[::1]) -> None:
        """Add words that lie end to end."""
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        node: cython.int
        for k in range(offsets.shape[0] - 1):
            node = root
            for j in range(offsets[k], offsets[k + 1]):
                node = self.extend(node, symbols[j])

    def insert_each(self, nodes: cython.int[::1], symbols: cython.int[::1], offsets: cython.longlong[::1]) -> None:
        """Add words that lie end to end, each one below a node of its own."""
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        node: cython.int
        for k in range(offsets.shape[0] - 1):
            node = nodes[k]
            for j in range(offsets[k], offsets[k + 1]):
                node = self.extend(node, symbols[j])

    def measure(self, root: cython.int) -> tuple[int, int]:
        """Count the leaves of a tree and the sum of their depths; a tree of one node has no tests."""
        return measured(self.child, self.sibling, root)

    def maximal(self, root: cython.int) -> tuple[Any, Any]:
        """Lay the words of all leaves of a tree end to end, in lexicographic order."""
        return leaf_words(self.child, self.sibling, self.symbol, root)


def measured(child: cython.int[::1], sibling: cython.int[::1], root: cython.int) -> tuple[int, int]:
    """Count the leaves of a tree and the sum of their depths; a tree of one node has no tests."""
    depth: cython.longlong = 0
    tests: cython.longlong = 0
    total: cython.longlong = 0
    waiting: cython.int[::1] = np.zeros(64, dtype=np.int32)
    node: cython.int = child[root]
    while node >= 0:
        if depth == waiting.shape[0]:
            waiting = np.concatenate((np.asarray(waiting), np.zeros(depth, dtype=np.int32)))
        waiting[depth] = node
        depth += 1
        if child[node] >= 0:
            node = child[node]
            continue
        tests += 1
        total += depth
        node = -1
        while depth > 0 and node < 0:
            depth -= 1
            node = sibling[waiting[depth]]
    return tests, total


def leaf_words(
    child: cython.int[::1], sibling: cython.int[::1], symbol: cython.int[::1], root: cython.int
) -> tuple[Any, Any]:
    """Lay the words of all leaves of a tree end to end, in lexicographic order."""
    tests, total = measured(child, sibling, root)
    symbols_array = np.zeros(total, dtype=np.int32)
    offsets_array = np.zeros(tests + 1, dtype=np.int64)
    symbols: cython.int[::1] = symbols_array
    offsets: cython.longlong[::1] = offsets_array
    waiting: cython.int[::1] = np.zeros(64, dtype=np.int32)
    depth: cython.Py_ssize_t = 0
    used: cython.Py_ssize_t = 0
    word: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    node: cython.int = child[root]
    while node >= 0:
        if depth == waiting.shape[0]:
            waiting = np.concatenate((np.asarray(waiting), np.zeros(depth, dtype=np.int32)))
        waiting[depth] = node
        depth += 1
        if child[node] >= 0:
            node = child[node]
            continue
        for k in range(depth):
            symbols[used] = symbol[waiting[k]]
            used += 1
        word += 1
        offsets[word] = used
        node = -1
        while depth > 0 and node < 0:
            depth -= 1
            node = sibling[waiting[depth]]
    return symbols_array, offsets_array
