"""Distinguish the nodes of the state cover at the end, where the tests have not done it by the way.

Only what the tests show below these very nodes counts: that they are different states comes before all merging.
"""

from typing import Any

import cython
import numpy as np

from fullproof.generate.finite.kernels.walks.trie import Trie


@cython.cclass
class WindowCover:
    """The tests as a trie, and the nodes of the state cover in it."""

    n: cython.int
    p: cython.int
    target: cython.int[::1]
    output: cython.int[::1]
    letter: cython.int[::1]
    trie: Trie
    kids: cython.int[::1]
    place: cython.int[::1]
    access: list[list[int]]
    added: list[list[int]]
    trial: cython.int[::1]
    best: cython.int[::1]
    length: cython.int

    def __init__(
        self,
        table: tuple[Any, Any],
        access: list[list[int]],
        tests: list[list[int]],
        letter: cython.int[::1],
    ) -> None:
        self.target, self.output = table
        self.letter = letter
        self.n = len(access)
        self.p = self.target.shape[0] // self.n
        self.access = access
        self.trie = Trie(self.p)
        for test in tests:
            self.trie.insert(test)
        self.place = np.array([self.trie.insert(word) for word in access], dtype=np.int32)
        self.kids = self.trie.array()
        self.added = []
        self.trial = np.zeros(self.n + 1, dtype=np.int32)
        self.best = np.zeros(self.n + 1, dtype=np.int32)

    @cython.cfunc
    @cython.exceptval(check=False)
    def apart(self, x: cython.int, q: cython.int, y: cython.int, r: cython.int) -> cython.bint:
        """Does a word below both nodes, whose labels are q and r, give different outputs?"""
        k: cython.int
        one: cython.int
        other: cython.int
        if q == r:
            return False
        for k in range(self.p):
            one = self.kids[x * self.p + k]
            other = self.kids[y * self.p + k]
            if one >= 0 and other >= 0:
                if self.output[q * self.p + k] != self.output[r * self.p + k]:
                    return True
                if self.apart(one, self.target[q * self.p + k], other, self.target[r * self.p + k]):
                    return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def shortest(self, x: cython.int, q: cython.int, r: cython.int, depth: cython.int) -> cython.void:
        """Find the shortest word below a node with label q that separates q from r, if shorter than the best so far."""
        k: cython.int
        j: cython.int
        if q == r or depth + 1 >= self.length:
            return
        for k in range(self.p):
            if self.kids[x * self.p + k] >= 0 and self.target[r * self.p + k] >= 0:
                self.trial[depth] = k
                if self.output[q * self.p + k] != self.output[r * self.p + k]:
                    self.length = depth + 1
                    for j in range(depth + 1):
                        self.best[j] = self.trial[j]
                    return
                self.shortest(
                    self.kids[x * self.p + k], self.target[q * self.p + k], self.target[r * self.p + k], depth + 1
                )

    @cython.cfunc
    def pairwise(self, q: cython.int, r: cython.int) -> list[int]:
        """Return a shortest word that separates two states."""
        word: list[int] = []
        k: cython.int
        while True:
            k = self.letter[q * self.n + r]
            word.append(k)
            if self.output[q * self.p + k] != self.output[r * self.p + k]:
                return word
            q = self.target[q * self.p + k]
            r = self.target[r * self.p + k]

    @cython.cfunc
    def separate(self, q: cython.int, r: cython.int) -> cython.void:
        """Add tests that distinguish two nodes: the shortest word that one of them has already, else a shortest one."""
        word = self.pairwise(q, r)
        self.length = min(self.n, 2 * len(word) + self.n // 4 + 2)
        most: cython.int = self.length
        self.shortest(self.place[q], q, r, 0)
        self.shortest(self.place[r], r, q, 0)
        if self.length < most:
            word = [self.best[j] for j in range(self.length)]
        for state in (q, r):
            test = self.access[state] + word
            self.trie.insert(test)
            self.added.append(test)
        self.kids = self.trie.array()

    def tell_apart(self) -> list[list[int]]:
        """Return tests after which all nodes of the cover are pairwise apart."""
        q: cython.int
        r: cython.int
        for q in range(self.n):
            for r in range(q):
                if not self.apart(self.place[q], q, self.place[r], r):
                    self.separate(q, r)
        return self.access + self.added
