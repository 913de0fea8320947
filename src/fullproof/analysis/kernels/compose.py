"""Enumerate the maximal words of a suite {v.x.w : v in cover, |x| <= a + 1, w identifies the state after v.x}.

The words v.x form a prefix tree P whose leaves are the v.x with |x| = a + 1 that no shorter x reaches; where a machine
is partial, x is defined after v. Every inner node of P has all its children in P, so each word of the suite is a prefix
of another one or leaves P through a leaf. Below a leaf lie its own identifiers and what is left of those of its
ancestors; a walk through P carries the latter along as positions in their trees. So each leaf determines all tests
through it, and neither P nor the suite is ever stored.
"""

from typing import Any

import cython
import numpy as np

from fullproof.core.budget import require_room


@cython.cclass
class Composer:
    """A walk through P in lexicographic order that can stop between two leaves and go on later."""

    states: cython.int
    inputs: cython.int
    steps: cython.int
    target: cython.int[::1]
    covers: cython.uchar[::1]
    child: cython.int[::1]
    sibling: cython.int[::1]
    symbol: cython.int[::1]
    inner: cython.int[::1]
    outer: cython.int[::1]
    path: cython.int[::1]
    state: cython.int[::1]
    level: cython.int[::1]
    upcoming: cython.int[::1]
    bound: cython.int[::1]
    position: cython.int[::1]
    cursor: cython.int[::1]
    depth: cython.int
    symbols: cython.int[::1]
    offsets: cython.longlong[::1]
    used: cython.longlong
    words: cython.longlong
    all_used: cython.longlong
    all_words: cython.longlong
    keep: cython.bint

    def __init__(
        self,
        inputs: cython.int,
        extra: cython.int,
        target: cython.int[::1],
        covers: cython.uchar[::1],
        trees: tuple[object, object, object],
        roots: tuple[object, object],
    ) -> None:
        """``covers`` marks the cells that are edges of the cover's tree; ``trees`` are the arrays of a forest.

        ``roots``: of the identifiers of state s at inner nodes of level k (entry k * states + s), and at leaves of P.
        """
        self.states = target.shape[0] // inputs
        deepest: cython.int = self.states + extra + 2
        self.inputs = inputs
        self.steps = extra + 1
        self.target = target
        self.covers = covers
        self.child, self.sibling, self.symbol = trees
        self.inner, self.outer = roots
        room: cython.int = deepest + self.child.shape[0] + 1
        self.path = np.zeros(room, dtype=np.int32)
        self.state = np.zeros(deepest, dtype=np.int32)
        self.level = np.zeros(deepest, dtype=np.int32)
        self.upcoming = np.zeros(deepest, dtype=np.int32)
        self.bound = np.zeros(deepest + 1, dtype=np.int32)
        self.position = np.zeros(64, dtype=np.int32)
        self.cursor = np.zeros(64, dtype=np.int32)
        self.symbols = np.zeros(1024, dtype=np.int32)
        self.offsets = np.zeros(64, dtype=np.int64)
        self.depth = 0
        self.used = 0
        self.words = 0
        self.all_used = 0
        self.all_words = 0
        self.keep = True

    def start(self, prefix: Any, keep: bool) -> None:
        """Before the first ``run``: walk only through what lies below a word of P.

        Nodes on the way have no other children then, so walks below words that part P make up the whole walk.
        """
        here: cython.int
        cell: cython.int
        self.keep = keep
        for symbol in prefix:
            here = self.depth
            self.path[here] = symbol
            self.upcoming[here] = self.inputs
            cell = self.state[here] * self.inputs + self.path[here]
            self.descend(here)
            self.advance(here, cell)

    def run(self, limit: cython.longlong, keep: bool) -> bool:
        """Go on until ``limit`` inputs are laid out; returns whether there may be more.

        Where ``keep`` is false the tests are only counted.
        """
        here: cython.int
        cell: cython.int
        self.keep = keep
        while self.depth >= 0 and self.used < limit:
            here = self.depth
            if self.upcoming[here] == self.inputs:
                self.depth -= 1
                continue
            self.path[here] = self.upcoming[here]
            self.upcoming[here] += 1
            cell = self.state[here] * self.inputs + self.path[here]
            if self.target[cell] >= 0:
                self.descend(here)
                self.advance(here, cell)
        return bool(self.depth >= 0)

    def take(self) -> tuple[Any, Any]:
        """Hand out the tests laid out since the last time."""
        symbols = np.array(self.symbols[: self.used])
        offsets = np.array(self.offsets[: self.words + 1])
        self.used = 0
        self.words = 0
        return symbols, offsets

    def counts(self) -> tuple[int, int]:
        """Tests and inputs so far."""
        return self.all_words, self.all_used

    @cython.cfunc
    def advance(self, here: cython.int, cell: cython.int) -> cython.void:
        """Go on to the node that the current input leads to; a leaf is laid out at once."""
        if self.level[here] == 0 and self.covers[cell]:
            self.enter(here + 1, self.target[cell], 0)
        elif self.level[here] + 1 < self.steps:
            self.enter(here + 1, self.target[cell], self.level[here] + 1)
        else:
            self.leaf(here + 1, self.target[cell])

    @cython.cfunc
    def enter(self, depth: cython.int, state: cython.int, level: cython.int) -> cython.void:
        """Make an inner node of P the current one."""
        self.depth = depth
        self.state[depth] = state
        self.level[depth] = level
        self.upcoming[depth] = 0

    @cython.cfunc
    def descend(self, here: cython.int) -> cython.void:
        """Move the positions of all ancestors, and the root of this node's identifiers, along the current input."""
        k: cython.int
        first: cython.int = 0 if here == 0 else self.bound[here - 1]
        top: cython.int = self.bound[here]
        while top + top - first + 2 > self.position.shape[0]:
            self.widen()
        symbol: cython.int = self.path[here]
        end: cython.int = top
        for k in range(first, top):
            end = self.follow(self.position[k], symbol, end)
        end = self.follow(self.inner[self.level[here] * self.states + self.state[here]], symbol, end)
        self.bound[here + 1] = end

    @cython.cfunc
    def follow(self, node: cython.int, symbol: cython.int, end: cython.int) -> cython.int:
        """Push the child by a symbol where words go on below it."""
        node = self.child[node]
        while node >= 0 and self.symbol[node] < symbol:
            node = self.sibling[node]
        if node >= 0 and self.symbol[node] == symbol and self.child[node] >= 0:
            self.position[end] = node
            end += 1
        return end

    @cython.cfunc
    def leaf(self, depth: cython.int, state: cython.int) -> cython.void:
        """Lay out all tests through a leaf of P."""
        end: cython.int = self.bound[depth]
        while end + 2 > self.position.shape[0]:
            self.widen()
        self.position[end] = self.outer[state]
        self.spread(self.bound[depth - 1], end + 1, depth)

    @cython.cfunc
    def spread(self, first: cython.int, end: cython.int, depth: cython.int) -> cython.void:
        """Lay out the words below several positions at once, those that begin alike together."""
        k: cython.int
        smallest: cython.int
        reached: cython.int
        alive: cython.bint = False
        while 2 * end - first + 2 > self.position.shape[0]:
            self.widen()
        for k in range(first, end):
            self.cursor[k] = self.child[self.position[k]]
            if self.cursor[k] >= 0:
                alive = True
        if not alive:
            self.emit(depth)
            return
        while True:
            smallest = -1
            for k in range(first, end):
                if self.cursor[k] >= 0 and (smallest < 0 or self.symbol[self.cursor[k]] < smallest):
                    smallest = self.symbol[self.cursor[k]]
            if smallest < 0:
                return
            reached = end
            for k in range(first, end):
                if self.cursor[k] >= 0 and self.symbol[self.cursor[k]] == smallest:
                    self.position[reached] = self.cursor[k]
                    reached += 1
                    self.cursor[k] = self.sibling[self.cursor[k]]
            self.path[depth] = smallest
            self.spread(end, reached, depth + 1)

    @cython.cfunc
    def emit(self, depth: cython.int) -> cython.void:
        """Lay out the current path as a test."""
        k: cython.int
        self.all_words += 1
        self.all_used += depth
        if not self.keep:
            return
        if self.used + depth > self.symbols.shape[0]:
            require_room(2 * self.symbols.shape[0], each=0.25)
            more = np.zeros(self.symbols.shape[0] + depth, dtype=np.int32)
            self.symbols = np.concatenate((np.asarray(self.symbols), more))
        if self.words + 2 > self.offsets.shape[0]:
            self.offsets = np.concatenate((np.asarray(self.offsets), np.zeros(self.offsets.shape[0], dtype=np.int64)))
        for k in range(depth):
            self.symbols[self.used + k] = self.path[k]
        self.used += depth
        self.words += 1
        self.offsets[self.words] = self.used

    @cython.cfunc
    def widen(self) -> cython.void:
        """Double the room for positions."""
        more = np.zeros(self.position.shape[0], dtype=np.int32)
        self.position = np.concatenate((np.asarray(self.position), more))
        self.cursor = np.concatenate((np.asarray(self.cursor), more))
