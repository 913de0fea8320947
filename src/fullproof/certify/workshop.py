"""Local search for smaller suites by removing and repairing tests; every returned suite was decided to be complete.

*Trimming*: unsatisfiable cores say which tests a proof needs; then tests lose their last inputs one by one while no
machine survives. *Repairing*: as long as a machine survives, the extension of a test (or a new test) is added that
catches most of the known survivors for its cost. Every survivor is kept: most failing attempts need no solver.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fullproof.certify.answers import Open
from fullproof.certify.exact import Survivor
from fullproof.certify.machine import UNDEFINED, FlatMachine, Word, difference
from fullproof.certify.oracle import Confused, Needed
from fullproof.certify.pool import NEVER, MachinePool
from fullproof.certify.suite_in_work import SuiteInWork
from fullproof.certify.tree import maximal
from fullproof.core.budget import Budget
from fullproof.core.status import report_status

_SAMPLE = 24
_CANDIDATES = 60
_FAULTS = 3000
"""The number of simple faults in the initial pool, at most."""
_PATIENCE = 400
"""The number of consecutive attempts without success after which the search ends."""
_SEARCH_SHARE = 0.85
"""The part of the budget for the search; the rest is for trimming the result once more."""
_QUESTIONS, _HARD_QUESTIONS = 20, 4
"""The reciprocal of the largest share of the budget that one query may take, for complete and for partial models."""
_ASKING = 10_000
"""The cost of a query besides the solver's own steps, in the same unit: about two milliseconds."""


class ShrinkQuestion(Protocol):
    """Is this suite complete?"""

    def __call__(self, words: Collection[Word], *, effort: Budget) -> Needed | Survivor | Open | Confused:
        """Answer within a budget."""


class SuiteOracle(Protocol):
    """Decides suites for one minimal model and fault domain, whose machines have at most ``bound`` states."""

    model: FlatMachine
    bound: int

    def typical_faults(self, dice: random.Random, most: int) -> Iterable[FlatMachine]:
        """Some machines of the fault domain, at most so many; some may be equivalent to the model."""

    def ask(self, words: Collection[Word], *, effort: Budget) -> Needed | Survivor | Open | Confused:
        """Is this suite complete? Cheap, but suites of some form may be refused as confused."""

    def decide(self, words: Collection[Word], *, effort: Budget) -> Needed | Survivor | Open:
        """Is this suite complete, whatever its form?"""


