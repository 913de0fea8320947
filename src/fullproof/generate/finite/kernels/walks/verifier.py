"""Without extra states: verify every transition, one after the other, and merge what was observed behind it."""

import heapq
from typing import Any, NamedTuple

import cython
import numpy as np
from numpy.typing import NDArray

from fullproof.generate.finite.kernels.walks.chooser import WindowChooser
from fullproof.generate.finite.kernels.walks.merger import Merger

TRIED_PAIRS = cython.declare(cython.int, 10)


class WindowPlan(NamedTuple):
    """Choices about the order of work and the words that are tried.

    ``late`` ranks the states that transitions enter; ``near`` takes transitions by the way to them rather than by
    depth; ``lazy`` leaves the identification of the cover to others; ``extensions``: how often longer words are made
    longer still; 0 also leaves the identifiers out.
    """

    late: NDArray[np.int32]
    near: bool
    lazy: bool
    extensions: int


@cython.cclass
class Verifier:
    """Which transition is next, and the words that settle it.

    First come transitions that were passed already, then those from a state where a test ends, then others.
    """

    n: cython.int
    p: cython.int
    merger: Merger
    chooser: WindowChooser
    words: list[list[list[int]]]
    letter: cython.int[::1]
    target: cython.int[::1]
    output: cython.int[::1]
    depth: cython.int[::1]
    late: cython.int[::1]
    near: cython.bint
    lazy: cython.bint
    extensions: cython.int
    open: cython.uchar[::1]
    heap: list[tuple[int, int, int, int]]

    def __init__(
        self,
        machine: tuple[Any, Any, Any],
        parts: tuple[Merger, WindowChooser],
        words: list[list[list[int]]],
        letter: cython.int[::1],
        plan: WindowPlan,
    ) -> None:
        self.target, self.output, self.depth = machine
        self.merger, self.chooser = parts
        self.words, self.letter = words, letter
        self.late, self.near, self.lazy, self.extensions = plan
        self.n = self.depth.shape[0]
        self.p = self.target.shape[0] // self.n
        self.heap = []
        self.open = np.zeros(self.n * self.p, dtype=np.uint8)

    def run(self) -> list[list[int]]:
        """Identify the states, verify all transitions, and return the tests."""
        cell: cython.int
        state: cython.int
        for state in range(0 if self.lazy else self.n):
            for word in self.words[state]:
                self.merger.ensure(state, word)
        for cell in range(self.n * self.p):
            if not self.merger.is_verified(cell):
                self.open[cell] = 1
                self.enqueue(cell)
        while self.heap:
            self.notice()
            key = heapq.heappop(self.heap)
            cell = key[3]
            if not self.open[cell]:
                continue
            if self.key(cell) > key:
                self.enqueue(cell)
                continue
            self.settle(cell)
            self.open[cell] = 0
        return self.merger.suite()

    @cython.cfunc
    def key(self, cell: cython.int) -> tuple[int, int, int, int]:
        """Return the rank of a transition among those that wait."""
        source: cython.int = cell // self.p
        kind: cython.int = 2
        if self.merger.node_of(cell) >= 0:
            kind = 0
        elif self.merger.ends_at(source):
            kind = 1
        far: cython.int = int(self.merger.reach_cost(source)) if self.near else self.depth[source]
        return (self.late[self.target[cell]], kind, far, cell)

    @cython.cfunc
    def enqueue(self, cell: cython.int) -> cython.void:
        """Let a transition wait."""
        heapq.heappush(self.heap, self.key(cell))

    @cython.cfunc
    def notice(self) -> cython.void:
        """Rank transitions anew whose chances have become better."""
        cell: cython.int
        state: cython.int
        for cell in self.merger.take_touched():
            if self.open[cell]:
                self.enqueue(cell)
        for state in self.merger.take_arrivals():
            for cell in range(state * self.p, (state + 1) * self.p):
                if self.open[cell]:
                    self.enqueue(cell)

    @cython.cfunc
    def settle(self, cell: cython.int) -> cython.void:
        """Observe words behind a transition until it is verified."""
        source: cython.int = cell // self.p
        right: cython.int = self.target[cell]
        wrong: list[int] = self.merger.wrong_states(cell)
        while wrong:
            self.chooser.look_at(self.merger.arrays())
            self.chooser.start(cell, wrong, self.merger.reach_cost(source), self.depth[source] + 4.0)
            word = self.chooser.choose(self.candidates(right, wrong))
            self.merger.ensure(source, [cell % self.p, *word])
            self.merger.refer(right, wrong, word)
            wrong = self.merger.wrong_states(cell)
        self.merger.verify(cell)

    @cython.cfunc
    def candidates(self, right: cython.int, wrong: list[int]) -> list[list[int]]:
        """Return words longer than a search finds: pairwise ones, identifiers, and both followed by pairwise words."""
        found: list[list[int]] = [self.pairwise(right, state) for state in wrong[:TRIED_PAIRS]]
        if self.extensions > 0:
            found = self.words[right] + found
        last: list[list[int]] = found
        for _ in range(self.extensions):
            last = [word + self.sequel(right, wrong, word) for word in last]
            found = found + last
        return found

    @cython.cfunc
    def sequel(self, right: cython.int, wrong: list[int], word: list[int]) -> list[int]:
        """Return a word that separates, after a word, the right state from a wrong one that the word leaves."""
        rest: list[int] = []
        x: cython.int
        y: cython.int
        k: cython.int
        for state in wrong:
            x = right
            y = state
            for k in word:
                if self.target[y * self.p + k] < 0 or self.output[x * self.p + k] != self.output[y * self.p + k]:
                    y = -1
                    break
                x = self.target[x * self.p + k]
                y = self.target[y * self.p + k]
            if y >= 0 and x != y:
                rest = self.pairwise(x, y)
                break
        return rest

    @cython.cfunc
    def pairwise(self, x: cython.int, y: cython.int) -> list[int]:
        """Return a shortest word that separates two different states."""
        word: list[int] = []
        i: cython.int
        while True:
            i = self.letter[x * self.n + y]
            word.append(i)
            if self.output[x * self.p + i] != self.output[y * self.p + i]:
                return word
            x = self.target[x * self.p + i]
            y = self.target[y * self.p + i]
