"""Without extra states: what was observed, merged behind every transition that has been verified.

Locations 0..n-1 are the states of the model, which the tests distinguish. A location from n on is a node behind a
transition that is not verified yet: what was observed there, whatever state of the system that is. Once the node is
apart from every wrong state it is merged into the right one, with all its observations and the tests that end there.
"""

from typing import Any

import cython
import numpy as np

from fullproof.generate.finite.kernels.observations import GrowingObservations


@cython.cclass
class Merger(GrowingObservations):
    """Observations as locations and edges, and the tests that made them."""

    reset: cython.double
    limit: cython.int
    beside: cython.int[::1]
    tests: list[list[int]]
    touched: list[int]
    arrivals: list[int]

    def __init__(self, table: tuple[Any, Any], tree: tuple[Any, Any], reset: float, limit: int) -> None:
        super().__init__(table, tree)
        self.reset, self.limit = reset, limit
        self.beside = np.full(1024, -1, dtype=np.int32)
        self.tests = []
        self.touched = []
        self.arrivals = []

    # Locations

    @cython.cfunc
    def extend(self, location: cython.int, k: cython.int) -> cython.int:
        """The location one input further, made where it is missing."""
        before: cython.int = self.nodes
        found: cython.int = self.observe(location, k)
        if location < self.n and self.nodes > before:
            self.touched.append(location * self.p + k)
        return found

    @cython.cfunc
    def move_ends(self, old: cython.int, new: cython.int) -> cython.void:
        """Tests that end in one location end in another one, which is the same."""
        test: cython.int = self.ends[old]
        if test < 0:
            return
        if new < self.n:
            self.arrivals.append(new)
        while self.beside[test] >= 0:
            test = self.beside[test]
        self.beside[test] = self.ends[new]
        self.ends[new] = self.ends[old]
        self.ends[old] = -1

    @cython.cfunc
    def join(self, node: cython.int, location: cython.int) -> cython.void:
        """Merge a node, which no location points to any more, into another location."""
        child: cython.int = self.first[node]
        later: cython.int
        there: cython.int
        k: cython.int
        self.move_ends(node, location)
        while child >= 0:
            later = self.following[child]
            k = self.symbol[child]
            there = self.next(location, k)
            if there >= 0:
                self.join(child, there)
            elif location < self.n:
                self.root[location * self.p + k] = child
                self.following[child] = -1
                self.touched.append(location * self.p + k)
            else:
                self.following[child] = self.first[location]
                self.first[location] = child
            child = later

    @cython.ccall
    def verify(self, cell: cython.int) -> cython.void:
        """The transition leads where it should: merge what was observed behind it into its target."""
        node: cython.int = self.root[cell]
        self.root[cell] = -1
        self.verified[cell] = 1
        self.join(node, self.target[cell])

    def is_verified(self, cell: cython.int) -> bool:
        """Is a transition known to lead where it should?"""
        return bool(self.verified[cell])

    def take_touched(self) -> list[int]:
        """Return the transitions that have been observed for the first time since this was last asked."""
        found = self.touched
        self.touched = []
        return found

    @cython.ccall
    @cython.exceptval(check=False)
    def apart(self, node: cython.int, location: cython.int) -> cython.bint:
        """Does some word that was observed in both locations give different outputs?"""
        child: cython.int = self.first[node]
        there: cython.int
        k: cython.int
        while child >= 0:
            k = self.symbol[child]
            there = self.next(location, k)
            if there >= 0:
                if self.output[self.label[node] * self.p + k] != self.output[self.label[location] * self.p + k]:
                    return True
                if self.label[there] != self.label[child] and self.apart(child, there):
                    return True
            child = self.following[child]
        return False

    # Tests

    @cython.ccall
    def append(self, test: cython.int, word: list[int]) -> cython.void:
        """Continue a test (-1: a new one, from the initial state)."""
        location: cython.int = 0
        k: cython.int
        if test < 0:
            test = len(self.tests)
            self.tests.append([])
            if test == self.beside.shape[0]:
                self.beside = np.concatenate([np.asarray(self.beside), np.full(test, -1, dtype=np.int32)])
        else:
            location = self.unhook(test)
        self.tests[test].extend(word)
        for k in word:
            location = self.extend(location, k)
        self.beside[test] = self.ends[location]
        self.ends[location] = test
        if location < self.n:
            self.arrivals.append(location)

    @cython.cfunc
    def unhook(self, test: cython.int) -> cython.int:
        """Take a test from the list of the location where it ends; return that location."""
        location: cython.int = 0
        k: cython.int
        before: cython.int
        for k in self.tests[test]:
            location = self.next(location, k)
        before = self.ends[location]
        if before == test:
            self.ends[location] = self.beside[test]
        else:
            while self.beside[before] != test:
                before = self.beside[before]
            self.beside[before] = self.beside[test]
        return location

    @cython.cfunc
    def fitting(self, location: cython.int, length: cython.int) -> cython.int:
        """A test that ends in a location and has room for a word, -1 where there is none."""
        test: cython.int = self.ends[location]
        while test >= 0 and len(self.tests[test]) + length > self.limit:
            test = self.beside[test]
        return test

    @cython.cfunc
    def nearest_end(self, state: cython.int, length: cython.int) -> cython.int:
        """The nearest state from which verified transitions lead here and where a test with room for a word ends.

        -1 where a new test is cheaper.
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
            if self.way[here] >= self.depth[state] + self.reset:
                return -1
            if self.ends[here] >= 0 and self.fitting(here, self.way[here] + length) >= 0:
                return here
            size = self.step_back(here, size)
        return -1

    @cython.ccall
    def reach_cost(self, state: cython.int) -> cython.double:
        """What it costs to get a test to a state."""
        here: cython.int = self.nearest_end(state, 0)
        return self.way[here] if here >= 0 else self.depth[state] + self.reset

    @cython.cfunc
    def route(self, state: cython.int, length: cython.int) -> tuple[int, list[int]]:
        """Return the cheapest way to get a test to a state: the test (-1: a new one) and the word."""
        here: cython.int = self.nearest_end(state, length)
        test: cython.int = -1
        word: list[int] = []
        if here >= 0:
            test = self.fitting(here, self.way[here] + length)
            while here != state:
                word.append(self.onward[here] % self.p)
                here = self.target[self.onward[here]]
            return test, word
        while self.entry[state] >= 0:
            word.append(self.entry[state] % self.p)
            state = self.entry[state] // self.p
        word.reverse()
        return test, word

    @cython.ccall
    def ensure(self, state: cython.int, word: list[int]) -> cython.void:
        """Make sure that a word is observed from a state, as cheaply as that can be done."""
        location: cython.int = state
        size: cython.int = len(word)
        test: cython.int = self.fitting(state, size)
        since: cython.int = 0
        j: cython.int
        k: cython.int
        found: cython.int
        for j, k in enumerate(word):
            location = self.next(location, k)
            if location < 0:
                break
            found = self.fitting(location, size - j - 1)
            if found >= 0:
                test = found
                since = j + 1
        if location >= 0:
            return
        if test >= 0:
            self.append(test, word[since:])
        else:
            test, way = self.route(state, size)
            self.append(test, way + word)

    def refer(self, state: cython.int, wrong: list[int], word: list[int]) -> None:
        """Observe in each wrong state as much of a word as distinguishes it from the right one, if it does."""
        k: cython.int
        q: cython.int
        x: cython.int
        y: cython.int
        j: cython.int
        for q in wrong:
            x = state
            y = q
            for j, k in enumerate(word):
                if self.target[y * self.p + k] < 0:
                    break
                if self.output[x * self.p + k] != self.output[y * self.p + k]:
                    self.ensure(q, word[: j + 1])
                    break
                x = self.target[x * self.p + k]
                y = self.target[y * self.p + k]

    def ends_at(self, state: cython.int) -> bool:
        """Does a test end in a state?"""
        return bool(self.ends[state] >= 0)

    def take_arrivals(self) -> list[int]:
        """Return the states where a test has come to end since this was last asked."""
        found = self.arrivals
        self.arrivals = []
        return found

    def suite(self) -> list[list[int]]:
        """Return the tests."""
        return self.tests

    def node_of(self, cell: cython.int) -> int:
        """Return the location behind a transition that is not verified, -1 where it was not passed."""
        return int(self.root[cell])

    def wrong_states(self, cell: cython.int) -> list[int]:
        """Return the states that a transition may still lead to although it should not."""
        node: cython.int = self.root[cell]
        right: cython.int = self.target[cell]
        return [q for q in range(self.n) if q != right and (node < 0 or not self.apart(node, q))]
