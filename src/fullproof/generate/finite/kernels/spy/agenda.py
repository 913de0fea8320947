"""Which transition to work on next: where tests end, or where they come cheapest.

A test that ends in a known state can go on there with anything that is still to be observed. Tests that end behind a
transition which is not known yet become useful once it is known: ``haste`` says how much that counts.
"""

from typing import Any

import cython
import numpy as np


@cython.cclass
class Agenda:
    """Transitions that are not known yet, with how many words are still to be identified behind each."""

    n: cython.int
    p: cython.int
    target: cython.int[::1]
    depth: cython.int[::1]
    verified: cython.uchar[::1]
    idle: cython.int[::1]
    stuck: cython.int[::1]
    left: cython.int[::1]
    late: cython.int[::1]
    haste: cython.double
    waiting: list[int]
    distance: cython.int[::1]
    queue: cython.int[::1]

    def __init__(
        self,
        machine: tuple[Any, Any],
        tallies: tuple[Any, Any, Any],
        left: cython.int[::1],
        late: cython.int[::1],
        haste: float,
    ) -> None:
        """``machine``: targets, depths; ``tallies`` as from ``Graph``; ``left``: words behind each transition.

        ``late``: of two transitions the one with the smaller number comes first, whatever it costs.
        """
        self.target, self.depth = machine
        self.late = late
        self.verified, self.idle, self.stuck = tallies
        self.n = self.depth.shape[0]
        self.p = self.target.shape[0] // self.n
        self.left = left
        self.haste = haste
        self.waiting = list(range(self.n))
        self.distance = np.zeros(self.n, dtype=np.int32)
        self.queue = np.zeros(self.n, dtype=np.int32)

    def done(self, cell: cython.int) -> int:
        """One word less behind a transition; returns how many are left."""
        self.left[cell] -= 1
        return int(self.left[cell])

    def next(self, news: list[int]) -> tuple[int, bool]:
        """Return the next transition, -1 where all are known, and whether only one word of it should be done now.

        ``news``: states where tests have come to end.
        """
        self.waiting += news
        state: cython.int
        cell: cython.int
        while self.waiting:
            state = self.waiting.pop()
            cell = self.best(state, 1) if self.idle[state] > 0 else -1
            if cell >= 0:
                self.waiting.append(state)
                return cell, True
        self.measure()
        found: cython.int = -1
        for state in range(self.n):
            cell = self.best(state, self.distance[state])
            if cell >= 0 and (found < 0 or self.before(cell, found)):
                found = cell
        return found, False

    @cython.cfunc
    @cython.exceptval(check=False)
    def before(self, cell: cython.int, other: cython.int) -> cython.bint:
        """Does a transition come before another one?"""
        if self.late[cell] != self.late[other]:
            return self.late[cell] < self.late[other]
        one: cython.double = self.left[cell] * self.distance[cell // self.p] - self.haste * self.stuck[cell]
        two: cython.double = self.left[other] * self.distance[other // self.p] - self.haste * self.stuck[other]
        return one < two

    @cython.cfunc
    @cython.exceptval(check=False)
    def best(self, state: cython.int, way: cython.int) -> cython.int:
        """The best unknown transition of a state, -1 where there is none; it takes ``way`` inputs to get there."""
        cell: cython.int
        found: cython.int = -1
        self.distance[state] = way
        for cell in range(state * self.p, (state + 1) * self.p):
            if not self.verified[cell] and (found < 0 or self.before(cell, found)):
                found = cell
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
    def measure(self) -> cython.void:
        """Find out what it costs to get a test to each state: from a state where one ends, or from the start."""
        state: cython.int
        there: cython.int
        cell: cython.int
        head: cython.int = 0
        size: cython.int = 0
        for state in range(self.n):
            self.distance[state] = self.depth[state] + 1
            if self.idle[state] > 0:
                self.distance[state] = 0
                self.queue[size] = state
                size += 1
        while head < size:
            state = self.queue[head]
            head += 1
            for cell in range(state * self.p, (state + 1) * self.p):
                there = self.target[cell]
                if there >= 0 and self.verified[cell] and self.distance[there] > self.distance[state] + 1:
                    self.distance[there] = self.distance[state] + 1
                    self.queue[size] = there
                    size += 1
