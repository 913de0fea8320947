"""Without extra states: the word that takes a transition nearest to being verified at the least cost.

Cost of a word: its own inputs behind the transition, a share of the inputs that the wrong states must answer as well
for comparison, one more passage where some of them remain; transitions that it passes first are worth something.
"""

import math

import cython
import numpy as np

from fullproof.generate.finite.kernels.observations import Observations

TRIED_WORDS = cython.declare(cython.int, 3000)
NOVELTY = cython.declare(cython.double, 0.3)  # worth of an input not yet seen behind a transition passed before


@cython.cclass
class WindowChooser(Observations):
    """Level d holds, after d inputs, the wrong states that are not apart yet: where they are and what they miss."""

    reach: cython.int
    spent: cython.int
    weight: cython.double
    worth: cython.double
    state: cython.int[::1]
    place: cython.int[::1]
    missing: cython.int[::1]
    size: cython.int[::1]
    dead: cython.int[::1]
    here: cython.int[::1]
    node: cython.int[::1]
    right: cython.int[::1]
    lead: cython.double[::1]
    price: cython.double[::1]
    used: cython.uchar[::1]
    path: cython.int[::1]
    trial: cython.int[::1]
    best: cython.int[::1]
    length: cython.int
    least: cython.double
    again: cython.double

    def __init__(
        self,
        target: cython.int[::1],
        output: cython.int[::1],
        states: int,
        weight: float,
        worth: float,
    ) -> None:
        super().__init__((target, output), states)
        self.weight, self.worth = weight, worth
        self.reach = 1
        while self.p**self.reach < 4 * states and self.reach < 12:
            self.reach += 1
        levels = self.reach + 2
        self.state = np.zeros(levels * states, dtype=np.int32)
        self.place = np.zeros(levels * states, dtype=np.int32)
        self.missing = np.zeros(levels * states, dtype=np.int32)
        self.size = np.zeros(levels, dtype=np.int32)
        self.dead = np.zeros(levels, dtype=np.int32)
        self.here = np.zeros(levels, dtype=np.int32)
        self.node = np.zeros(levels, dtype=np.int32)
        self.right = np.zeros(levels, dtype=np.int32)
        self.lead = np.zeros(levels, dtype=np.float64)
        self.price = np.zeros(levels, dtype=np.float64)
        self.used = np.zeros(states * self.p, dtype=np.uint8)
        self.path = np.zeros(levels + 4 * states, dtype=np.int32)
        self.trial = np.zeros(levels, dtype=np.int32)
        self.best = np.zeros(levels, dtype=np.int32)

    @cython.cfunc
    @cython.exceptval(check=False)
    def step(self, low: cython.int, high: cython.int, depth: cython.int, k: cython.int) -> cython.void:
        """Make level ``high`` from level ``low`` by input k, the one after ``depth`` others."""
        cell: cython.int = self.here[low] * self.p + k
        j: cython.int
        mine: cython.int
        place: cython.int
        missing: cython.int
        to: cython.int = high * self.n
        dead: cython.int = self.dead[low]
        price: cython.double = self.price[low]
        for j in range(low * self.n, low * self.n + self.size[low]):
            mine = self.state[j] * self.p + k
            place = self.next(self.place[j], k)
            missing = self.missing[j] + (place < 0)
            if self.target[mine] < 0:
                dead += 1
            elif self.output[mine] != self.output[cell]:
                price += self.weight * missing
            elif self.target[mine] == self.target[cell]:
                dead += 1
            else:
                self.state[to] = self.target[mine]
                self.place[to] = place
                self.missing[to] = missing
                to += 1
        self.size[high] = to - high * self.n
        self.dead[high] = dead
        self.here[high] = self.target[cell]
        self.node[high] = self.next(self.node[low], k)
        self.lead[high] = self.lead[low] + 1
        if self.node[high] >= 0 and self.ends[self.node[high]] >= 0:
            self.lead[high] = 0
        self.path[depth] = -1
        if not self.verified[cell] and self.root[cell] < 0 and not self.used[cell]:
            self.used[cell] = 1
            self.path[depth] = cell
            price -= self.worth
        elif self.right[low] >= self.n and self.next(self.right[low], k) < 0:
            price -= NOVELTY
        self.right[high] = self.next(self.right[low], k)
        self.price[high] = price

    @cython.cfunc
    @cython.exceptval(check=False)
    def back(self, depth: cython.int) -> cython.void:
        """Take the input after ``depth`` others back."""
        if self.path[depth] >= 0:
            self.used[self.path[depth]] = 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def cost(self, level: cython.int) -> cython.double:
        """What the word of a level costs; huge where it refutes nothing.

        Where wrong states remain, the more of them the more passages will be needed.
        """
        own: cython.double = 0.0 if self.node[level] >= 0 else self.lead[level]
        left: cython.int = self.size[level] + self.dead[level]
        if left == self.size[0]:
            return 1e9
        return own + self.price[level] + (self.again * (1.0 + math.log(left)) if left > 0 else 0.0)

    @cython.cfunc
    @cython.exceptval(check=False)
    def floor(self, level: cython.int) -> cython.double:
        """What any extension of the word of a level costs at least."""
        if self.node[level] >= 0:
            return self.price[level] - self.worth * (self.reach - level)
        return self.lead[level] + self.price[level] + 1.0 - self.worth + (self.again if self.dead[level] > 0 else 0.0)

    @cython.cfunc
    @cython.exceptval(check=False)
    def search(self, level: cython.int) -> cython.void:
        """Try all words up to the reach and within the budget."""
        k: cython.int
        j: cython.int
        cost: cython.double
        for k in range(self.p):
            if self.spent >= TRIED_WORDS:
                return
            if self.target[self.here[level] * self.p + k] < 0:
                continue
            self.spent += 1
            self.trial[level] = k
            self.step(level, level + 1, level, k)
            cost = self.cost(level + 1)
            if cost < self.least - 1e-9:
                self.least = cost
                self.length = level + 1
                for j in range(self.length):
                    self.best[j] = self.trial[j]
            if level + 1 < self.reach and self.size[level + 1] > 0 and self.floor(level + 1) < self.least:
                self.search(level + 1)
            self.back(level)

    @cython.ccall
    def start(self, cell: cython.int, wrong: list[int], lead: cython.double, again: cython.double) -> cython.void:
        """Fill level 0: the wrong states of a transition; ``lead`` inputs bring a test to its source."""
        j: cython.int = 0
        q: cython.int
        for q in wrong:
            self.state[j] = q
            self.place[j] = q
            self.missing[j] = 0
            j += 1
        self.size[0] = j
        self.dead[0] = 0
        self.price[0] = 0.0
        self.here[0] = self.target[cell]
        self.right[0] = self.target[cell]
        self.node[0] = self.root[cell]
        self.lead[0] = lead + 1
        if self.node[0] >= 0 and self.ends[self.node[0]] >= 0:
            self.lead[0] = 0.0
        self.again = again

    def choose(self, longer: list[list[int]]) -> list[int]:
        """Return the best word among the short ones and some longer ones."""
        self.least = 1e8
        self.length = 0
        self.spent = 0
        word: list[int] = []
        for other in longer:
            cost = self.cost_of(other)
            if cost < self.least - 1e-9:
                self.least = cost
                word = other
        self.search(0)
        if self.length > 0:
            word = [self.best[j] for j in range(self.length)]
        return word

    @cython.ccall
    def cost_of(self, word: list[int]) -> cython.double:
        """What one word costs."""
        k: cython.int
        low: cython.int = 0
        high: cython.int = 1
        depth: cython.int = 0
        for k in word:
            self.step(low, high, depth, k)
            depth += 1
            low = high
            high = 3 - low
        while depth > 0:
            depth -= 1
            self.back(depth)
        return self.cost(low)
