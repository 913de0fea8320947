"""Harmonised identifiers from adaptive trees.

Needs: a complete, deterministic, minimal table.
"""

import math

import cython
import numpy as np
from numpy.typing import NDArray


@cython.cclass
class Splitter:
    """Grows adaptive trees; scores an input by how evenly it splits a block and how few states it merges."""

    n: cython.int
    p: cython.int
    q: cython.int
    target: cython.int[::1]
    output: cython.int[::1]
    letter: cython.int[::1]
    share: cython.int[::1]
    seen: cython.int[::1]
    stamp: cython.int
    penalty: cython.double
    tried: cython.int

    def __init__(self, target: cython.int[::1], output: cython.int[::1], letter: cython.int[::1]) -> None:
        self.n = math.isqrt(letter.shape[0])
        self.p = target.shape[0] // self.n
        self.q = np.max(np.asarray(output)) + 1
        self.target = target
        self.output = output
        self.letter = letter
        self.share = np.zeros(self.q, dtype=np.int32)
        self.seen = np.zeros(self.n * self.q, dtype=np.int32)
        self.stamp = 0
        self.penalty = 3.0
        self.tried = 24

    @cython.cfunc
    @cython.exceptval(check=False)
    def score(self, current: cython.int[::1], i: cython.int) -> cython.double:
        """Score of one input on a block of current states: lower is better, negative where it does not split."""
        k: cython.int
        cell: cython.int
        pair: cython.int
        size: cython.int = current.shape[0]
        merged: cython.int = 0
        total: cython.double = 0.0
        self.stamp += 1
        for k in range(size):
            cell = current[k] * self.p + i
            self.share[self.output[cell]] += 1
            pair = self.target[cell] * self.q + self.output[cell]
            if self.seen[pair] == self.stamp:
                merged += 1
            self.seen[pair] = self.stamp
        if self.share[self.output[current[0] * self.p + i]] == size:
            self.share[self.output[current[0] * self.p + i]] = 0
            return -1.0
        for k in range(size):
            cell = self.output[current[k] * self.p + i]
            if self.share[cell] > 0:
                total += self.share[cell] * math.log(self.share[cell])
                self.share[cell] = 0
        return total + self.penalty * merged

    @cython.ccall
    def best_input(self, current: cython.int[::1]) -> cython.int:
        """Return the splitting input with the best score, -1 where none splits."""
        i: cython.int
        best: cython.int = -1
        least: cython.double = 0.0
        worth: cython.double
        for i in range(self.p):
            worth = self.score(current, i)
            if worth >= 0.0 and (best < 0 or worth < least):
                best = i
                least = worth
        return best

    @cython.ccall
    def approach(self, x: cython.int, y: cython.int, current: cython.int[::1]) -> object:
        """Return the word for x and y up to its first letter that splits the block, with a score for the way."""
        word = []
        worth: cython.double = -1.0
        i: cython.int
        k: cython.int
        size: cython.int = current.shape[0]
        here: cython.int[::1] = np.array(current, dtype=np.int32)
        while worth < 0.0:
            i = self.letter[x * self.n + y]
            worth = self.score(here, i)
            word.append(i)
            x = self.target[x * self.p + i]
            y = self.target[y * self.p + i]
            for k in range(size):
                here[k] = self.target[here[k] * self.p + i]
        return worth + size * (len(word) - 1), word

    def step(self, current: NDArray[np.int32]) -> list[int]:
        """Return the word to apply next to a block with at least two different current states."""
        best = self.best_input(current)
        if best >= 0:
            return [best]
        different = np.unique(current)
        first = int(different[0])
        ways = [self.approach(first, int(other), current) for other in different[1 : 1 + self.tried]]
        best_way: list[int] = min(ways)[1]
        return best_way

    def leaves(self, block: NDArray[np.int32]) -> list[tuple[NDArray[np.int32], list[int]]]:
        """Grow one adaptive tree and return its leaves: origins that the tree does not distinguish, and the word."""
        found = []
        stack: list[tuple[NDArray[np.int32], NDArray[np.int32], list[int]]] = [(block, block, [])]
        table = np.asarray(self.target).reshape(self.n, self.p)
        answers = np.asarray(self.output).reshape(self.n, self.p)
        while stack:
            origins, current, word = stack.pop()
            if (current == current[0]).all():
                found.append((origins, word))
                continue
            letters = self.step(current)
            for i in letters:
                reply = answers[current, i]
                current = table[current, i]
            for symbol in np.unique(reply)[::-1]:
                chosen = reply == symbol
                stack.append((origins[chosen], np.ascontiguousarray(current[chosen]), word + letters))
        return found


def harmonised_identifiers(
    target: cython.int[::1], output: cython.int[::1], letter: cython.int[::1]
) -> list[list[list[int]]]:
    """Return words for each state such that any two states share a word prefix that separates them.

    One tree serves all states; the states that one of its leaves still confuses get a tree of their own, and so on.
    A state has a single word where the first tree is an adaptive distinguishing sequence for it.
    """
    splitter: Splitter = Splitter(target, output, letter)
    words: list[list[list[int]]] = [[] for _ in range(splitter.n)]
    groups = [np.arange(splitter.n, dtype=np.int32)]
    while groups:
        for origins, word in splitter.leaves(groups.pop()):
            for state in origins:
                words[state].append(word)
            if len(origins) > 1:
                groups.append(origins)
    return words