class Workshop:
    """Works on suites for one model and bound. ``best`` is the cheapest complete suite so far.

    ``free``: words that are run in any case; what is made is complete together with them.
    """

    def __init__(
        self, oracle: SuiteOracle, *, reset_cost: float, effort: Budget, seed: int, free: Collection[Word] = ()
    ) -> None:
        self.model, self.oracle, self.reset_cost, self.effort = oracle.model, oracle, reset_cost, effort
        self.pool = MachinePool(oracle.model, oracle.bound)
        self.free = list(free)
        self.random = random.Random(seed)
        self.best: list[Word] = []
        self._price = float("inf")
        self._longest = effort.steps / (_QUESTIONS if oracle.model.is_complete else _HARD_QUESTIONS)
        self._question: ShrinkQuestion = self.oracle.ask
        for machine in oracle.typical_faults(self.random, _FAULTS):
            if effort.is_cut or self.pool.is_full:
                break
            self.pool.add(machine)

    def improve(self, words: Collection[Word]) -> bool:
        """Look for cheaper suites, from a complete one and from nothing; False where the budget ended that."""
        given, grown = self._suite(words), self._suite(())
        self._keep(given)
        effort = self.effort.share(_SEARCH_SHARE)
        starts = []
        if self.mend(given, float("inf"), effort):
            self.trim(given)
            starts.append(given)
        if self.mend(grown, self._price * 1.2, effort.share(0.25)):
            self.trim(grown)
            starts.append(grown)
        starts.sort(key=lambda suite: suite.cost(self.reset_cost))
        steady = all(self._search(start, effort) for start in starts)
        self._polish()
        return steady

    def create(self) -> bool:
        """Make a complete suite from nothing, and look for cheaper ones; False where the budget ended before that.

        Then ``best`` is what was made so far, and is not complete.
        """
        grown = self._suite(())
        if not self.mend(grown, float("inf"), self.effort):
            self.best = grown.words
            return False
        self._keep(grown)
        self.trim(grown)
        self._search(grown, self.effort.share(_SEARCH_SHARE))
        self._polish()
        return True

    def _suite(self, words: Collection[Word]) -> SuiteInWork:
        return SuiteInWork(self.pool, words, self.free)

    def _search(self, current: SuiteInWork, effort: Budget) -> bool:
        """Remove and repair until there is no progress for a while; False where the budget ends first."""
        failures = 0
        while failures < _PATIENCE:
            if effort.is_over:
                return False
            found = self._attempt(current, effort)
            cheaper = found.cost(self.reset_cost) < current.cost(self.reset_cost)
            current, failures = found, 0 if cheaper else failures + 1
        return True

    def _polish(self) -> None:
        """Trim the best suite once more; now it need not distinguish the pins."""
        self._question = self.oracle.decide
        self.trim(self._suite(self.best))

    def irredundant(self) -> bool:
        """Whether each test of the best suite catches, with its last input, a known machine that the others miss."""
        suite = self._suite(self.best)
        return all(suite.needs(word, from_input=len(word)) for word in suite.words)

    def trim(self, suite: SuiteInWork) -> None:
        """Remove redundant tests and inputs from a complete suite."""
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

    def mend(self, suite: SuiteInWork, limit: float, effort: Budget) -> bool:
        """Extend a suite until it is complete; False where that would cost ``limit`` or takes too long."""
        while suite.cost(self.reset_cost) < limit and not effort.is_over:
            survivors = suite.survivors()
            effort.spend(_ASKING)
            self._report(suite, len(survivors))
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

    def _report(self, suite: SuiteInWork, survivors: int) -> None:
        """Say what the suite in work costs and how much is left to catch, and what the best one costs."""
        report_status(
            lambda: (
                f"suite of {suite.cost(self.reset_cost):,.0f} inputs and resets: {survivors:,} of "
                f"{len(self.pool):,} known faulty machines survive"
                + (f"; complete: {self._price:,.0f}" if self._price < float("inf") else "")
            )
        )

    def _attempt(self, current: SuiteInWork, effort: Budget) -> SuiteInWork:
        """Remove or shorten some tests, repair, trim; return the result where it is not more expensive, else the old
        suite.
        """
        words, suite = current.words, current.copy()
        count = self.random.randint(1, max(2, min(8, len(words) // 3)))
        for word in self.random.sample(words, min(count, len(words))):
            suite.drop(word)
            if self.random.random() < 0.3:
                suite.add(word[: self.random.randint(1, len(word))])
        price = current.cost(self.reset_cost)
        if not self.mend(suite, price * 1.02 + 4, effort):
            return current
        self.trim(suite)
        return suite if suite.cost(self.reset_cost) <= price else current

    def _extend(self, suite: SuiteInWork, survivors: NDArray[np.int64]) -> None:
        """Add the extension that detects most survivors for its cost, among short extensions that detect some of
        them.
        """
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
        """Tests, or the empty word for a new one, and machines that few further inputs distinguish from the model."""
        found: list[tuple[float, Word, int, int]] = []
        for stem in [(), *suite.words]:
            run = suite.runs.get(stem)
            ends, label = (run.ends[sample], run.label) if run else (np.zeros(len(sample), dtype=np.int32), 0)
            price = 0 if run else self.reset_cost
            distances = self.pool.distance[sample, ends, label]
            near = np.flatnonzero(distances < NEVER)
            found.extend((price + int(distances[k]), stem, int(sample[k]), label) for k in near)
        found.sort(key=lambda entry: entry[0])
        return [entry[1:] for entry in found[:_CANDIDATES]]

    def _separate(self, suite: SuiteInWork, one: Word, other: Word) -> None:
        """Apply the same word after two pins that distinguishes them: the cheapest of those applied after one
        already.
        """
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
        """How many inputs of a word it takes to distinguish two states; 0 where the whole word does not."""
        s, r = start
        for length, symbol in enumerate(word, start=1):
            if UNDEFINED in (self.model.target[s][symbol], self.model.target[r][symbol]):
                break
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
        """Decide a suite; a surviving machine is added to the pool."""
        if self.effort.is_over:
            return Open("the budget is spent")
        if self.pool.is_full:
            return Open("there is no room for a further faulty machine")
        self.effort.spend(_ASKING)
        part = min(1.0, self._longest / max(1.0, self.effort.left()))
        answer = self._question(maximal([*self.free, *words]) if self.free else words, effort=self.effort.share(part))
        if isinstance(answer, Survivor):
            self.pool.add(answer.machine)
        return answer

    def _needed(self, words: Collection[Word]) -> frozenset[Word] | None:
        """The tests that a proof of completeness needs; None where the suite is not known to be complete."""
        answer = self._answer(words)
        return answer.words if isinstance(answer, Needed) else None

    def _only(self, suite: SuiteInWork, needed: frozenset[Word] | None) -> None:
        """Drop the tests that a proof does not need, and keep the suite where it is the cheapest so far."""
        if needed is not None:
            for word in suite.words:
                if word not in needed:
                    suite.drop(word)
            self._keep(suite)

    def _keep(self, suite: SuiteInWork) -> None:
        """Keep a complete suite where it is the cheapest so far."""
        price = suite.cost(self.reset_cost)
        if price < self._price:
            self._price, self.best = price, suite.words
