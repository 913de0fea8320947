"""What tests observe of a machine, merged behind every transition that is known to lead where it should.

Locations 0..n-1 are the states of the model: all words that are known to converge there. A location from n on is a node
behind a transition that is not known yet (verified), in a tree: ``root`` of the transition, then ``first`` child,
``following`` sibling, ``symbol``. ``label`` is the state of the model there, ``ends`` the first test that ends there.
The C types are in ``observations.pxd``.
"""

from typing import Any

import cython
import numpy as np

from fullproof.core.budget import require_room


@cython.cclass
class Observations:
    """A view of the arrays of ``GrowingObservations``, which it never changes."""

    def __init__(self, table: tuple[Any, Any], states: int) -> None:
        self.target, self.output = table
        self.n = states
        self.p = self.target.shape[0] // self.n

    def look_at(self, arrays: tuple[Any, ...]) -> None:
        """Take the observations as they are now."""
        self.verified, self.root, self.first, self.following, self.symbol, self.label, self.ends = arrays

    @cython.cfunc
    @cython.exceptval(check=False)
    def next(self, location: cython.int, k: cython.int) -> cython.int:
        """The location one input further, -1 where that was not observed, or from -1 on."""
        if location < 0:
            return -1
        if location < self.n:
            if self.verified[location * self.p + k]:
                return self.target[location * self.p + k]
            return self.root[location * self.p + k]
        location = self.first[location]
        while location >= 0 and self.symbol[location] != k:
            location = self.following[location]
        return location


@cython.cclass
class GrowingObservations(Observations):
    """Observations while tests are added."""

    def __init__(self, table: tuple[Any, Any], tree: tuple[Any, Any]) -> None:
        """``tree``: the cell by which the cover's tree enters each state (-1 for the initial one), and its depth."""
        super().__init__(table, len(tree[1]))
        self.entry, self.depth = tree
        self.verified = np.zeros(self.n * self.p, dtype=np.uint8)
        entered = np.asarray(self.entry)
        np.asarray(self.verified)[entered[entered >= 0]] = 1
        missing = np.asarray(self.target) < 0
        np.asarray(self.verified)[missing] = 1  # there is nothing to verify, and ``next`` finds nothing there
        self.root = np.full(self.n * self.p, -1, dtype=np.int32)
        self.nodes = self.n
        size = 2 * self.n + 1024
        self.first = np.full(size, -1, dtype=np.int32)
        self.following = np.full(size, -1, dtype=np.int32)
        self.symbol = np.full(size, -1, dtype=np.int32)
        self.label = np.arange(size, dtype=np.int32)
        self.ends = np.full(size, -1, dtype=np.int32)
        self.source = np.argsort(np.asarray(self.target), kind="stable").astype(np.int32)
        counts = np.bincount(np.asarray(self.target) + 1, minlength=self.n + 1)  # undefined entries come first
        self.start = np.cumsum(counts, dtype=np.int32)
        self.seen = np.zeros(self.n, dtype=np.int32)
        self.stamp = 0
        self.queue = np.zeros(self.n, dtype=np.int32)
        self.onward = np.zeros(self.n, dtype=np.int32)
        self.way = np.zeros(self.n, dtype=np.int32)

    def arrays(self) -> tuple[Any, ...]:
        """What ``Observations.look_at`` takes; most of the arrays are replaced when they grow."""
        return self.verified, self.root, self.first, self.following, self.symbol, self.label, self.ends

    def room(self) -> int:
        """Changes when arrays are replaced."""
        return int(self.first.shape[0])

    @cython.cfunc
    def observe(self, location: cython.int, k: cython.int) -> cython.int:
        """The location one input further, made where it is missing."""
        found: cython.int = self.next(location, k)
        if found >= 0:
            return found
        if self.nodes == self.first.shape[0]:
            require_room(2 * self.nodes)
            none = np.full(self.nodes, -1, dtype=np.int32)
            self.first = np.concatenate((np.asarray(self.first), none))
            self.following = np.concatenate((np.asarray(self.following), none))
            self.symbol = np.concatenate((np.asarray(self.symbol), none))
            self.label = np.concatenate((np.asarray(self.label), none))
            self.ends = np.concatenate((np.asarray(self.ends), none))
        found = self.nodes
        self.nodes += 1
        self.label[found] = self.target[self.label[location] * self.p + k]
        if location < self.n:
            self.root[location * self.p + k] = found
        else:
            self.symbol[found] = k
            self.following[found] = self.first[location]
            self.first[location] = found
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
    def step_back(self, here: cython.int, size: cython.int) -> cython.int:
        """Queue the states from which a verified transition leads here and that this search has not seen.

        ``way`` becomes their distance, ``onward`` the transition; returns how many are queued then.
        """
        j: cython.int
        origin: cython.int
        for j in range(self.start[here], self.start[here + 1]):
            origin = self.source[j] // self.p
            if self.verified[self.source[j]] and self.seen[origin] != self.stamp:
                self.seen[origin] = self.stamp
                self.way[origin] = self.way[here] + 1
                self.onward[origin] = self.source[j]
                self.queue[size] = origin
                size += 1
        return size
