"""For each state a strict partial order on the transitions into it, kept transitively closed as rows of bits."""

import cython

from fullproof.generate.finite.kernels.walks.arena import Arena

WORD_BITS = cython.declare(cython.int, 60)


@cython.cclass
class WindowOrder:
    """Rows ``before`` and ``after`` of each transition outside the state cover's tree."""

    target: cython.int[::1]
    rank: cython.int[::1]
    row: cython.longlong[::1]
    wide: cython.int[::1]
    base: cython.longlong[::1]
    before: cython.longlong[::1]
    after: cython.longlong[::1]
    size: cython.int[::1]
    bit: cython.longlong[::1]

    def __init__(self, arena: Arena) -> None:
        self.target, self.rank, self.row = arena.target, arena.rank, arena.row
        self.wide, self.base, self.size = arena.wide, arena.base, arena.into
        self.before, self.after, self.bit = arena.before, arena.after, arena.bit

    @cython.cfunc
    @cython.exceptval(check=False)
    def join(
        self, rows: cython.longlong[::1], to: cython.longlong, source: cython.longlong, k: cython.int
    ) -> cython.void:
        """Add to a row the bits of another row of the same length ``k``."""
        j: cython.int
        for j in range(k):
            rows[to + j] |= rows[source + j]

    @cython.ccall
    @cython.exceptval(check=False)
    def insert(self, first: cython.int, second: cython.int) -> cython.void:
        """Put ``first < second``; both enter the same state, and ``second < first`` must not hold."""
        state: cython.int = self.target[second]
        k: cython.int = self.wide[state]
        low: cython.longlong = self.row[first]
        high: cython.longlong = self.row[second]
        self.before[high + self.rank[first] // WORD_BITS] |= self.bit[self.rank[first] % WORD_BITS]
        self.after[low + self.rank[second] // WORD_BITS] |= self.bit[self.rank[second] % WORD_BITS]
        self.join(self.before, high, low, k)
        self.join(self.after, low, high, k)
        other: cython.longlong
        j: cython.int
        for j in range(self.size[state]):
            other = self.base[state] + j * k
            if (self.after[high + j // WORD_BITS] >> (j % WORD_BITS)) & 1:
                self.join(self.before, other, high, k)
            if (self.before[low + j // WORD_BITS] >> (j % WORD_BITS)) & 1:
                self.join(self.after, other, low, k)
