"""Look ahead from the end of a test: which inputs would open and settle most windows per input.

Gains are estimates: items are followed as states of the model, without the extra states they may cross into.
"""

from typing import Any

import cython
import numpy as np

from fullproof.generate.finite.kernels.walks.arena import Arena

# Indices into ``Arena.head``; an item that cannot be refuted any more weighs three times (``arena.DEAD_WEIGHT``).
POS = cython.declare(cython.int, 0)
STATE = cython.declare(cython.int, 1)
OPEN = cython.declare(cython.int, 2)
BITS = cython.declare(cython.int, 60)
FOLLOWED = cython.declare(cython.int, 192)


@cython.cclass
class Scout:
    """Windows in the air, level by level; level 0 is the end of the test. ``work`` counts items that were followed."""

    n: cython.int
    p: cython.int
    a: cython.int
    codes: cython.int
    stride: cython.longlong
    reach: cython.int
    words: cython.int
    room: cython.int
    length: cython.int
    rate: cython.double
    work: cython.longlong
    head: cython.int[::1]
    target: cython.int[::1]
    output: cython.int[::1]
    rank: cython.int[::1]
    row: cython.longlong[::1]
    wide: cython.int[::1]
    mark: cython.longlong[::1]
    after: cython.longlong[::1]
    passed: cython.longlong[::1]
    bit: cython.longlong[::1]
    left: cython.int[::1]
    fresh: cython.uchar[::1]
    rem: cython.uchar[::1]
    seq: cython.int[::1]
    admit: cython.uchar[::1]
    active: cython.int[::1]
    window: cython.int[::1]
    word: cython.int[::1]
    opened: cython.int[::1]
    count: cython.int[::1]
    where: cython.int[::1]
    along: cython.int[::1]
    e_alive: cython.uchar[::1]
    e_label: cython.int[::1]
    credit: cython.double[::1]
    worth: cython.float[::1]
    alive: cython.uchar[::1]
    depth: cython.int
    size: cython.int[::1]
    used: cython.int[::1]
    total: cython.double[::1]
    v_base: cython.int[::1]
    v_word: cython.int[::1]
    v_steps: cython.int[::1]
    v_items: cython.int[::1]
    v_dead: cython.int[::1]
    v_value: cython.double[::1]
    item: cython.int[::1]
    undo: cython.uchar[::1]
    trial: cython.int[::1]
    best: cython.int[::1]

    def __init__(self, arena: Arena, table: tuple[Any, Any, int, int], reach: cython.int) -> None:
        self.n, self.p, self.a, self.codes, self.stride = arena.n, arena.p, arena.a, arena.codes, arena.stride
        self.head, self.target, self.output = arena.head, arena.target, arena.output
        self.rank, self.row, self.wide, self.mark = arena.rank, arena.row, arena.wide, arena.mark
        self.after, self.passed, self.bit = arena.after, arena.passed, arena.bit
        self.left, self.fresh, self.rem = arena.left, arena.fresh, arena.rem
        self.seq, self.admit, self.active = arena.seq, arena.admit, arena.active
        self.window, self.word, self.opened = arena.window, arena.word, arena.opened
        self.count, self.where, self.along = arena.count, arena.where, arena.along
        self.e_alive, self.e_label, self.credit = arena.e_alive, arena.e_label, arena.credit
        self.worth, self.alive, self.words, self.depth = table
        self.reach = reach
        self.work = 0
        self.room = 16 * (self.n + self.a)
        levels = max(reach, 2) + 1
        self.size = np.zeros(levels, dtype=np.int32)
        self.used = np.zeros(levels, dtype=np.int32)
        self.total = np.zeros(levels, dtype=np.float64)
        self.v_base = np.zeros(levels * FOLLOWED, dtype=np.int32)
        self.v_word = np.zeros(levels * FOLLOWED, dtype=np.int32)
        self.v_steps = np.zeros(levels * FOLLOWED, dtype=np.int32)
        self.v_items = np.zeros(levels * FOLLOWED, dtype=np.int32)
        self.v_dead = np.zeros(levels * FOLLOWED, dtype=np.int32)
        self.v_value = np.zeros(levels * FOLLOWED, dtype=np.float64)
        self.item = np.zeros(levels * self.room, dtype=np.int32)
        self.undo = np.zeros(self.seq.shape[0], dtype=np.uint8)
        self.trial = np.zeros(reach + 1, dtype=np.int32)
        self.best = np.zeros(reach + 1, dtype=np.int32)

    @cython.cfunc
    @cython.exceptval(check=False)
    def put_word(self, level: cython.int, base: cython.int, word: cython.int, steps: cython.int) -> cython.void:
        """Add a window whose value the table knows; one with nothing alive need not be followed."""
        j: cython.int = level * FOLLOWED + self.size[level]
        if self.alive[base + word] and self.size[level] < FOLLOWED:
            self.v_base[j] = base
            self.v_word[j] = word
            self.v_steps[j] = steps
            self.v_value[j] = self.worth[base + word]
            self.size[level] += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def put_items(self, level: cython.int, count: cython.int, dead: cython.int) -> cython.double:
        """Add a window whose items are the last ``count`` ones of the level's list; return its value."""
        j: cython.int = level * FOLLOWED + self.size[level]
        value: cython.double = self.credit[count + 3 * dead]
        if count > 0 and self.size[level] < FOLLOWED:
            self.v_base[j] = -1
            self.v_items[j] = count
            self.v_dead[j] = dead
            self.v_value[j] = value
            self.size[level] += 1
        else:
            self.used[level] -= count
        return value

    @cython.cfunc
    @cython.exceptval(check=False)
    def take_stock(self) -> cython.void:
        """Fill level 0 from the open trackers."""
        j: cython.int
        i: cython.int
        slot: cython.int
        size: cython.int
        self.size[0] = 0
        self.used[0] = 0
        self.total[0] = 0.0
        for j in range(self.head[OPEN]):
            slot = self.active[j]
            if self.word[slot] >= 0 and self.count[slot] > 4:
                i = self.target[self.seq[self.opened[slot] - 1]] * self.words
                self.put_word(0, i, self.word[slot], self.head[POS] - self.opened[slot])
            elif self.used[0] + self.n + self.a <= self.room:
                size = self.used[0]
                for i in range(slot * self.n, slot * self.n + self.count[slot]):
                    self.item[self.used[0]] = self.where[i]
                    self.used[0] += 1
                for i in range(slot * self.a, (slot + 1) * self.a):
                    if self.e_alive[i]:
                        self.item[self.used[0]] = self.e_label[i]
                        self.used[0] += 1
                size = self.used[0] - size
                self.put_items(0, size, self.left[self.window[slot]] - size)

    @cython.cfunc
    @cython.exceptval(check=False)
    def step(self, low: cython.int, high: cython.int, ahead: cython.int, k: cython.int) -> cython.void:
        """Make level ``high`` from level ``low`` by one more input, the one at position ``ahead`` from the end."""
        pos: cython.int = self.head[POS] + ahead
        state: cython.int = self.target[self.seq[pos - 1]] if pos > 0 else 0
        cell: cython.int = state * self.p + k
        j: cython.int
        i: cython.int
        begin: cython.int = low * self.room
        word: cython.int
        gain: cython.double = 0.0
        self.size[high] = 0
        self.used[high] = 0
        for j in range(low * FOLLOWED, low * FOLLOWED + self.size[low]):
            i = self.v_base[j]
            if i < 0:
                gain += self.filter(high, begin, j, cell) - self.v_value[j]
                begin += self.v_items[j]
            elif self.v_steps[j] < self.depth:
                word = self.v_word[j] * self.p + k + 1
                gain += self.worth[i + word] - self.v_value[j]
                self.put_word(high, i, word, self.v_steps[j] + 1)
        self.go(pos, cell)
        self.total[high] = self.total[low] + gain + self.open_window(high, pos)

    @cython.cfunc
    @cython.exceptval(check=False)
    def filter(self, high: cython.int, begin: cython.int, j: cython.int, cell: cython.int) -> cython.double:
        """Advance one window's items by the input of ``cell``; return the window's new value."""
        k: cython.int = cell % self.p
        goal: cython.int = self.target[cell]
        expected: cython.int = self.output[cell]
        dead: cython.int = self.v_dead[j]
        start: cython.int = self.used[high]
        i: cython.int
        mine: cython.int
        self.work += self.v_items[j]
        for i in range(begin, begin + self.v_items[j]):
            mine = self.item[i] * self.p + k
            if self.target[mine] < 0:
                dead += 1
            elif self.output[mine] == expected:
                if self.target[mine] == goal:
                    dead += 1
                else:
                    self.item[high * self.room + self.used[high]] = self.target[mine]
                    self.used[high] += 1
        return self.put_items(high, self.used[high] - start, dead)

    @cython.cfunc
    @cython.exceptval(check=False)
    def go(self, pos: cython.int, cell: cython.int) -> cython.void:
        """Extend the path, as ``Walker.enter`` does."""
        state: cython.int = self.target[cell]
        rank: cython.int = self.rank[cell]
        free: cython.bint = rank >= 0
        j: cython.int
        self.seq[pos] = cell
        self.undo[pos] = 0
        if rank >= 0:
            j = self.mark[state] + rank // BITS
            if (self.passed[j] >> (rank % BITS)) & 1:
                free = False
            else:
                self.passed[j] |= self.bit[rank % BITS]
                self.undo[pos] = 1
                for j in range(self.wide[state]):
                    if self.passed[self.mark[state] + j] & self.after[self.row[cell] + j]:
                        free = False
        self.admit[pos] = free

    @cython.cfunc
    @cython.exceptval(check=False)
    def back(self, ahead: cython.int) -> cython.void:
        """Take back the input at position ``ahead``."""
        pos: cython.int = self.head[POS] + ahead
        cell: cython.int = self.seq[pos]
        if self.undo[pos]:
            self.passed[self.mark[self.target[cell]] + self.rank[cell] // BITS] ^= self.bit[self.rank[cell] % BITS]

    @cython.cfunc
    @cython.exceptval(check=False)
    def open_window(self, high: cython.int, pos: cython.int) -> cython.double:
        """Open the window that ends at a position, where it may be opened; return what that is worth."""
        window: cython.int = self.window_at(pos)
        j: cython.int
        if window < 0:
            return 0.0
        if self.fresh[window]:
            j = self.target[self.seq[pos]] * self.words
            self.put_word(high, j, 0, 0)
            return self.worth[j]
        j = self.left[window]
        if self.used[high] + j > self.room:
            return 0.0
        self.list_items(high, pos - self.a, window)
        return self.put_items(high, j, 0) - self.credit[3 * j]

    @cython.cfunc
    @cython.exceptval(check=False)
    def window_at(self, pos: cython.int) -> cython.int:
        """The window that ends at a position, -1 where it may not be opened or has nothing left."""
        first: cython.int = pos - self.a
        window: cython.int
        j: cython.int
        if first < 0 or not self.admit[first]:
            return -1
        window = self.seq[first]
        for j in range(first + 1, pos + 1):
            window = window * self.p + self.seq[j] % self.p
        return window if self.left[window] > 0 else -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def list_items(self, high: cython.int, first: cython.int, window: cython.int) -> cython.void:
        """Append what is left of a window to a level's items."""
        base: cython.longlong = window * self.stride
        byte: cython.int
        bits: cython.int
        q: cython.int
        for byte in range(self.stride):
            bits = self.rem[base + byte]
            q = byte * 8
            while bits:
                if bits & 1:
                    self.item[high * self.room + self.used[high]] = (
                        q if q < self.n else self.target[self.seq[first + q - self.n]]
                    )
                    self.used[high] += 1
                bits >>= 1
                q += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def tip(self, low: cython.int, ahead: cython.int, k: cython.int) -> cython.double:
        """What level ``low`` and one more input would gain: as ``step``, but nothing will follow."""
        pos: cython.int = self.head[POS] + ahead
        cell: cython.int = (self.target[self.seq[pos - 1]] if pos > 0 else 0) * self.p + k
        goal: cython.int = self.target[cell]
        expected: cython.int = self.output[cell]
        gain: cython.double = self.total[low]
        begin: cython.int = low * self.room
        j: cython.int
        i: cython.int
        mine: cython.int
        alive: cython.int
        for j in range(low * FOLLOWED, low * FOLLOWED + self.size[low]):
            if self.v_base[j] >= 0:
                if self.v_steps[j] < self.depth:
                    gain += self.worth[self.v_base[j] + self.v_word[j] * self.p + k + 1] - self.v_value[j]
                continue
            alive = 3 * self.v_dead[j]
            self.work += self.v_items[j]
            for i in range(begin, begin + self.v_items[j]):
                mine = self.item[i] * self.p + k
                if self.target[mine] < 0:
                    alive += 3
                elif self.output[mine] == expected:
                    alive += 3 if self.target[mine] == goal else 1
            begin += self.v_items[j]
            gain += self.credit[alive] - self.v_value[j]
        self.seq[pos] = cell
        return gain + self.value_of_window(pos)

    @cython.cfunc
    @cython.exceptval(check=False)
    def value_of_window(self, pos: cython.int) -> cython.double:
        """What it is worth to open the window that ends at a position."""
        window: cython.int = self.window_at(pos)
        if window < 0:
            return 0.0
        if self.fresh[window]:
            return self.worth[self.target[self.seq[pos]] * self.words]
        return self.credit[self.left[window]] - self.credit[3 * self.left[window]]

    @cython.cfunc
    @cython.exceptval(check=False)
    def search(self, level: cython.int) -> cython.void:
        """Try all defined words up to the reach; keep the one with the best gain per input."""
        k: cython.int
        pos: cython.int = self.head[POS] + level
        state: cython.int = self.target[self.seq[pos - 1]] if pos > 0 else 0
        for k in range(self.p):
            if self.target[state * self.p + k] < 0:
                continue
            self.trial[level] = k
            if level + 1 == self.reach:
                self.compare(self.tip(level, level, k), level + 1)
            else:
                self.step(level, level + 1, level, k)
                self.compare(self.total[level + 1], level + 1)
                self.search(level + 1)
                self.back(level)

    @cython.cfunc
    @cython.exceptval(check=False)
    def compare(self, gain: cython.double, length: cython.int) -> cython.void:
        """Keep the word on trial where it is the best so far."""
        j: cython.int
        if gain > (self.rate + 1e-9) * length:
            self.rate = gain / length
            self.length = length
            for j in range(length):
                self.best[j] = self.trial[j]

    @cython.ccall
    def worked(self) -> cython.longlong:
        """Return how many items were followed so far."""
        return self.work

    @cython.ccall
    def look(self) -> tuple[float, list[int]]:
        """Return the best word and its gain per input."""
        self.take_stock()
        self.rate = 0.0
        self.length = 0
        self.search(0)
        return self.rate, [self.best[j] for j in range(self.length)]

    @cython.ccall
    def gain(self, word: list[int]) -> cython.double:
        """Return what a word would gain."""
        k: cython.int
        low: cython.int = 0
        high: cython.int = 1
        ahead: cython.int = 0
        self.take_stock()
        for k in word:
            self.step(low, high, ahead, k)
            ahead += 1
            low = high
            high = 3 - low
        while ahead > 0:
            ahead -= 1
            self.back(ahead)
        return self.total[low]
