"""Which locations of a merged graph are apart, and when a transition may be taken for known.

Two locations are apart if some word that was observed in both gives different outputs, or leads to different states
that are known. Then words that lead to the one and to the other never converge in a system that passes.
"""

from typing import Any

import cython


@cython.cclass
class Judge:
    """Looks at the arrays of a graph (``Graph.arrays``), which it never changes."""

    n: cython.int
    p: cython.int
    extra: cython.int
    target: cython.int[::1]
    output: cython.int[::1]
    verified: cython.uchar[::1]
    root: cython.int[::1]
    first: cython.int[::1]
    following: cython.int[::1]
    symbol: cython.int[::1]
    label: cython.int[::1]
    ends: cython.int[::1]

    def __init__(self, table: tuple[Any, Any], verified: cython.uchar[::1], sizes: tuple[int, int]) -> None:
        """``sizes``: states, extra states."""
        self.target, self.output = table
        self.verified = verified
        self.n, self.extra = sizes
        self.p = self.target.shape[0] // self.n

    def look_at(self, arrays: tuple[Any, ...]) -> None:
        """Take the graph as it is now."""
        self.root, self.first, self.following, self.symbol, self.label, self.ends = arrays

    @cython.cfunc
    @cython.exceptval(check=False)
    def next(self, location: cython.int, k: cython.int) -> cython.int:
        """The location one input further, as ``Graph.next``."""
        if location < self.n:
            if self.verified[location * self.p + k]:
                return self.target[location * self.p + k]
            return self.root[location * self.p + k]
        location = self.first[location]
        while location >= 0 and self.symbol[location] != k:
            location = self.following[location]
        return location

    @cython.cfunc
    @cython.exceptval(check=False)
    def apart(self, one: cython.int, other: cython.int) -> cython.bint:
        """Are two locations apart? Those of one label never are; two different states always are."""
        child: cython.int
        there: cython.int
        k: cython.int
        if self.label[one] == self.label[other]:
            return False
        if one < self.n:
            if other < self.n:
                return True
            child = one
            one = other
            other = child
        child = self.first[one]
        while child >= 0:
            k = self.symbol[child]
            there = self.next(other, k)
            if there >= 0:
                if self.output[self.label[one] * self.p + k] != self.output[self.label[other] * self.p + k]:
                    return True
                if self.apart(child, there):
                    return True
            child = self.following[child]
        return False

    def at(self, state: cython.int, word: list[int]) -> int:
        """Return the location after a word, -1 where it was not observed."""
        k: cython.int
        location: cython.int = state
        for k in word:
            location = self.next(location, k)
            if location < 0:
                break
        return int(location)

    def wrong_states(self, location: cython.int) -> list[int]:
        """Return the states from which a location should be apart and is not."""
        return [q for q in range(self.n) if q != self.label[location] and not self.apart(location, q)]

    def links(self, state: cython.int, word: list[int]) -> list[int]:
        """Return how many inputs lead to places on the way, states aside, from which the end of a word is not apart."""
        end: cython.int = self.at(state, word)
        label: cython.int = state
        location: cython.int = state
        j: cython.int
        for j in range(len(word)):
            label = self.target[label * self.p + word[j]]
        found = []
        for j in range(len(word) - 1):
            location = self.next(location, word[j])
            if location < 0:
                break
            if location >= self.n and self.label[location] != label and (end < 0 or not self.apart(end, location)):
                found.append(j + 1)
        return found

    def united(self, state: cython.int, rivals: list[int], word: list[int]) -> list[int]:
        """Return the rivals that answer a word as a state does."""
        left = []
        x: cython.int
        y: cython.int
        k: cython.int
        rival: cython.int
        for rival in rivals:
            x = state
            y = rival
            for k in word:
                if self.output[x * self.p + k] != self.output[y * self.p + k]:
                    break
                x = self.target[x * self.p + k]
                y = self.target[y * self.p + k]
            else:
                left.append(rival)
        return left

    def doubt(self, cell: cython.int) -> list[Any]:
        """Return two words that should be apart before a transition (s, x) -> t may be taken for known; none: it may.

        The words s.x.y and t.y, |y| <= extra, must all be observed; those of different labels must be apart from all
        states, and from each other where one y is a prefix of the other. A word comes after the state it starts from;
        where both are the same, it was not observed.
        """
        words = [[cell // self.p, cell % self.p], [self.target[cell]]]
        return list(self.descend([self.root[cell], self.target[cell]], words, [], 0))

    @cython.cfunc
    def descend(self, pair: list[int], words: list[Any], passed: list[Any], level: cython.int) -> list[Any]:
        """``doubt`` from s.x.y and t.y on; ``passed``: the locations after shorter y, with their words."""
        j: cython.int
        q: cython.int
        k: cython.int
        here: cython.int
        other: cython.int
        for j in range(2):
            here = pair[j]
            if here < 0:
                return [words[j], words[j]]
            for q in range(self.n):
                if q != self.label[here] and not self.apart(here, q):
                    return [words[j], [q]]
            for other, word in passed:
                if self.label[other] != self.label[here] and not self.apart(here, other):
                    return [words[j], word]
        if level == self.extra:
            return []
        passed = [*passed, (pair[0], words[0]), (pair[1], words[1])]
        for k in range(self.p):
            after = [self.next(pair[0], k), self.next(pair[1], k)]
            if after[0] < 0 or after[0] != after[1]:
                found = self.descend(after, [[*words[0], k], [*words[1], k]], passed, level + 1)
                if found:
                    return list(found)
        return []
