"""A prefix tree of words as one array: child ``k`` of a node is ``kids[node * inputs + k]``, -1 where there is none."""

import cython
import numpy as np
from numpy.typing import NDArray

from fullproof.core.budget import require_room


@cython.cclass
class Trie:
    """Words over ``inputs`` letters; node 0 is the root."""

    p: cython.int
    nodes: cython.int
    kids: cython.int[::1]

    def __init__(self, inputs: cython.int) -> None:
        self.p = inputs
        self.nodes = 1
        self.kids = np.full(inputs * 1024, -1, dtype=np.int32)

    @cython.ccall
    def insert(self, word: list[int]) -> cython.int:
        """Add a word and return the node it ends in."""
        node: cython.int = 0
        k: cython.int
        for k in word:
            if self.kids[node * self.p + k] < 0:
                self.add(node, k)
            node = self.kids[node * self.p + k]
        return node

    @cython.cfunc
    def add(self, node: cython.int, k: cython.int) -> cython.void:
        """Add a child."""
        if self.nodes * self.p == self.kids.shape[0]:
            require_room(2 * self.kids.shape[0], each=0.25)
            self.kids = np.concatenate([np.asarray(self.kids), np.full(self.kids.shape[0], -1, dtype=np.int32)])
        self.kids[node * self.p + k] = self.nodes
        self.nodes += 1

    def array(self) -> NDArray[np.int32]:
        """Return the children; the array is replaced when it grows."""
        return np.asarray(self.kids)

    def words(self) -> list[list[int]]:
        """Return the maximal words, in lexicographic order."""
        found = []
        stack: list[tuple[int, list[int]]] = [(0, [])]
        k: cython.int
        while stack:
            node, word = stack.pop()
            inner: cython.bint = False
            for k in range(self.p - 1, -1, -1):
                child: cython.int = self.kids[node * self.p + k]
                if child >= 0:
                    stack.append((child, [*word, k]))
                    inner = True
            if not inner:
                found.append(word)
        return found
