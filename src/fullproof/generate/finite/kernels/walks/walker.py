"""Follow one test: open a tracker for each window it passes, and refute that window's items by what comes after.

The rules are those of docs/proofs/window-walks.md, "Refuting an item". A refutation is recorded only where the
transitions before the window may precede it in the order; recording it then fixes that order.
"""

import cython
import numpy as np

from fullproof.generate.finite.kernels.walks.arena import Arena
from fullproof.generate.finite.kernels.walks.extras import Extras
from fullproof.generate.finite.kernels.walks.order import WindowOrder

# Indices into ``Arena.head``, and sizes as in ``arena``.
POS = cython.declare(cython.int, 0)
STATE = cython.declare(cython.int, 1)
OPEN = cython.declare(cython.int, 2)
USEFUL = cython.declare(cython.int, 3)
BITS = cython.declare(cython.int, 60)
SLOTS = cython.declare(cython.int, 128)
LOST = cython.declare(cython.int, -2147483647)


@cython.cclass
class Walker:
    """One test in the making, and everything the tests so far have shown."""

    n: cython.int
    p: cython.int
    a: cython.int
    codes: cython.int
    stride: cython.longlong
    table_depth: cython.int
    order: WindowOrder
    extras: Extras
    target: cython.int[::1]
    output: cython.int[::1]
    head: cython.int[::1]
    rank: cython.int[::1]
    row: cython.longlong[::1]
    wide: cython.int[::1]
    mark: cython.longlong[::1]
    before: cython.longlong[::1]
    after: cython.longlong[::1]
    passed: cython.longlong[::1]
    bit: cython.longlong[::1]
    left: cython.int[::1]
    fresh: cython.uchar[::1]
    rem: cython.uchar[::1]
    seq: cython.int[::1]
    admit: cython.uchar[::1]
    tail: cython.int[::1]
    chain: cython.int[::1]
    newest: cython.int[::1]
    active: cython.int[::1]
    window: cython.int[::1]
    opened: cython.int[::1]
    word: cython.int[::1]
    count: cython.int[::1]
    item: cython.int[::1]
    where: cython.int[::1]
    mode: cython.int[::1]
    along: cython.int[::1]
    e_alive: cython.uchar[::1]
    kids: cython.int[::1]
    cover: cython.int[::1]
    gone: cython.int[::1]
    lost: cython.int

    def __init__(self, arena: Arena, order: WindowOrder, extras: Extras) -> None:
        self.n, self.p, self.a, self.codes = arena.n, arena.p, arena.a, arena.codes
        self.stride, self.order, self.extras, self.table_depth = arena.stride, order, extras, arena.table_depth
        self.target, self.output, self.head = arena.target, arena.output, arena.head
        self.rank, self.row, self.wide, self.mark = arena.rank, arena.row, arena.wide, arena.mark
        self.before, self.after, self.passed, self.bit = arena.before, arena.after, arena.passed, arena.bit
        self.left, self.fresh, self.rem = arena.left, arena.fresh, arena.rem
        self.seq, self.admit, self.tail = arena.seq, arena.admit, arena.tail
        self.chain, self.newest = arena.chain, arena.newest
        self.active, self.window, self.opened = arena.active, arena.window, arena.opened
        self.word, self.count, self.item = arena.word, arena.count, arena.item
        self.where, self.mode, self.along = arena.where, arena.mode, arena.along
        self.e_alive = arena.e_alive
        self.gone = np.zeros(self.n + self.a, dtype=np.int32)
        for slot in range(SLOTS):
            self.active[slot] = slot

    def adopt(self, kids: cython.int[::1], cover: cython.int[::1]) -> None:
        """Take the literal trie and its nodes for the words of the state cover."""
        self.kids = kids
        self.cover = cover
        self.extras.adopt(kids, cover)

    @cython.ccall
    @cython.exceptval(check=False)
    def clear(self) -> cython.void:
        """Go back to the initial state with an empty test."""
        j: cython.int
        cell: cython.int
        state: cython.int
        for j in range(self.head[POS]):
            cell = self.seq[j]
            if self.rank[cell] >= 0:
                state = self.target[cell]
                self.newest[state] = -1
                self.passed[self.mark[state] + self.rank[cell] // BITS] = 0
        self.head[POS] = 0
        self.head[STATE] = 0
        self.head[OPEN] = 0
        self.head[USEFUL] = 0

    @cython.ccall
    @cython.exceptval(check=False)
    def push(self, k: cython.int) -> cython.int:
        """Append an input; return how many items it refuted."""
        cell: cython.int = self.head[STATE] * self.p + k
        found: cython.int = 0
        keep: cython.int = 0
        j: cython.int
        slot: cython.int
        for j in range(self.head[OPEN]):
            slot = self.active[j]
            self.lost = 0
            self.advance(slot, k, cell)
            if self.has_extras(slot):
                self.lose_extras(self.extras.advance(slot, k, cell))
            if self.lost > 0:
                if self.may_precede(slot):
                    self.record(slot)
                    found += self.lost
                else:
                    self.count[slot] = -1
            if self.open_still(slot):
                self.active[j] = self.active[keep]
                self.active[keep] = slot
                keep += 1
        self.head[OPEN] = keep
        self.enter(cell)
        if found > 0:
            self.head[USEFUL] = self.head[POS]
        self.open_window()
        return found

    def replay(self, cells: cython.int[::1]) -> None:
        """Push the inputs of a stored test."""
        j: cython.int
        for j in range(cells.shape[0]):
            self.push(cells[j] % self.p)

    @cython.cfunc
    @cython.exceptval(check=False)
    def open_still(self, slot: cython.int) -> cython.bint:
        """Has the tracker anything left to refute?"""
        return self.count[slot] > 0 or (self.count[slot] == 0 and self.has_extras(slot))

    @cython.cfunc
    @cython.exceptval(check=False)
    def has_extras(self, slot: cython.int) -> cython.bint:
        """Is one of the tracker's items an extra state?"""
        alive: cython.int = 0
        nth: cython.int
        for nth in range(self.a):
            alive += self.e_alive[slot * self.a + nth]
        return alive > 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def lose_extras(self, refuted: cython.int) -> cython.void:
        """Note the extra states that were refuted."""
        nth: cython.int
        for nth in range(self.a):
            if (refuted >> nth) & 1:
                self.gone[self.lost] = self.n + nth
                self.lost += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def enter(self, cell: cython.int) -> cython.void:
        """Append a transition to the path and note whether a window may start with it."""
        pos: cython.int = self.head[POS]
        state: cython.int = self.target[cell]
        rank: cython.int = self.rank[cell]
        free: cython.bint = rank >= 0
        j: cython.int
        self.seq[pos] = cell
        self.tail[pos] = self.newest[state]
        if rank >= 0:
            j = self.mark[state] + rank // BITS
            if (self.passed[j] >> (rank % BITS)) & 1:
                free = False
            else:
                self.passed[j] |= self.bit[rank % BITS]
                self.chain[pos] = self.newest[state]
                self.newest[state] = pos
                for j in range(self.wide[state]):
                    if self.passed[self.mark[state] + j] & self.after[self.row[cell] + j]:
                        free = False
        self.admit[pos] = free
        self.head[POS] = pos + 1
        self.head[STATE] = state

    @cython.cfunc
    @cython.exceptval(check=False)
    def open_window(self) -> cython.void:
        """Open a tracker where the last inputs form a window with items left that may start where it does."""
        first: cython.int = self.head[POS] - self.a - 1
        window: cython.int
        j: cython.int
        slot: cython.int
        if first < 0 or not self.admit[first]:
            return
        window = self.seq[first]
        for j in range(first + 1, self.head[POS]):
            window = window * self.p + self.seq[j] % self.p
        if self.left[window] == 0:
            return
        if self.head[OPEN] == SLOTS:
            slot = self.active[0]  # the oldest one gives way: it has had its chance
            for j in range(SLOTS - 1):
                self.active[j] = self.active[j + 1]
            self.active[SLOTS - 1] = slot
            self.head[OPEN] -= 1
        slot = self.active[self.head[OPEN]]
        self.head[OPEN] += 1
        self.window[slot] = window
        self.opened[slot] = self.head[POS]
        self.word[slot] = 0 if self.fresh[window] else -1
        self.fill(slot, window)
        self.extras.open(slot, first)

    @cython.cfunc
    @cython.exceptval(check=False)
    def fill(self, slot: cython.int, window: cython.int) -> cython.void:
        """Start all items that are left; the first time, they are all."""
        base: cython.longlong = window * self.stride
        state: cython.int = self.head[STATE]
        here: cython.int = slot * self.n
        size: cython.int = 0
        q: cython.int
        if self.fresh[window]:
            self.fresh[window] = 0
            for q in range(self.n):
                if q != state:
                    self.rem[base + (q >> 3)] |= 1 << (q & 7)
            for q in range(self.a):
                if self.target[self.seq[self.head[POS] - self.a - 1 + q]] != state:
                    self.rem[base + ((self.n + q) >> 3)] |= 1 << ((self.n + q) & 7)
        for q in range(self.n):
            if (self.rem[base + (q >> 3)] >> (q & 7)) & 1:
                self.item[here + size] = q
                self.where[here + size] = q
                self.mode[here + size] = 0
                size += 1
        self.count[slot] = size

    @cython.cfunc
    @cython.exceptval(check=False)
    def less(self, cell: cython.int, tau: cython.int) -> cython.bint:
        """Is one transition into a state before another one into the same state?"""
        return (self.before[self.row[tau] + self.rank[cell] // BITS] >> (self.rank[cell] % BITS)) & 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def advance(self, slot: cython.int, k: cython.int, cell: cython.int) -> cython.void:
        """Follow the items among the cover's states; note those refuted, forget those that merge with the test."""
        tau: cython.int = self.window[slot] // self.codes
        entered: cython.int = self.target[tau]
        expected: cython.int = self.output[cell]
        goal: cython.int = self.target[cell]
        keep: cython.int = slot * self.n
        mine: cython.int
        mode: cython.int
        state: cython.int
        j: cython.int
        if self.word[slot] >= 0:
            self.word[slot] = self.word[slot] * self.p + k + 1
            if self.head[POS] - self.opened[slot] >= self.table_depth:
                self.word[slot] = -1
        for j in range(keep, keep + self.count[slot]):
            mine = self.where[j] * self.p + k
            mode = self.mode[j]
            if mode < 0:
                mode = -self.kids[-mode * self.p + k]
                if mode > 0:
                    continue
            if self.target[mine] < 0:
                continue
            if self.output[mine] != expected:
                self.gone[self.lost] = self.item[j]
                self.lost += 1
                continue
            state = self.target[mine]
            if state == goal:
                continue
            if mode > 0:
                mode = self.shift(slot, mode, self.item[j], state, k)
                if mode == LOST:
                    continue
            if mode >= 0 and state == entered and self.rank[mine] >= 0 and not self.less(mine, tau):
                mode |= 1
            self.item[keep] = self.item[j]
            self.where[keep] = state
            self.mode[keep] = mode
            keep += 1
        self.count[slot] = keep - slot * self.n

    @cython.cfunc
    @cython.exceptval(check=False)
    def shift(
        self, slot: cython.int, mode: cython.int, item: cython.int, state: cython.int, k: cython.int
    ) -> cython.int:
        """Move the extra states that an item may be in; from the last of them on, only the literal trie is trusted.

        A mode is 0 where the item is surely a state of the cover, a set of extra states (bit nth: the one after nth + 1
        inputs of the window) where it may be one of those, minus a node of the literal trie where it may be anything.
        """
        j: cython.int
        node: cython.int
        if (mode >> (self.a - 1)) & 1:
            node = self.cover[item]
            for j in range(self.opened[slot], self.head[POS]):
                node = self.kids[node * self.p + self.seq[j] % self.p]
                if node < 0:
                    return LOST
            node = self.kids[node * self.p + k]
            return -node if node >= 0 else LOST
        return self.labelled(slot, state)

    @cython.cfunc
    @cython.exceptval(check=False)
    def labelled(self, slot: cython.int, state: cython.int) -> cython.int:
        """The extra states of a window that carry a label, as a set of bits."""
        mask: cython.int = 0
        nth: cython.int
        for nth in range(self.a):
            if self.along[slot * self.a + nth] == state:
                mask |= 1 << nth
        return mask

    @cython.cfunc
    @cython.exceptval(check=False)
    def may_precede(self, slot: cython.int) -> cython.bint:
        """May the transitions on the way to the window's start be put before its first transition?

        Tested when a refutation is recorded: the order may have grown since the tracker was opened.
        """
        tau: cython.int = self.window[slot] // self.codes
        pos: cython.int = self.tail[self.opened[slot] - self.a - 1]
        while pos >= 0:
            if self.seq[pos] == tau or self.less(tau, self.seq[pos]):
                return False
            pos = self.chain[pos]
        return True

    @cython.cfunc
    def record(self, slot: cython.int) -> cython.void:
        """Fix the order that the refutations need, and delete the refuted items."""
        window: cython.int = self.window[slot]
        tau: cython.int = window // self.codes
        base: cython.longlong = window * self.stride
        pos: cython.int = self.tail[self.opened[slot] - self.a - 1]
        j: cython.int
        byte: cython.longlong
        while pos >= 0:
            if not self.less(self.seq[pos], tau):
                self.order.insert(self.seq[pos], tau)
            pos = self.chain[pos]
        for j in range(self.lost):
            byte = base + (self.gone[j] >> 3)
            self.rem[byte] = self.rem[byte] ^ (1 << (self.gone[j] & 7))
        self.left[window] -= self.lost
