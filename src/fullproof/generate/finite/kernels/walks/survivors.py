"""How well each word identifies each state, for all short words: what lookahead asks most often."""

import cython
import numpy as np
from numpy.typing import NDArray

from fullproof.generate.finite.kernels.walks.arena import Arena


@cython.cclass
class Survivors:
    """Fills ``worth[state * words + word]``: the credit of a window into ``state`` after observing ``word``.

    Words are numbered as in a complete tree: the empty word is 0, word w followed by input k is w * inputs + k + 1.
    ``alive`` tells whether anything is left that more inputs could refute.
    """

    n: cython.int
    p: cython.int
    depth: cython.int
    words: cython.int
    target: cython.int[::1]
    output: cython.int[::1]
    credit: cython.double[::1]
    worth: cython.float[::1]
    alive: cython.uchar[::1]
    buffer: cython.int[::1]

    def __init__(self, arena: Arena) -> None:
        self.n, self.p, self.depth = arena.n, arena.p, arena.table_depth
        self.target, self.output, self.credit = arena.target, arena.output, arena.credit
        self.words = sum(self.p**d for d in range(self.depth + 1))
        self.worth = np.zeros(self.n * self.words, dtype=np.float32)
        self.alive = np.zeros(self.n * self.words, dtype=np.uint8)
        self.buffer = np.zeros((self.depth + 1) * self.n, dtype=np.int32)

    def fill(self) -> tuple[NDArray[np.float32], NDArray[np.uint8], int, int]:
        """Go through all states and words; return the table."""
        state: cython.int
        q: cython.int
        size: cython.int
        for state in range(self.n):
            size = 0
            for q in range(self.n):
                if q != state:
                    self.buffer[size] = q
                    size += 1
            self.grow(state * self.words, 0, state, 0, size, 0)
        return np.asarray(self.worth), np.asarray(self.alive), self.words, self.depth

    @cython.cfunc
    @cython.exceptval(check=False)
    def grow(
        self,
        base: cython.int,
        word: cython.int,
        state: cython.int,
        level: cython.int,
        size: cython.int,
        dead: cython.int,
    ) -> cython.void:
        """Note one word and go on to its extensions."""
        k: cython.int
        j: cython.int
        to: cython.int
        kept: cython.int
        merged: cython.int
        goal: cython.int
        here: cython.int = level * self.n
        self.worth[base + word] = self.credit[size + 3 * dead]
        self.alive[base + word] = size > 0
        if level == self.depth:
            return
        for k in range(self.p):
            kept = here + self.n
            merged = dead
            goal = self.target[state * self.p + k]
            if goal < 0:
                continue
            for j in range(here, here + size):
                to = self.buffer[j] * self.p + k
                if self.target[to] < 0:
                    merged += 1
                elif self.output[to] == self.output[state * self.p + k]:
                    if self.target[to] == goal:
                        merged += 1
                    else:
                        self.buffer[kept] = self.target[to]
                        kept += 1
            self.grow(base, word * self.p + k + 1, goal, level + 1, kept - here - self.n, merged)
