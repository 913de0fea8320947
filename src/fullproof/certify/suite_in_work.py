"""A mutable suite: its tests, their cost, and the faulty machines of a pool that each of them detects.

Beside its own tests there may be free ones, such as words that a system has answered before: they cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from fullproof.certify.machine import Word
from fullproof.certify.pool import NEVER, MachinePool, WordRun
from fullproof.certify.tree import maximal


class SuiteInWork:
    """Tests of which none is a prefix of another one, nor of a free one."""

    def __init__(self, pool: MachinePool, words: Iterable[Word], free: Iterable[Word] = ()) -> None:
        self.pool = pool
        self.runs: dict[Word, WordRun] = {}
        self.free: dict[Word, WordRun] = {word: pool.run(word) for word in free}
        self.caught = np.zeros(len(pool), dtype=np.int32)
        for run in self.free.values():
            self.caught += run.fails < NEVER
        for word in maximal(words):
            self.add(word)

    def copy(self) -> SuiteInWork:
        """An independent copy."""
        twin = SuiteInWork(self.pool, ())
        twin.runs, twin.free, twin.caught = dict(self.runs), dict(self.free), self.caught.copy()
        return twin

    @property
    def words(self) -> list[Word]:
        """The tests that are not free, sorted."""
        return sorted(self.runs)

    def cost(self, reset_cost: float) -> float:
        """Inputs plus resets of tests that are not free."""
        return sum(map(len, self.runs)) + reset_cost * len(self.runs)

    def add(self, word: Word) -> None:
        """Add a test; tests that are prefixes of it are removed, and it is not added where it is a prefix itself."""
        if self._has(word, self.runs):
            return
        for other in [other for other in self.runs if word[: len(other)] == other]:
            self.drop(other)
        self.refresh()
        self.runs[word] = run = self.pool.run(word)
        self.caught += run.fails < NEVER

    def drop(self, word: Word) -> None:
        """Remove a test."""
        self.refresh()
        run = self.runs.pop(word)
        self.caught -= run.fails < NEVER

    def refresh(self) -> None:
        """Evaluate the machines that were added to the pool since."""
        known, now = len(self.caught), len(self.pool)
        if known == now:
            return
        self.caught = np.concatenate([self.caught, np.zeros(now - known, dtype=np.int32)])
        for runs in (self.runs, self.free):
            for word, run in runs.items():
                if len(run) < now:
                    more = self.pool.run(word, first=len(run))
                    fails, ends = np.concatenate([run.fails, more.fails]), np.concatenate([run.ends, more.ends])
                    new = WordRun(fails, ends, run.label)
                    self.caught[known:] += new.fails[known:] < NEVER
                    runs[word] = new

    def survivors(self) -> NDArray[np.int64]:
        """The numbers of the machines that pass all tests."""
        self.refresh()
        return np.flatnonzero(self.caught == 0)

    def needs(self, word: Word, *, from_input: int) -> bool:
        """Whether some machine is caught by this test alone, at ``from_input`` or later."""
        self.refresh()
        fails = self.runs[word].fails
        return bool(((self.caught == 1) & (fails >= from_input) & (fails < NEVER)).any())

    def without_last_input(self, word: Word) -> list[Word]:
        """The tests with the last input of one of them removed; that test is dropped where it becomes a prefix of
        another one.
        """
        others = [other for other in self.runs if other != word]
        shorter = word[:-1]
        if shorter and not self._has(shorter, others):
            others.append(shorter)
        return others

    def _has(self, word: Word, tests: Iterable[Word]) -> bool:
        """Whether some of these tests or a free one begins with a word."""
        return any(test[: len(word)] == word for test in chain(tests, self.free))
