"""The arrays that all parts of the window walks share: machine, literal trie, orders, what is left to refute, one test.

A *window* is a transition and the next ``a`` inputs; its number is ``transition * inputs^a + code of the inputs``.
An *item* of a window is a state that the machine under test might be in after the window although it should not be:
items 0..n-1 are the states that the state cover reaches, n..n+a-1 the extra states met along the window.
"""

import math
from collections import deque

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]

SLOTS = 128
WORD_BITS = 60
CONFIGS = 8
DEAD_WEIGHT = 3

LONGEST = 1 << 14


def table_depth(states: int, inputs: int) -> int:
    """Length of the words whose worth is tabulated: enough to distinguish most states, few enough to keep."""
    depth, words = 1, inputs
    while words < 3 * states and depth < 6:
        depth, words = depth + 1, words * inputs
    while depth > 1 and states * words * inputs // max(inputs - 1, 1) > 30_000_000:
        depth, words = depth - 1, words // inputs
    return depth


def breadth_first_tree(states: int, target: Ints) -> tuple[Ints, Ints]:
    """Return the transition that enters each state in a shortest-path tree (-1 for state 0), and the depths."""
    inputs = len(target) // states
    entry = np.full(states, -1, dtype=np.int32)
    depth = np.full(states, -1, dtype=np.int32)
    depth[0] = 0
    queue = deque([0])
    while queue:
        state = queue.popleft()
        for cell in range(state * inputs, (state + 1) * inputs):
            if target[cell] >= 0 and depth[target[cell]] < 0:
                depth[target[cell]] = depth[state] + 1
                entry[target[cell]] = cell
                queue.append(int(target[cell]))
    return entry, depth


def access_word(entry: Ints, inputs: int, state: int) -> list[int]:
    """Return the word of the tree that leads to a state."""
    word = []
    while entry[state] >= 0:
        word.append(int(entry[state]) % inputs)
        state = int(entry[state]) // inputs
    return word[::-1]


