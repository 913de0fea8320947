"""Which words identify what lies behind a transition at the least cost, given all that was observed already.

Cost of a set of words: inputs that tests need to show them behind the transition, and in the states and shorter words
from which that place must be distinguished; less a bonus for a later transition that is identified as well.
"""

from typing import Any

import cython
import numpy as np

from fullproof.generate.finite.kernels.observations import Observations

_ENDLESS = cython.declare(cython.double, 1e300)


@cython.cclass
class SpyChooser(Observations):
    """Looks at the arrays of a graph (``Graph.arrays``), which it never changes."""

    extra: cython.int
    credit: cython.double
    share: cython.double
    depth: cython.int[::1]
    letters: cython.int[::1]
    reply: cython.int[::1]
    bounds: cython.int[::1]
    sets: cython.int[::1]
    choices: cython.int[::1]
    heir: cython.uchar[::1]
    ready: cython.uchar[::1]
    covered: cython.uchar[::1]
    place: cython.int
    replay: cython.int
    window: cython.Py_ssize_t
    rivals: cython.int[::1]
    rivalry: cython.int
    nodes: cython.int[::1]
    backs: cython.int[::1]
    links: cython.int
    missing: cython.int
    needed: cython.int

    def __init__(
        self, machine: tuple[Any, Any, Any, Any], offer: tuple[Any, ...], extra: int, taste: tuple[float, float]
    ) -> None:
        """``machine``: targets, outputs, depths, verified transitions.

        ``offer``: letters, replies, words, sets and choices (as in the H-method), and marks for sets of a single word
        which, without its first letter, identifies the next state.
        """
        target, output, self.depth, self.verified = machine
        super().__init__((target, output), len(self.depth))
        self.letters, self.reply, self.bounds, self.sets, self.choices, self.heir = offer
        self.extra = extra
        self.credit, self.share = taste
        self.ready = np.zeros(self.sets.shape[0] - 1, dtype=np.uint8)
        self.covered = np.zeros(self.n * self.p ** (extra + 1), dtype=np.uint8)
        self.rivals = np.zeros(self.n, dtype=np.int32)
        self.nodes = np.zeros(extra, dtype=np.int32)
        self.backs = np.zeros(extra, dtype=np.int32)

    # Prices

    @cython.cfunc
    @cython.exceptval(check=False)
    def fee(self, location: cython.int, back: cython.int, word: cython.int, past: cython.int) -> cython.int:
        """Inputs a test needs to show letters ``word:past`` in a location; ``back``: those before that it repeats."""
        while word < past:
            if location >= 0:
                location = self.next(location, self.letters[word])
            if location < 0:
                return back + past - word
            back = 0 if self.ends[location] >= 0 else back + 1
            word += 1
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def parting(self, state: cython.int, word: cython.int) -> cython.int:
        """How many letters of a word it takes until a state answers otherwise than expected, 0 where it never does."""
        j: cython.int
        for j in range(self.bounds[word], self.bounds[word + 1]):
            if self.output[state * self.p + self.letters[j]] != self.reply[j]:
                return j + 1 - self.bounds[word]
            state = self.target[state * self.p + self.letters[j]]
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def telling(self, location: cython.int, back: cython.int, wanted: cython.int) -> cython.int:
        """The least fee of a set's words for distinguishing a location from where they are expected.

        ``missing`` becomes that word, ``needed`` how many of its letters it takes.
        """
        word: cython.int
        size: cython.int
        cost: cython.int
        least: cython.int = 1 << 30
        for word in range(self.sets[wanted], self.sets[wanted + 1]):
            size = self.parting(self.label[location], word)
            if size > 0:
                cost = self.fee(location, back, self.bounds[word], self.bounds[word] + size)
                if cost < least:
                    least = cost
                    self.missing = word
                    self.needed = size
        return least

    @cython.cfunc
    @cython.exceptval(check=False)
    def useful(self, word: cython.int) -> cython.bint:
        """Does a word distinguish the place from some rival?"""
        j: cython.int
        found: cython.bint = self.rivalry == self.n - 1
        for j in range(self.rivalry):
            found = found or self.parting(self.rivals[j], word) > 0
        for j in range(self.links):
            found = found or self.parting(self.label[self.nodes[j]], word) > 0
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
    def bonus(self, wanted: cython.int) -> cython.double:
        """What it is worth that a later transition is identified by the way."""
        spot: cython.Py_ssize_t
        if not self.heir[wanted] or self.window < 0:
            return 0.0
        spot = self.window + self.letters[self.bounds[self.sets[wanted]]]
        if self.covered[spot] or (self.extra == 0 and self.verified[spot]):
            return 0.0
        return self.credit

    @cython.cfunc
    @cython.exceptval(check=False)
    def value(self, wanted: cython.int, limit: cython.double) -> cython.double:
        """The cost of a set, where it is below ``limit``."""
        j: cython.int
        word: cython.int
        q: cython.int
        total: cython.double = -self.bonus(wanted)
        for word in range(self.sets[wanted], self.sets[wanted + 1]):
            if self.sets[wanted + 1] == self.sets[wanted] + 1 or self.useful(word):
                total += self.fee(self.place, self.replay, self.bounds[word], self.bounds[word + 1])
        for j in range(self.links):
            total += self.telling(self.nodes[j], self.backs[j], wanted)
        if not self.ready[wanted]:
            for j in range(self.rivalry):
                if total >= limit:
                    return limit
                q = self.rivals[j]
                total += self.share * self.telling(q, 0 if self.ends[q] >= 0 else self.depth[q] + 1, wanted)
        return total if total < limit else limit

    # The choice

    def choose(
        self, cell: cython.int, middle: list[int], reach: cython.int, rivals: list[int], links: list[int]
    ) -> int:
        """Choose a set for the word after a transition and ``middle``.

        ``reach``: what it costs to get a test to the source; ``rivals``: states from which the word is not apart yet;
        ``links``: how many inputs of the word lead to a place from which it is not apart.
        """
        j: cython.int
        back: cython.int
        location: cython.int = cell // self.p
        word: list[int] = [cell % self.p, *middle]
        self.links = 0
        back = 0 if self.ends[location] >= 0 else reach
        for j in range(len(word)):
            location = self.next(location, word[j]) if location >= 0 else -1
            back = 0 if location >= 0 and self.ends[location] >= 0 else back + 1
            if j + 1 in links:
                self.nodes[self.links] = location
                self.backs[self.links] = back
                self.links += 1
        self.place = location
        self.replay = back
        self.rivalry = len(rivals)
        for j in range(self.rivalry):
            self.rivals[j] = rivals[j]
        state: cython.int = self.survey(cell, middle)
        best: cython.int = -1
        least: cython.double = _ENDLESS
        value: cython.double
        for j in range(self.choices[state], self.choices[state + 1]):
            value = self.value(j, least)
            if value < least:
                least = value
                best = j
        return int(best)

    @cython.cfunc
    def survey(self, cell: cython.int, middle: list[int]) -> cython.int:
        """Find the window that the next letter completes (-1: its transition is known); returns the state reached."""
        state: cython.int = self.target[cell]
        letter: cython.int
        self.window = state
        for letter in middle:
            self.window = self.window * self.p + letter
            state = self.target[state * self.p + letter]
        self.window *= self.p
        if self.extra > 0 and self.verified[self.target[cell] * self.p + middle[0]]:
            self.window = -1
        return state

    def take(self, wanted: cython.int) -> tuple[list[Any], list[Any], list[Any]]:
        """Return what the set just chosen needs.

        First words behind the transition, then (state, word) for the rivals, then (number, word) for the links.
        """
        own = [self.text(word, -1) for word in range(self.sets[wanted], self.sets[wanted + 1]) if self.useful(word)]
        if self.bonus(wanted) > 0.0:
            self.covered[self.window + self.letters[self.bounds[self.sets[wanted]]]] = 1
        count: cython.int = 0 if self.ready[wanted] else self.rivalry
        others = [
            (self.rivals[j], self.text(self.missing, self.needed))
            for j in range(count)
            if self.telling(self.rivals[j], 1, wanted) > 0
        ]
        if self.rivalry == self.n - 1:
            self.ready[wanted] = 1
        shorter = [
            (j, self.text(self.missing, self.needed))
            for j in range(self.links)
            if self.telling(self.nodes[j], 1, wanted) > 0
        ]
        return own, others, shorter

    @cython.cfunc
    def text(self, word: cython.int, size: cython.int) -> list[Any]:
        """The first letters of a word, -1: all."""
        first: cython.int = self.bounds[word]
        past: cython.int = self.bounds[word + 1] if size < 0 else first + size
        return [self.letters[j] for j in range(first, past)]
