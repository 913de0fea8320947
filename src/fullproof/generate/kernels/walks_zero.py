"""Without extra states: verify every transition, one after the other, and merge what was observed behind it."""

import heapq
from typing import Any

import cython
import numpy as np

from fullproof.generate.kernels.walks_choose import Chooser
from fullproof.generate.kernels.walks_merge import Merger

TRIED_PAIRS = cython.declare(cython.int, 10)


@cython.cclass
class Verifier:
    """Which transition is next, and the words that settle it.

    First come transitions that were passed already, then those from a state where a test ends, then others; among
    them shallow ones, or where ``near``, those that a test comes to most cheaply. Before all that, where ``late`` says
    so, come those into states that are identified by few words.
    """

    n: cython.int
    p: cython.int
    merger: Merger
    chooser: Chooser
    identifiers: list[list[list[int]]]
    letter: cython.int[::1]
    target: cython.int[::1]
    output: cython.int[::1]
    depth: cython.int[::1]
    late: cython.int[::1]
    near: cython.bint
    open: cython.uchar[::1]
    heap: list[tuple[int, int, int, int]]

    def __init__(
        self,
        machine: tuple[Any, Any, Any],
        parts: tuple[Merger, Chooser],
        identifiers: list[list[list[int]]],
        letter: cython.int[::1],
        late: cython.int[::1],
        near: bool,
    ) -> None:
        self.target, self.output, self.depth = machine
        self.merger, self.chooser = parts
        self.identifiers = identifiers
        self.letter, self.late, self.near = letter, late, near
        self.n = self.depth.shape[0]
        self.p = self.target.shape[0] // self.n
        self.heap = []
        self.open = np.zeros(self.n * self.p, dtype=np.uint8)

    def run(self) -> list[list[int]]:
        """Identify the states, verify all transitions, and return the tests."""
        cell: cython.int
        state: cython.int
        for state in range(self.n):
            for word in self.identifiers[state]:
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
            word = self.chooser.choose([self.pairwise(right, state) for state in wrong[:TRIED_PAIRS]])
            self.merger.ensure(source, [cell % self.p, *word])
            self.merger.refer(right, wrong, word)
            wrong = self.merger.wrong_states(cell)
        self.merger.verify(cell)

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
