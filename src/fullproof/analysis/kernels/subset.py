"""Choose for one state, from a list of words, few prefixes that distinguish it from all other states."""

import cython
import numpy as np

_NEVER = 1 << 20


@cython.cclass
class SubsetChooser:
    """Greedy cover of the other states; then redundant prefixes are removed."""

    states: cython.int
    words: cython.int
    code: cython.int[:, ::1]
    start: cython.int[::1]
    base: cython.double
    needs: cython.int[:, ::1]
    left: cython.uchar[::1]
    length: cython.int[::1]

    def __init__(self, code: cython.int[:, ::1], start: cython.int[::1], base: cython.double) -> None:
        """Row ``start[k] + j`` of ``code`` numbers the classes of states by their answers to j + 1 inputs of word k.

        A word costs ``base`` beside its inputs.
        """
        self.code = code
        self.start = start
        self.base = base
        self.states = code.shape[1]
        self.words = start.shape[0] - 1
        self.needs = np.zeros((self.words, self.states), dtype=np.int32)
        self.left = np.zeros(self.states, dtype=np.uint8)
        self.length = np.zeros(self.words, dtype=np.int32)

    def choose(self, state: cython.int) -> list[tuple[int, int]]:
        """Return (word, length) pairs; all words together must distinguish the state from all others."""
        k: cython.int
        s: cython.int
        self.measure(state)
        for s in range(self.states):
            self.left[s] = 1
        self.left[state] = 0
        picked: list[int] = []
        while True:
            k = self.best()
            if k < 0:
                break
            picked.append(k)
            for s in range(self.states):
                if self.needs[k, s] < _NEVER:
                    self.left[s] = 0
        for k in range(self.words):
            self.length[k] = 0
        for k in picked:
            self.length[k] = self.start[k + 1] - self.start[k]
        for k in picked:  # the first ones were picked with the least information
            if self.wanted(state, k) == 0:
                self.length[k] = 0
        order = sorted((-self.reach(k), k) for k in picked if self.length[k] > 0)
        for _, k in order:
            self.length[k] = self.wanted(state, k)
        return [(k, self.length[k]) for k in sorted(picked) if self.length[k] > 0]

    @cython.cfunc
    @cython.exceptval(check=False)
    def measure(self, state: cython.int) -> cython.void:
        """Find how many inputs of each word distinguish the state from each other one."""
        k: cython.int
        s: cython.int
        row: cython.int
        for k in range(self.words):
            for s in range(self.states):
                self.needs[k, s] = _NEVER
            for row in range(self.start[k + 1] - 1, self.start[k] - 1, -1):
                for s in range(self.states):
                    if self.code[row, s] != self.code[row, state]:
                        self.needs[k, s] = row - self.start[k] + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def best(self) -> cython.int:
        """The word that distinguishes most of the remaining states for its cost; -1 where none remain."""
        k: cython.int
        s: cython.int
        told: cython.int
        longest: cython.int
        chosen: cython.int = -1
        rate: cython.double
        highest: cython.double = 0.0
        for k in range(self.words):
            told = 0
            longest = 0
            for s in range(self.states):
                if self.left[s] and self.needs[k, s] < _NEVER:
                    told += 1
                    longest = max(longest, self.needs[k, s])
            rate = told / (self.base + longest)
            if told > 0 and rate > highest:
                highest = rate
                chosen = k
        return chosen

    @cython.cfunc
    @cython.exceptval(check=False)
    def reach(self, word: cython.int) -> cython.int:
        """The number of inputs after which a word distinguishes no further states."""
        s: cython.int
        longest: cython.int = 0
        for s in range(self.states):
            if self.needs[word, s] < _NEVER:
                longest = max(longest, self.needs[word, s])
        return longest

    @cython.cfunc
    @cython.exceptval(check=False)
    def wanted(self, state: cython.int, word: cython.int) -> cython.int:
        """How many inputs of a word are needed beside the other words at their lengths."""
        k: cython.int
        s: cython.int
        longest: cython.int = 0
        told: cython.bint
        for s in range(self.states):
            if s == state or self.needs[word, s] <= longest or self.needs[word, s] == _NEVER:
                continue
            told = False
            for k in range(self.words):
                if k != word and self.needs[k, s] <= self.length[k]:
                    told = True
                    break
            if not told:
                longest = self.needs[word, s]
        return longest
