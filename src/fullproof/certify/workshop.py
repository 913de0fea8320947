"""Where suites are trimmed, torn and mended; every suite that leaves it was decided to be complete.

*Trimming*: unsatisfiable cores say which tests a proof needs; then tests lose their last inputs one by one while no
machine survives. *Mending*: as long as a machine survives, the extension of a test (or a new test) is added that
catches most of the known survivors for its cost. Every survivor is remembered: most attempts that fail need no solver.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fullproof.certify.answers import Open
from fullproof.certify.deadline import Deadline
from fullproof.certify.exact import Survivor
from fullproof.certify.machine import Machine, Word, difference
from fullproof.certify.oracle import Confused, Needed, Oracle
from fullproof.certify.pool import NEVER, Pool
from fullproof.certify.suite_in_work import SuiteInWork

_SAMPLE = 24
_CANDIDATES = 60
_PATIENCE = 400
"""So many attempts in a row without success end the search."""
_SEARCH_SHARE = 0.85
"""The part of the time for the search; the rest is for trimming the result once more."""


class Question(Protocol):
    """Is this suite complete?"""

    def __call__(self, words: Collection[Word], *, seconds: float) -> Needed | Survivor | Open | Confused:
        """Answer within so many seconds."""


class Workshop:
    """Works on suites for one model and bound. ``best`` is the cheapest complete suite so far."""

    def __init__(
        self, model: Machine, pins: list[Word], *, extra: int, reset_cost: float, deadline: Deadline, seed: int
    ) -> None:
        self.model, self.pins, self.reset_cost, self.deadline = model, pins, reset_cost, deadline
        self.oracle = Oracle(model, pins, extra=extra)
        self.pool = Pool(model, model.states + extra)
        self.random = random.Random(seed)
        self.best: list[Word] = []
        self._price = float("inf")
        self._longest = max(2.0, deadline.seconds / 20)
        self._question: Question = self.oracle.ask

    def improve(self, words: Collection[Word]) -> bool:
        """Look for cheaper suites, starting from a complete one. False: time ran out before the search was steady."""
        current = SuiteInWork(self.pool, words)
        self._keep(current)
        search = Deadline(self.deadline.left() * _SEARCH_SHARE)
        if self.mend(current, float("inf"), search):
            self.trim(current)
        grown = SuiteInWork(self.pool, [])
        if self.mend(grown, self._price * 1.2, Deadline(search.left() / 4)):
            self.trim(grown)
            if grown.cost(self.reset_cost) < current.cost(self.reset_cost):
                current = grown
        failures = 0
        while failures < _PATIENCE and not search.passed():
            price = self._price
            current = self._attempt(current, search)
            failures = 0 if self._price < price else failures + 1
        self._polish()
        return failures >= _PATIENCE

    def _polish(self) -> None:
        """Trim the best suite once more; now it need not tell the pins apart."""
        self._question = self.oracle.decide
        self.trim(SuiteInWork(self.pool, self.best))

    def irredundant(self) -> bool:
        """Whether each test of the best suite catches, with its last input, a known machine that the others miss."""
        suite = SuiteInWork(self.pool, self.best)
        return all(suite.needs(word, from_input=len(word)) for word in suite.words)

    def trim(self, suite: SuiteInWork) -> None:
        """Take out of a complete suite what it does not need."""
        self._only(suite, self._needed(suite.words))
        for word in sorted(suite.words, key=len, reverse=True):
            if word in suite.runs and not suite.needs(word, from_input=1):
                self._only(suite, self._needed([other for other in suite.words if other != word]))
        order = suite.words
        self.random.shuffle(order)
        for word in order:
            while word in suite.runs and not suite.needs(word, from_input=len(word)):
                needed = self._needed(suite.without_last_input(word))
                if needed is None:
                    break
                suite.drop(word)
                word = word[:-1]
                if word in needed:
                    suite.add(word)
                self._only(suite, needed)
        self._keep(suite)

    def mend(self, suite: SuiteInWork, limit: float, deadline: Deadline) -> bool:
        """Extend a suite until it is complete; False where that would cost ``limit`` or takes too long."""
        while suite.cost(self.reset_cost) < limit and not deadline.passed():
            survivors = suite.survivors()
            if len(survivors):
                self._extend(suite, survivors)
                continue
            match self._answer(suite.words):
                case Needed(needed):
                    self._only(suite, needed)
                    return True
                case Confused(one, other):
                    self._separate(suite, one, other)
                case Open():
                    return False
        return False

    def _attempt(self, current: SuiteInWork, deadline: Deadline) -> SuiteInWork:
        """Tear some tests out or cut them short, mend, trim; the result where it is not dearer, else what was there."""
        words = current.words
        count = self.random.randint(1, max(2, min(8, len(words) // 3)))
        torn = set(self.random.sample(words, min(count, len(words))))
        rest = [word for word in words if word not in torn]
        rest += [
            word[: self.random.randint(1, len(word))] for word in sorted(torn) if word and self.random.random() < 0.3
        ]
        suite = SuiteInWork(self.pool, rest)
        price = current.cost(self.reset_cost)
        if not self.mend(suite, price * 1.02 + 4, deadline):
            return current
        self.trim(suite)
        return suite if suite.cost(self.reset_cost) <= price else current

    def _extend(self, suite: SuiteInWork, survivors: NDArray[np.int64]) -> None:
        """Add what catches most survivors for its cost, among short ways to catch some of them."""
        sample = survivors
        if len(sample) > _SAMPLE:
            sample = np.array(sorted(self.random.sample(sample.tolist(), _SAMPLE)))
        best = -1.0
        choice: Word = ()
        for stem, machine, label in self._nearest(suite, sample):
            ends = suite.runs[stem].ends if stem in suite.runs else np.zeros(len(self.pool), dtype=np.int32)
            way = self.pool.shortest(machine, int(ends[machine]), label, bias=self.random.randrange(1 << 16))
            fails = self.pool.go_on(way, survivors, ends[survivors], label).fails
            price = len(way) + (0 if stem in suite.runs else self.reset_cost)
            worth = float((fails < NEVER).sum()) / max(price, 0.5) * (1 + 0.1 * self.random.random())
            if worth > best:
                best, choice = worth, (*stem, *way)
        suite.add(choice)

    def _nearest(self, suite: SuiteInWork, sample: NDArray[np.int64]) -> list[tuple[Word, int, int]]:
        """Tests, or the empty word for a new one, and machines that few further inputs tell from the model."""
        found = []
        for stem in [(), *suite.words]:
            label = 0
            for symbol in stem:
                label = self.model.target[label][symbol]
            ends = suite.runs[stem].ends[sample] if stem in suite.runs else np.zeros(len(sample), dtype=np.int32)
            price = 0 if stem in suite.runs else self.reset_cost
            for machine, distance in zip(
                sample.tolist(), self.pool.distance[sample, ends, label].tolist(), strict=True
            ):
                if distance < NEVER:
                    found.append((price + distance, stem, machine, label))
        found.sort(key=lambda entry: entry[0])
        return [entry[1:] for entry in found[:_CANDIDATES]]

    def _separate(self, suite: SuiteInWork, one: Word, other: Word) -> None:
        """Apply the same word after two pins that tells them apart: the cheapest of those applied after one already."""
        start = (self._label(one), self._label(other))
        tails = [test[len(pin) :] for test in suite.words for pin in (one, other) if test[: len(pin)] == pin]
        ways = [tail[: self._first_difference(start, tail)] for tail in tails]
        ways.append(difference(self.model, self.model, start=start) or ())

        def price(way: Word) -> float:
            new = [
                pin + way for pin in (one, other) if not any(t[: len(pin) + len(way)] == pin + way for t in suite.runs)
            ]
            return sum(map(len, new)) + self.reset_cost * len(new)

        best = min((way for way in ways if way), key=price)
        for pin in (one, other):
            suite.add(pin + best)

    def _first_difference(self, start: tuple[int, int], word: Word) -> int:
        """How many inputs of a word it takes to tell two states apart; 0 where the whole word does not."""
        s, r = start
        for length, symbol in enumerate(word, start=1):
            if self.model.output[s][symbol] != self.model.output[r][symbol]:
                return length
            s, r = self.model.target[s][symbol], self.model.target[r][symbol]
        return 0

    def _label(self, word: Word) -> int:
        state = 0
        for symbol in word:
            state = self.model.target[state][symbol]
        return state

    def _answer(self, words: Collection[Word]) -> Needed | Survivor | Open | Confused:
        """Ask about a suite; a machine that survives it is remembered."""
        seconds = min(self._longest, self.deadline.left())
        answer = self._question(words, seconds=seconds) if seconds > 0 else Open("time ran out")
        if isinstance(answer, Survivor):
            self.pool.add(answer.machine)
        return answer

    def _needed(self, words: Collection[Word]) -> frozenset[Word] | None:
        """The tests that a proof of completeness needs; None where the suite is not known to be complete."""
        answer = self._answer(words)
        return answer.words if isinstance(answer, Needed) else None

    def _only(self, suite: SuiteInWork, needed: frozenset[Word] | None) -> None:
        """Drop the tests that a proof does not need, and remember the suite where it is the cheapest so far."""
        if needed is not None:
            for word in suite.words:
                if word not in needed:
                    suite.drop(word)
            self._keep(suite)

    def _keep(self, suite: SuiteInWork) -> None:
        """Remember a complete suite where it is the cheapest so far."""
        price = suite.cost(self.reset_cost)
        if price < self._price:
            self._price, self.best = price, suite.words
