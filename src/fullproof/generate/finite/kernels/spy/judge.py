"""Which locations of a merged graph are apart, and when a transition may be taken for known.

Two locations are apart if some word that was observed in both gives different outputs, or leads to different states
that are known. Then words that lead to the one and to the other never converge in a system that passes.
"""

from typing import Any

import cython

from fullproof.generate.finite.kernels.observations import Observations


@cython.cclass
class Judge(Observations):
    """Looks at the arrays of a graph (``Graph.arrays``), which it never changes."""

    extra: cython.int

    def __init__(self, table: tuple[Any, Any], verified: cython.uchar[::1], sizes: tuple[int, int]) -> None:
        """``sizes``: states, extra states."""
        super().__init__(table, sizes[0])
        self.verified = verified
        self.extra = sizes[1]

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
            if self.target[self.label[pair[0]] * self.p + k] < 0:
                continue
            after = [self.next(pair[0], k), self.next(pair[1], k)]
            if after[0] < 0 or after[0] != after[1]:
                found = self.descend(after, [[*words[0], k], [*words[1], k]], passed, level + 1)
                if found:
                    return list(found)
        return []
