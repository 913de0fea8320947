"""Which nodes of an H suite's tree are apart, and the cheapest words that set two of them apart.

Two nodes are apart if a word that lies below both is answered differently.
"""

from typing import Any

import cython
import numpy as np

_ENDLESS = cython.declare(cython.int, 1 << 30)


@cython.cclass
class Mender:
    """Looks at the arrays of a tree (``Tree.arrays``), which it never changes."""

    p: cython.int
    extra: cython.int
    target: cython.int[::1]
    output: cython.int[::1]
    first: cython.ushort[::1]
    length: cython.ushort[::1]
    level: cython.uchar[::1]
    above: cython.int[::1]
    access: cython.int[::1]
    child: cython.int[::1]
    sibling: cython.int[::1]
    symbol: cython.int[::1]
    label: cython.int[::1]
    depth: cython.int[::1]
    word: cython.int[::1]
    best: cython.int[::1]
    size: cython.int
    least: cython.int
    reach: cython.int

    def __init__(
        self, table: tuple[Any, Any], separation: tuple[Any, Any], plan: tuple[Any, Any, Any], extra: int
    ) -> None:
        """``separation``: first inputs and lengths of separating words; ``plan``: levels, parents, access."""
        self.target, self.output = table
        self.first, self.length = separation
        self.level, self.above, self.access = plan
        self.p = self.target.shape[0] // self.access.shape[0]
        self.extra = extra
        longest: cython.int = 2 * int(np.max(np.asarray(self.length), initial=0)) + self.extra + 8
        self.word = np.zeros(longest, dtype=np.int32)
        self.best = np.zeros(longest, dtype=np.int32)
        self.size = 0
        self.least = 0
        self.reach = 0

    def look_at(self, arrays: tuple[Any, ...]) -> None:
        """Take the tree as it is now."""
        self.child, self.sibling, self.symbol, self.label, self.depth = arrays

    @cython.cfunc
    @cython.exceptval(check=False)
    def whole(self, node: cython.int) -> cython.bint:
        """Does a node have all children, in one block?"""
        return node < self.level.shape[0] and self.level[node] <= self.extra

    @cython.cfunc
    @cython.exceptval(check=False)
    def find(self, node: cython.int, k: cython.int) -> cython.int:
        """The child by a symbol, -1 where there is none."""
        if self.whole(node):
            return self.child[node] + k
        node = self.child[node]
        while node >= 0 and self.symbol[node] < k:
            node = self.sibling[node]
        if node >= 0 and self.symbol[node] == k:
            return node
        return -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def pair(self, one: cython.int, other: cython.int) -> cython.Py_ssize_t:
        """The number of a pair of states."""
        low: cython.Py_ssize_t = min(one, other)
        high: cython.Py_ssize_t = max(one, other)
        return high * (high - 1) // 2 + low

    @cython.cfunc
    @cython.exceptval(check=False)
    def apart(self, one: cython.int, other: cython.int) -> cython.bint:
        """Are two nodes apart? Those of one state never are."""
        kid: cython.int
        twin: cython.int
        mine: cython.int
        yours: cython.int
        levels: cython.int
        if self.label[one] == self.label[other]:
            return False
        if self.whole(one):
            if self.whole(other):
                levels = self.extra + 1 - max(self.level[one], self.level[other])
                if self.length[self.pair(self.label[one], self.label[other])] <= levels:
                    return True
            kid = one
            one = other
            other = kid
        kid = self.child[one]
        while kid >= 0:
            twin = self.find(other, self.symbol[kid])
            if twin >= 0:
                mine = self.label[one] * self.p + self.symbol[kid]
                yours = self.label[other] * self.p + self.symbol[kid]
                if self.output[mine] != self.output[yours] or self.apart(kid, twin):
                    return True
            kid = self.sibling[kid]
        return False

    def confused(self, node: cython.int) -> tuple[int, int]:
        """Return the first pair of nodes, from a node on, that the method wants apart and that are not; -1, -1: none.

        Each node must be apart from all nodes of the cover, and from its own ancestors, that have another state.
        """
        other: cython.int
        u: cython.int
        while node < self.level.shape[0]:
            for u in range(self.access.shape[0]):
                other = self.access[u]
                if self.label[other] != self.label[node] and not self.apart(node, other):
                    return node, other
            other = self.above[node]
            while self.level[node] > 0 and self.level[other] > 0:
                if self.label[other] != self.label[node] and not self.apart(node, other):
                    return node, other
                other = self.above[other]
            node += 1
        return -1, -1

    # Words

    def cheapest(self, one: cython.int, other: cython.int) -> Any:
        """Return the word that sets two nodes apart and adds least to the tree."""
        self.least = _ENDLESS
        self.size = 0
        self.reach = self.length[self.pair(self.label[one], self.label[other])] + 3
        self.explore(one, other, self.label[one] * self.p, self.label[other] * self.p, 0, 0)
        return np.array(self.best[: self.size])

    @cython.cfunc
    @cython.exceptval(check=False)
    def toll(self, node: cython.int, kid: cython.int) -> cython.int:
        """What an input costs that leads from a node to a child, which may both be missing."""
        if kid >= 0:
            return 0
        if node < 0 or self.child[node] < 0:
            return 1
        return self.depth[node] + 2

    @cython.cfunc
    def explore(
        self,
        one: cython.int,
        other: cython.int,
        mine: cython.int,
        yours: cython.int,
        size: cython.int,
        cost: cython.int,
    ) -> cython.void:
        """Try all inputs after the word so far; ``mine``, ``yours``: the first cells of the states reached."""
        k: cython.int
        kid: cython.int
        twin: cython.int
        total: cython.int
        if one < 0 and other < 0:
            self.finish(mine, yours, size, cost)
            return
        for k in range(self.p):
            kid = self.find(one, k) if one >= 0 else -1
            twin = self.find(other, k) if other >= 0 else -1
            total = cost + self.toll(one, kid) + self.toll(other, twin)
            if total >= self.least:
                continue
            self.word[size] = k
            if self.output[mine + k] != self.output[yours + k]:
                self.keep(size + 1, total)
            elif self.target[mine + k] != self.target[yours + k] and size + 1 < self.reach:
                self.explore(
                    kid, twin, self.target[mine + k] * self.p, self.target[yours + k] * self.p, size + 1, total
                )

    @cython.cfunc
    def finish(self, mine: cython.int, yours: cython.int, size: cython.int, cost: cython.int) -> cython.void:
        """Nothing is there any more: go on with a shortest separating word."""
        k: cython.int
        x: cython.int = mine // self.p
        y: cython.int = yours // self.p
        left: cython.int = self.length[self.pair(x, y)]
        cost += 2 * left
        if cost >= self.least:
            return
        while left > 0:
            k = self.first[self.pair(x, y)]
            self.word[size] = k
            size += 1
            left -= 1
            x = self.target[x * self.p + k]
            y = self.target[y * self.p + k]
        self.keep(size, cost)

    @cython.cfunc
    def keep(self, size: cython.int, cost: cython.int) -> cython.void:
        """Remember the best word so far."""
        j: cython.int
        self.least = cost
        self.size = size
        for j in range(size):
            self.best[j] = self.word[j]
