"""What a suite observes, merged behind every transition that is known to lead where it should, and its tests.

Locations 0..n-1 are the states of the model: all words that are known to converge there. A location from n on is a
node behind a transition that is not known yet. Once it is, the node is merged into the state with all that was observed
below it and with the tests that end there; so whatever has to be observed in a state may be observed after any of the
words that converge there.
"""

from typing import Any

import cython
import numpy as np

from fullproof.core.budget import require_room
from fullproof.generate.finite.kernels.observations import GrowingObservations


@cython.cclass
class Graph(GrowingObservations):
    """Locations, edges, and tests; a test may be continued where it ends."""

    tests: cython.int
    beside: cython.int[::1]
    tail: cython.int[::1]
    steps: cython.int
    before: cython.int[::1]
    letter: cython.int[::1]
    home: cython.int[::1]
    idle: cython.int[::1]
    stuck: cython.int[::1]
    fresh: list[int]

    def __init__(self, table: tuple[Any, Any], tree: tuple[Any, Any]) -> None:
        """``tree``: the cell by which the cover's tree enters each state (-1 for the initial one), and its depth."""
        super().__init__(table, tree)
        self.tests = 0
        self.beside = np.full(1024, -1, dtype=np.int32)
        self.tail = np.full(1024, -1, dtype=np.int32)
        self.steps = 1
        self.before = np.full(1024, -1, dtype=np.int32)
        self.letter = np.full(1024, -1, dtype=np.int32)
        self.home = np.zeros(self.n, dtype=np.int32)
        self.idle = np.zeros(self.n, dtype=np.int32)
        self.stuck = np.zeros(self.n * self.p, dtype=np.int32)
        self.fresh = []
        state: cython.int
        for state in np.argsort(np.asarray(self.depth), kind="stable").tolist():
            if self.entry[state] >= 0:
                self.home[state] = self.note(self.home[self.entry[state] // self.p], self.entry[state] % self.p)

    def tallies(self) -> tuple[Any, Any, Any]:
        """Verified transitions; tests that end in each state; tests that end behind each transition."""
        return np.asarray(self.verified), np.asarray(self.idle), np.asarray(self.stuck)

    # Locations

    @cython.cfunc
    def count(self, node: cython.int) -> cython.int:
        """How many tests end in a node or below it."""
        total: cython.int = 0
        test: cython.int = self.ends[node]
        child: cython.int = self.first[node]
        while test >= 0:
            total += 1
            test = self.beside[test]
        while child >= 0:
            total += self.count(child)
            child = self.following[child]
        return total

    @cython.cfunc
    def join(self, node: cython.int, location: cython.int, cell: cython.int) -> cython.void:
        """Merge a node, which no location points to any more, into another location, one behind ``cell`` or a state."""
        child: cython.int = self.first[node]
        later: cython.int
        there: cython.int
        behind: cython.int
        test: cython.int = self.ends[node]
        while test >= 0:
            later = self.beside[test]
            self.arrive(test, location, cell)
            test = later
        self.ends[node] = -1
        while child >= 0:
            later = self.following[child]
            there = self.next(location, self.symbol[child])
            behind = location * self.p + self.symbol[child] if location < self.n else cell
            if there >= 0:
                self.join(child, there, behind)
            else:
                self.stuck[behind] += self.count(child)
                if location < self.n:
                    self.root[behind] = child
                    self.following[child] = -1
                else:
                    self.following[child] = self.first[location]
                    self.first[location] = child
            child = later

    @cython.ccall
    def verify(self, cell: cython.int) -> cython.void:
        """The transition leads where it should: merge what was observed behind it into its target."""
        node: cython.int = self.root[cell]
        self.root[cell] = -1
        self.stuck[cell] = 0
        self.verified[cell] = 1
        self.join(node, self.target[cell], -1)

    def news(self) -> list[int]:
        """Return the states where tests came to end since this was last asked."""
        found = self.fresh
        self.fresh = []
        return found

    # Tests

    @cython.cfunc
    def note(self, before: cython.int, k: cython.int) -> cython.int:
        """Remember how a test goes on."""
        if self.steps == self.before.shape[0]:
            require_room(2 * self.steps)
            none = np.full(self.steps, -1, dtype=np.int32)
            self.before = np.concatenate((np.asarray(self.before), none))
            self.letter = np.concatenate((np.asarray(self.letter), none))
        self.before[self.steps] = before
        self.letter[self.steps] = k
        self.steps += 1
        return self.steps - 1

    @cython.cfunc
    def open(self) -> cython.int:
        """Begin a test."""
        if self.tests == self.tail.shape[0]:
            none = np.full(self.tests, -1, dtype=np.int32)
            self.beside = np.concatenate((np.asarray(self.beside), none))
            self.tail = np.concatenate((np.asarray(self.tail), none))
        self.tests += 1
        self.tail[self.tests - 1] = 0
        return self.tests - 1

    @cython.cfunc
    def arrive(self, test: cython.int, location: cython.int, cell: cython.int) -> cython.void:
        """A test ends in a location, behind a cell that is not verified or in a state."""
        self.beside[test] = self.ends[location]
        self.ends[location] = test
        if location < self.n:
            self.idle[location] += 1
            self.fresh.append(location)
        else:
            self.stuck[cell] += 1

    @cython.cfunc
    def depart(self, location: cython.int, cell: cython.int) -> cython.int:
        """Take a test that ends in a location."""
        test: cython.int = self.ends[location]
        self.ends[location] = self.beside[test]
        if location < self.n:
            self.idle[location] -= 1
        else:
            self.stuck[cell] -= 1
        return test

    @cython.cfunc
    def proceed(self, test: cython.int, place: tuple[int, int], word: list[int], since: cython.int) -> cython.void:
        """Continue a test by the rest of a word; ``place``: the location where it ended, and the cell before that."""
        k: cython.int
        j: cython.int
        location: cython.int
        cell: cython.int
        location, cell = place
        for j in range(since, len(word)):
            k = word[j]
            self.tail[test] = self.note(self.tail[test], k)
            if location < self.n:
                cell = location * self.p + k
            location = self.observe(location, k)
        self.arrive(test, location, cell)

    def begin(self, word: list[int]) -> None:
        """Begin a test with a word."""
        self.proceed(self.open(), (0, -1), word, 0)

    @cython.cfunc
    def nearest_end(self, state: cython.int) -> cython.int:
        """The nearest state from which verified transitions lead here and where a test ends; -1: a new test is cheaper.

        ``way`` becomes its distance, ``onward`` the transitions.
        """
        size: cython.int = 1
        here: cython.int
        head: cython.int = 0
        self.stamp += 1
        self.seen[state] = self.stamp
        self.queue[0] = state
        self.way[state] = 0
        while head < size:
            here = self.queue[head]
            head += 1
            if self.way[here] > self.depth[state]:
                return -1
            if self.ends[here] >= 0:
                return here
            size = self.step_back(here, size)
        return -1

    @cython.ccall
    def reach(self, state: cython.int) -> cython.int:
        """What it costs to get a test to a state."""
        here: cython.int = self.nearest_end(state)
        return self.way[here] if here >= 0 else self.depth[state] + 1

    @cython.ccall
    def ensure(self, state: cython.int, word: list[int]) -> cython.void:
        """Make sure that a word is observed in a state, as cheaply as that can be done."""
        location: cython.int = state
        stop: cython.int = state if self.ends[state] >= 0 else -1
        since: cython.int = 0
        cell: cython.int = -1
        behind: cython.int = -1
        j: cython.int
        test: cython.int
        for j in range(len(word)):
            if location < self.n:
                cell = location * self.p + word[j]
            location = self.next(location, word[j])
            if location < 0:
                break
            if self.ends[location] >= 0:
                stop = location
                since = j + 1
                behind = cell
        if location >= 0:
            return
        if stop < 0:
            stop = self.nearest_end(state)
            if stop < 0:
                test = self.open()
                self.tail[test] = self.home[state]
                self.proceed(test, (state, -1), word, 0)
                return
            location = stop
            way: list[int] = []
            while location != state:
                way.append(self.onward[location] % self.p)
                location = self.target[self.onward[location]]
            word = way + word
        test = self.depart(stop, behind)
        self.proceed(test, (stop, behind), word, since)

    def suite(self) -> tuple[Any, Any]:
        """Lay all tests end to end."""
        lengths = np.zeros(self.tests + 1, dtype=np.int64)
        length: cython.longlong[::1] = lengths
        step: cython.int
        t: cython.int
        spot: cython.Py_ssize_t
        for t in range(self.tests):
            step = self.tail[t]
            while step > 0:
                length[t + 1] += 1
                step = self.before[step]
        offsets = np.cumsum(lengths)
        symbols_array = np.zeros(int(offsets[-1]), dtype=np.int32)
        symbols: cython.int[::1] = symbols_array
        length = offsets
        for t in range(self.tests):
            step = self.tail[t]
            spot = length[t + 1]
            while step > 0:
                spot -= 1
                symbols[spot] = self.letter[step]
                step = self.before[step]
        return symbols_array, offsets
