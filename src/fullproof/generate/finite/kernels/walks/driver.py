"""Grow the tests of a base until every window is settled: walk where it pays, then force what is left."""

import cython
import numpy as np
from numpy.typing import NDArray

from fullproof.generate.finite.kernels.walks.arena import Arena
from fullproof.generate.finite.kernels.walks.scout import Scout
from fullproof.generate.finite.kernels.walks.tests import Tests
from fullproof.generate.finite.kernels.walks.trie import Trie
from fullproof.generate.finite.kernels.walks.walker import Walker

POS = cython.declare(cython.int, 0)
STATE = cython.declare(cython.int, 1)
OPEN = cython.declare(cython.int, 2)
USEFUL = cython.declare(cython.int, 3)
TRIED_ITEMS = cython.declare(cython.int, 10)

THRESHOLDS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03)
LAST_THRESHOLD = 0.01
ABOVE_ALL = 2.0


@cython.cclass
class Driver:
    """Moves one test at a time through walker and scout."""

    n: cython.int
    p: cython.int
    a: cython.int
    limit: cython.int
    reach: cython.int
    patience: cython.int
    spare: cython.int
    arena: Arena
    walker: Walker
    scout: Scout
    trie: Trie
    tests: Tests
    words: list[list[list[int]]]
    rates: list[float]
    letter: cython.int[::1]
    target: cython.int[::1]
    output: cython.int[::1]
    head: cython.int[::1]
    left: cython.int[::1]
    active: cython.int[::1]
    window: cython.int[::1]
    count: cython.int[::1]
    where: cython.int[::1]
    e_alive: cython.uchar[::1]
    e_label: cython.int[::1]

    def __init__(
        self,
        arena: Arena,
        parts: tuple[Walker, Scout, Trie, Tests],
        identifiers: list[list[list[int]]],
        letter: cython.int[::1],
        reach: int,
    ) -> None:
        self.arena = arena
        self.walker, self.scout, self.trie, self.tests = parts
        self.n, self.p, self.a = arena.n, arena.p, arena.a
        self.limit, self.reach, self.letter = arena.limit, reach, letter
        self.patience = reach + arena.table_depth + 4
        self.words, self.rates = identifiers, []
        self.spare = max(len(word) for words in identifiers for word in words)
        self.target, self.output, self.head, self.left = arena.target, arena.output, arena.head, arena.left
        self.active, self.window, self.count = arena.active, arena.window, arena.count
        self.where, self.e_alive, self.e_label = arena.where, arena.e_alive, arena.e_label

    @cython.ccall
    def add(self, word: list[int]) -> cython.void:
        """Take a literal test."""
        self.walker.clear()
        self.feed(word)
        self.keep(-1, ABOVE_ALL, len(word))

    @cython.cfunc
    def keep(self, test: cython.int, rate: cython.double, needed: cython.int) -> cython.void:
        """Store the test in the making, with the rate at which it stopped."""
        self.tests.put(test, needed)
        if test < 0:
            self.rates.append(rate)
        else:
            self.rates[test] = rate

    @cython.cfunc
    def load(self, test: cython.int) -> cython.void:
        """Replay a test; -1 is a new one."""
        self.walker.clear()
        if test >= 0:
            self.walker.replay(self.tests.get(test))
            self.tests.need(test)

    @cython.cfunc
    def feed(self, word: list[int]) -> cython.int:
        """Push a word; return how many items it refuted."""
        found: cython.int = 0
        for k in word:
            found += self.walker.push(k)
        return found

    # Walking

    @cython.cfunc
    def pairwise(self, x: cython.int, y: cython.int) -> list[int]:
        """Return a shortest word that separates two states; none where they are the same."""
        word: list[int] = []
        i: cython.int
        while x != y:
            i = self.letter[x * self.n + y]
            word.append(i)
            if self.output[x * self.p + i] != self.output[y * self.p + i]:
                break
            x = self.target[x * self.p + i]
            y = self.target[y * self.p + i]
        return word

    @cython.cfunc
    def suspects(self, slot: cython.int, most: cython.int) -> list[int]:
        """Return where the first alive items of a tracker are."""
        j: cython.int
        first: cython.int = slot * self.n
        states: list[int] = [self.where[first + i] for i in range(min(self.count[slot], most))]
        for j in range(slot * self.a, (slot + 1) * self.a):
            if self.e_alive[j] and len(states) < most:
                states.append(self.e_label[j])
        return states

    @cython.cfunc
    def side_word(self) -> tuple[float, list[int]]:
        """Return the best pairwise word for one item of each open tracker, with its gain per input."""
        best: tuple[float, list[int]] = (0.0, [])
        j: cython.int
        for j in range(self.head[OPEN]):
            for state in self.suspects(self.active[j], 1):
                word = self.pairwise(self.head[STATE], state)
                if word and self.head[POS] + len(word) <= self.limit:
                    rate = self.scout.gain(word) / len(word)
                    if rate > best[0]:
                        best = (rate, word)
        return best

    @cython.cfunc
    def walk(self, threshold: cython.double) -> cython.double:
        """Go on as long as inputs gain enough; return the rate at which it stopped."""
        idle: cython.int = 0
        while idle <= self.patience and self.head[POS] + self.reach <= self.limit:
            rate, word = self.scout.look()
            if rate < threshold:
                other, word = self.side_word()
                if other < threshold:
                    return max(rate, other)
            idle = 0 if self.feed(word) else idle + len(word)
        return 0.0

    def spread(self, threshold: float) -> None:
        """Let every test that stopped above the threshold go on."""
        test: cython.int
        for test in range(len(self.rates)):
            if self.rates[test] >= threshold:
                self.load(test)
                self.keep(test, self.walk(threshold), 0)

    # Forcing

    @cython.cfunc
    def slot_of(self, window: cython.int) -> cython.int:
        """The open tracker of a window, or -1."""
        j: cython.int
        for j in range(self.head[OPEN]):
            if self.window[self.active[j]] == window:
                return self.active[j]
        return -1

    @cython.cfunc
    def best_word(self, slot: cython.int, own: list[list[int]]) -> list[int]:
        """Return the most promising word for a tracker: an identifier, a pairwise word, or what looking ahead finds."""
        tried: list[list[int]] = own + [
            self.pairwise(self.head[STATE], state) for state in self.suspects(slot, TRIED_ITEMS)
        ]
        best: list[int] = []
        most = -1e9
        for word in tried:
            if word and self.head[POS] + len(word) <= self.limit:
                gain = self.scout.gain(word) / (len(word) + 3)
                if gain > most:
                    best, most = word, gain
        if best and self.head[POS] + self.reach <= self.limit:
            rate, other = self.scout.look()
            if other and rate > self.scout.gain(best) / len(best):
                best = other
        return best

    @cython.cfunc
    def drive(self, window: cython.int) -> cython.void:
        """Refute items of one window, just passed, as long as that works."""
        slot: cython.int = self.slot_of(window)
        own = list(self.words[self.head[STATE]])
        idle: cython.int = 0
        left: cython.int
        while slot >= 0 and idle <= self.patience:
            word = self.best_word(slot, own)
            own = []
            if not word:
                return
            left = self.left[window]
            self.feed(word)
            idle = idle + len(word) if self.left[window] == left else 0
            slot = self.slot_of(window)

    @cython.cfunc
    def attempt(self, window: cython.int, test: cython.int, word: list[int]) -> cython.bint:
        """Pass a window once and drive it; return whether that refuted one of its items."""
        left: cython.int = self.left[window]
        old: cython.int
        self.load(test)
        old = self.head[POS]
        self.feed(word)
        self.drive(window)
        rate = self.walk(LAST_THRESHOLD)
        if self.head[USEFUL] > old:
            self.keep(test, rate, 0)
        return self.left[window] < left

    @cython.cfunc
    def force(self, window: cython.int) -> cython.void:
        """Settle one window."""
        inputs = self.arena.inputs_of(window)
        access = self.arena.access(window // self.arena.codes // self.p)
        left: cython.int
        while self.left[window] > 0:
            left = self.left[window]
            test, word = self.tests.approach(window, inputs, self.spare)
            if not self.attempt(window, test, word) and test >= 0:
                self.attempt(window, -1, access + inputs)
            if self.left[window] == left:
                self.fall_back(window, access, inputs)

    @cython.cfunc
    def fall_back(self, window: cython.int, access: list[int], inputs: list[int]) -> cython.void:
        """Refute one item by literal tests: the window after the cover's word, and the item's own literal node."""
        item = self.arena.first_item(window)
        labels = self.arena.labels_of(window)
        if item < self.n:
            literal, label = self.arena.access(item), item
        else:
            literal, label = access + inputs[: item - self.n + 1], labels[item - self.n]
        word = self.pairwise(labels[self.a], label)
        for test in (literal + word, access + inputs + word):
            self.trie.insert(test)
        self.walker.adopt(self.trie.array(), self.arena.cover)
        for test in (literal + word, access + inputs + word):
            self.add(test)

    def run(self, late: NDArray[np.int32]) -> list[list[int]]:
        """Settle every window and return the tests.

        What is left after walking is forced in the order that ``late`` gives the states entered first.
        """
        window: cython.int
        for threshold in THRESHOLDS:
            self.spread(threshold)
        waiting = np.flatnonzero(np.asarray(self.left))
        entered = np.asarray(self.target)[waiting // self.arena.codes]
        for window in waiting[np.argsort(late[entered], kind="stable")]:
            self.force(window)
        return self.tests.words()
