"""The tests of a growing suite, as arrays of transitions, found again by what they end with."""

from collections.abc import Callable
from itertools import islice
from typing import Any

import cython
import numpy as np
from numpy.typing import NDArray

from fullproof.generate.finite.kernels.walks.arena import Arena

POS = cython.declare(cython.int, 0)
USEFUL = cython.declare(cython.int, 3)
BITS = cython.declare(cython.int, 60)
TRIED_ENDS = cython.declare(cython.int, 8)


@cython.cclass
class Tests:
    """Test k is ``cells[k]``; its first ``needed[k]`` transitions carry the proof, the rest may be cut off at the end.

    ``ends[j]`` finds tests by their last j inputs and the state before them (j = 0: by the state they end in).
    """

    n: cython.int
    p: cython.int
    a: cython.int
    codes: cython.int
    limit: cython.int
    reset: cython.double
    cells: list[NDArray[np.int32]]
    needed: list[int]
    ends: list[Any]
    seq: Any
    access: Callable[[int], list[int]]
    head: cython.int[::1]
    target: cython.int[::1]
    depth: cython.int[::1]
    rank: cython.int[::1]
    row: cython.longlong[::1]
    after: cython.longlong[::1]
    sources: cython.int[::1]
    start: cython.int[::1]

    def __init__(self, arena: Arena, reset: float) -> None:
        self.n, self.p, self.a, self.codes = arena.n, arena.p, arena.a, arena.codes
        self.limit, self.reset = arena.limit, reset
        self.cells, self.needed = [], []
        self.ends = [{} for _ in range(self.a + 2)]
        self.seq, self.access = arena.seq, arena.access
        self.head, self.target, self.depth = arena.head, arena.target, arena.depth
        self.rank, self.row, self.after = arena.rank, arena.row, arena.after
        cells = np.flatnonzero(arena.target >= 0)
        self.sources = cells[np.argsort(arena.target[cells], kind="stable")].astype(np.int32)
        counts = np.zeros(self.n + 1, dtype=np.int32)
        np.cumsum(np.bincount(arena.target[cells], minlength=self.n), out=counts[1:])
        self.start = counts

    def __len__(self) -> int:
        return len(self.cells)

    def get(self, test: int) -> NDArray[np.int32]:
        """Return the transitions of a test."""
        return self.cells[test]

    def words(self) -> list[list[int]]:
        """Return the input words, each as long as it is needed."""
        return [(cells[:needed] % self.p).tolist() for cells, needed in zip(self.cells, self.needed, strict=True)]

    @cython.ccall
    def put(self, test: cython.int, needed: cython.int) -> cython.void:
        """Keep the test in the making under its number, or as a new one (-1); at least ``needed`` inputs of it."""
        cells = self.seq[: self.head[POS]].copy()
        if test < 0:
            test = len(self.cells)
            self.cells.append(cells)
            self.needed.append(0)
        else:
            for j, key in enumerate(self.keys(self.cells[test])):
                del self.ends[j][key][test]
            self.cells[test] = cells
        for j, key in enumerate(self.keys(cells)):
            self.ends[j].setdefault(key, {})[test] = None
        self.needed[test] = max(self.needed[test], needed, self.head[USEFUL])

    @cython.ccall
    def need(self, test: cython.int) -> cython.void:
        """Keep as much of a test, just replayed, as refuted anything: a replay may show more than the first run."""
        self.needed[test] = max(self.needed[test], self.head[USEFUL])

    @cython.ccall
    def keys(self, cells: cython.int[::1]) -> list[int]:
        """Return what a test ends with, by number of inputs."""
        size: cython.int = cells.shape[0]
        j: cython.int
        i: cython.int
        code: cython.longlong
        if size == 0:
            return [0]
        found = [self.target[cells[size - 1]]]
        for j in range(1, min(self.a + 1, size) + 1):
            code = cells[size - j]
            for i in range(size - j + 1, size):
                code = code * self.p + cells[i] % self.p
            found.append(code)
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
    def bars(self, cell: cython.int, tau: cython.int) -> cython.bint:
        """Does a transition on the way forbid a window that starts with ``tau``?"""
        if cell == tau:
            return True
        if self.rank[cell] < 0 or self.target[cell] != self.target[tau]:
            return False
        return (self.after[self.row[tau] + self.rank[cell] // BITS] >> (self.rank[cell] % BITS)) & 1

    @cython.ccall
    def fits(self, test: cython.int, tau: cython.int, less: cython.int, more: cython.int) -> cython.bint:
        """May ``tau`` start a window after a test without its last ``less`` inputs, and is there room for more?"""
        cells: cython.int[::1] = self.cells[test]
        end: cython.int = cells.shape[0] - less
        j: cython.int = 0
        if cells.shape[0] + more > self.limit:
            return False
        while j < end and not self.bars(cells[j], tau):
            j += 1
        return j == end

    def approach(self, window: cython.int, inputs: list[int], spare: cython.int) -> tuple[int, list[int]]:
        """Return the cheapest way to pass a window: a test to go on with (-1: a new one) and a word."""
        j: cython.int
        code: cython.int = window
        tau: cython.int = window // self.codes
        for j in range(self.a + 1, 0, -1):
            for test in islice(self.ends[j].get(code, ()), TRIED_ENDS):
                if self.fits(test, tau, j, len(inputs) - j + spare):
                    return test, inputs[j:]
            code //= self.p
        test, way = self.nearest(tau, len(inputs) + spare)
        return test, way + inputs

    def nearest(self, tau: cython.int, spare: cython.int) -> tuple[int, list[int]]:
        """Return the cheapest way to the source of ``tau``."""
        state: cython.int = tau // self.p
        j: cython.int
        way: dict[int, list[int]] = {state: []}
        queue = [state]
        for here in queue:
            if len(way[here]) >= self.depth[state] + self.reset:
                break
            for test in islice(self.ends[0].get(here, ()), TRIED_ENDS):
                if self.fits(test, tau, 0, len(way[here]) + spare):
                    return test, way[here]
            for j in range(self.start[here], self.start[here + 1]):
                cell: cython.int = self.sources[j]
                if cell // self.p not in way and not self.bars(cell, tau):
                    way[cell // self.p] = [cell % self.p, *way[here]]
                    queue.append(cell // self.p)
        return -1, self.access(state)