class Arena:
    """Flat arrays for one machine and one number of extra states; tests have at most ``limit`` inputs."""

    def __init__(self, table: tuple[Ints, Ints], tree: tuple[Ints, Ints], extra: int, limit: int | None) -> None:
        self.target, self.output = table
        self.entry, self.depth = tree
        states = len(self.depth)
        self.n, self.p, self.a = states, len(self.target) // states, extra
        self.codes = self.p**extra
        self.cover: Ints = np.zeros(states, dtype=np.int32)
        self.head = np.zeros(4, dtype=np.int32)
        # Shifted here, since uncompiled kernels would shift numpy's 32-bit numbers.
        self.bit = np.left_shift(1, np.arange(WORD_BITS, dtype=np.int64))
        self.table_depth = table_depth(self.n, self.p)
        self._lay_orders()
        self._lay_windows()
        self._lay_path(limit)
        self._lay_trackers()
        self.credit = np.zeros(0)

    def weigh(self, opening: float) -> None:
        """Set what a window is worth by the items it has left: ``opening`` where all are, 1 where none are."""
        top = DEAD_WEIGHT * (self.n + self.a) + 1
        fall = np.log1p(np.arange(top)) / math.log(self.n)
        self.credit = opening + (1 - opening) * (1 - fall)

    def access(self, state: int) -> list[int]:
        """Return the input word of the state cover that reaches a state."""
        return access_word(self.entry, self.p, state)

    def inputs_of(self, window: int) -> list[int]:
        """Return the inputs of a window."""
        code, cell = window % self.codes, window // self.codes
        return [cell % self.p, *(code // self.p ** (self.a - 1 - j) % self.p for j in range(self.a))]

    def labels_of(self, window: int) -> list[int]:
        """Return the states after each input of a window."""
        state = window // self.codes // self.p
        found = []
        for k in self.inputs_of(window):
            state = int(self.target[state * self.p + k])
            found.append(state)
        return found

    def first_item(self, window: int) -> int:
        """Return an item that is left of a window that has been passed."""
        bits = self.rem[window * self.stride : (window + 1) * self.stride]
        return int(np.flatnonzero(np.unpackbits(bits, bitorder="little"))[0])

    def _lay_orders(self) -> None:
        """Give each transition outside the tree a row of bits over the transitions into the same state."""
        cells = self.n * self.p
        self.rank = np.full(cells, -1, dtype=np.int32)
        self.row = np.zeros(cells, dtype=np.int64)
        inside = self.target >= 0
        inside[self.entry[self.entry >= 0]] = False
        size = np.bincount(self.target[inside], minlength=self.n)
        self.into = size.astype(np.int32)
        self.wide = ((size + WORD_BITS - 1) // WORD_BITS).astype(np.int32)
        self.base = np.zeros(self.n + 1, dtype=np.int64)
        np.cumsum(size * self.wide, out=self.base[1:])
        self.mark = np.zeros(self.n + 1, dtype=np.int64)
        np.cumsum(self.wide, out=self.mark[1:])
        seen = np.zeros(self.n, dtype=np.int64)
        for cell in np.flatnonzero(inside):
            state = self.target[cell]
            self.rank[cell] = seen[state]
            self.row[cell] = self.base[state] + seen[state] * self.wide[state]
            seen[state] += 1
        self.before = np.zeros(int(self.base[self.n]), dtype=np.int64)
        self.after = np.zeros(int(self.base[self.n]), dtype=np.int64)
        self.passed = np.zeros(int(self.mark[self.n]), dtype=np.int64)

    def _lay_windows(self) -> None:
        """Count the items of each window; undefined ones and those of a transition inside the tree have none."""
        self.stride = (self.n + self.a + 7) // 8
        grid = self.target.reshape(self.n, self.p)
        end = self.target
        labels: list[Ints] = []
        for _ in range(self.a):
            labels = [np.repeat(label, self.p) for label in [*labels, end]]
            end = np.where(end[:, None] >= 0, grid[end], -1).ravel()
        left = np.full(len(end), self.n - 1, dtype=np.int32)
        for label in labels:
            left += label != end
        left[np.repeat(self.rank < 0, self.codes) | (end < 0)] = 0
        self.left = left
        self.fresh = np.ones(len(left), dtype=np.uint8)
        self.rem = np.zeros(len(left) * self.stride, dtype=np.uint8)

    def _lay_path(self, limit: int | None) -> None:
        """Room for one test: its transitions, and for each whether a window may start there."""
        # A literal test has at most n - 1 inputs before a window and n - 1 after it; lookahead reaches a little beyond.
        literal = 2 * self.n + self.a
        self.limit = max(LONGEST, literal) if limit is None else limit
        capacity = max(self.limit, literal)
        self.seq = np.zeros(capacity + 64, dtype=np.int32)
        self.admit = np.zeros(capacity + 64, dtype=np.uint8)
        self.tail = np.full(capacity + 64, -1, dtype=np.int32)
        self.chain = np.full(capacity + 64, -1, dtype=np.int32)
        self.newest = np.full(self.n, -1, dtype=np.int32)

    def _lay_trackers(self) -> None:
        """Room for the windows that one test has passed and whose items it is still following."""
        items = SLOTS * self.n
        extras = SLOTS * max(self.a, 1)
        self.active = np.zeros(SLOTS, dtype=np.int32)
        self.window = np.zeros(SLOTS, dtype=np.int32)
        self.opened = np.zeros(SLOTS, dtype=np.int32)
        self.word = np.zeros(SLOTS, dtype=np.int32)
        self.count = np.zeros(SLOTS, dtype=np.int32)
        self.item = np.zeros(items, dtype=np.int32)
        self.where = np.zeros(items, dtype=np.int32)
        self.mode = np.zeros(items, dtype=np.int32)
        self.along = np.zeros(extras, dtype=np.int32)
        self.e_alive = np.zeros(extras, dtype=np.uint8)
        self.e_label = np.zeros(extras, dtype=np.int32)
        self.e_size = np.zeros(extras, dtype=np.int32)
        self.e_states = np.zeros(extras * CONFIGS, dtype=np.int32)
        self.e_mask = np.zeros(extras, dtype=np.int32)
        self.e_literal = np.zeros(extras, dtype=np.int32)
