"""Search for one word that distinguishes many states at once: a beam search over words of growing length.

``label`` says which states earlier words have not distinguished yet: equal labels. What remains to be distinguished is
measured in bits, sum of m * log2(m) over the classes of m states. States of one class that have reached the same state
stay together whatever follows; that part of the bits is lost for this word, and counts double when prefixes are ranked.
"""

from typing import Any

import cython
import numpy as np

_PATIENCE = 4  # a word that has not improved for this many inputs is rarely overtaken by a longer one


@cython.cclass
class PresetSearch:
    """Beam search on one complete machine; the same object serves any number of searches."""

    states: cython.int
    inputs: cython.int
    outputs: cython.int
    target: cython.int[::1]
    output: cython.int[::1]
    table: cython.int[::1]
    stamp: cython.longlong[::1]
    clock: cython.longlong
    count: cython.int[::1]
    start: cython.int[::1]
    sorted: cython.int[::1]
    fresh: cython.int[::1]
    seen: cython.longlong[::1]
    number: cython.int[::1]
    bits: cython.double[::1]
    lost: cython.double
    members: cython.int
    current: cython.int[:, ::1]
    label: cython.int[:, ::1]

    def __init__(
        self, target: cython.int[::1], output: cython.int[::1], states: cython.int, outputs: cython.int
    ) -> None:
        self.states = states
        self.inputs = target.shape[0] // states
        self.outputs = outputs
        self.target = target
        self.output = output
        self.table = np.zeros(states * outputs, dtype=np.int32)
        self.stamp = np.zeros(states * outputs, dtype=np.int64)
        self.count = np.zeros(states + 1, dtype=np.int32)
        self.start = np.zeros(states + 2, dtype=np.int32)
        self.sorted = np.zeros(states, dtype=np.int32)
        self.fresh = np.zeros(states, dtype=np.int32)
        self.seen = np.zeros(states, dtype=np.int64)
        self.number = np.zeros(states, dtype=np.int32)
        sizes = np.arange(states + 1)
        self.bits = sizes * np.log2(np.maximum(sizes, 1))
        self.clock = 0
        self.lost = 0.0
        self.members = 0

    def search(
        self, label: cython.int[::1], base: cython.double, price: cython.double[::1], width: cython.int
    ) -> tuple[Any, float]:
        """Find a word of high gain in bits for its cost ``base`` + its inputs; returns it with the bits left over.

        The word is empty where no short word gains anything.
        ``price`` weighs the inputs of prefixes when they are ranked. Needs: some two states share a label.
        """
        best: list[int] = []
        best_rate: cython.double = -1.0
        best_left: cython.double = 0.0
        before: cython.double = self.begin(label, width)
        words: list[list[int]] = [[]]
        paid: list[float] = [0.0]
        alive: cython.bint = True
        left: cython.double
        rate: cython.double
        i: cython.int
        b: cython.int
        length: cython.int = 0
        while alive and length < len(best) + (_PATIENCE if best else 2 * _PATIENCE):
            length += 1
            ranked = []
            for b in range(len(words)):
                for i in range(self.inputs):
                    left = self.judge(b, i)
                    rate = (before - left) / (base + length)
                    if left < before - 1e-9 and rate > best_rate * (1 + 1e-9):
                        best_rate = rate
                        best_left = left
                        best = [*words[b], i]
                    ranked.append((left + self.lost + paid[b] + price[i], left - self.lost, b, i))
            ranked.sort()
            words, paid, alive = self.keep(ranked, words, paid, price, width)
        return np.array(best, dtype=np.int32), best_left

    @cython.cfunc
    def begin(self, label: cython.int[::1], width: cython.int) -> cython.double:
        """Set the beam to the empty word; returns the bits to be distinguished."""
        names = np.asarray(label)
        shared = np.bincount(names, minlength=1)[names] > 1
        members = np.flatnonzero(shared).astype(np.int32)
        ranks = np.unique(names[members], return_inverse=True)[1].astype(np.int32)
        self.members = members.shape[0]
        self.current = np.zeros((2 * width, max(self.members, 1)), dtype=np.int32)
        self.label = np.zeros((2 * width, max(self.members, 1)), dtype=np.int32)
        np.asarray(self.current)[0, : self.members] = members
        np.asarray(self.label)[0, : self.members] = ranks
        sizes = np.bincount(ranks, minlength=1)
        return float((sizes * np.log2(np.maximum(sizes, 1))).sum())

    @cython.cfunc
    @cython.exceptval(check=False)
    def judge(self, b: cython.int, symbol: cython.int) -> cython.double:
        """The bits left when a word of the beam goes on with an input; sets ``lost`` and the new labels."""
        k: cython.int
        cell: cython.int
        key: cython.int
        kinds: cython.int = 0
        left: cython.double = 0.0
        here: cython.int
        self.clock += 1
        for k in range(self.members):
            if self.label[b, k] < 0:
                self.fresh[k] = -1
                continue
            cell = self.current[b, k] * self.inputs + symbol
            key = self.label[b, k] * self.outputs + self.output[cell]
            if self.stamp[key] != self.clock:
                self.stamp[key] = self.clock
                self.table[key] = kinds
                self.count[kinds] = 0
                kinds += 1
            self.fresh[k] = self.table[key]
            self.count[self.fresh[k]] += 1
        self.start[0] = 0
        for k in range(kinds):
            left += self.bits[self.count[k]]
            self.start[k + 1] = self.start[k] + self.count[k]
            self.count[k] = self.start[k]
        for k in range(self.members):
            if self.fresh[k] >= 0:
                self.sorted[self.count[self.fresh[k]]] = k
                self.count[self.fresh[k]] += 1
        self.lost = 0.0
        for key in range(kinds):
            if self.start[key + 1] - self.start[key] == 1:
                continue
            self.clock += 1
            for k in range(self.start[key], self.start[key + 1]):
                here = self.target[self.current[b, self.sorted[k]] * self.inputs + symbol]
                if self.seen[here] != self.clock:
                    self.seen[here] = self.clock
                    self.number[here] = 0
                self.lost -= self.bits[self.number[here]]
                self.number[here] += 1
                self.lost += self.bits[self.number[here]]
        return left

    @cython.cfunc
    def keep(
        self,
        ranked: list[tuple[float, float, int, int]],
        words: list[list[int]],
        paid: list[float],
        price: cython.double[::1],
        width: cython.int,
    ) -> tuple[list[list[int]], list[float], bool]:
        """Keep the best words that still leave states to be distinguished; equal ranks count as equal words."""
        chosen: list[list[int]] = []
        costs: list[float] = []
        last: cython.double = -1.0
        last_open: cython.double = -1.0
        k: cython.int
        row: cython.int
        for rank, still, b, i in ranked:
            if len(chosen) == width:
                break
            if still <= 1e-9 or (abs(rank - last) < 1e-9 and abs(still - last_open) < 1e-9):
                continue
            last = rank
            last_open = still
            self.judge(b, i)
            row = width + len(chosen)
            for k in range(self.members):
                self.label[row, k] = self.fresh[k]
                if self.fresh[k] >= 0:
                    self.current[row, k] = self.target[self.current[b, k] * self.inputs + i]
                    if self.start[self.fresh[k] + 1] - self.start[self.fresh[k]] == 1:
                        self.label[row, k] = -1
            chosen.append([*words[b], i])
            costs.append(paid[b] + price[i])
        for row in range(len(chosen)):
            for k in range(self.members):
                self.label[row, k] = self.label[width + row, k]
                self.current[row, k] = self.current[width + row, k]
        return chosen, costs, len(chosen) > 0
