"""Suites for fault domains with timers, by counterexamples: while a member survives, a test is added that it fails.

The first members are those with a single fault. Among the cheapest tests, or extensions of tests, for some survivors
the one is added that most of the known survivors fail for its cost. That the oracle finds no survivor any more is the
proof. Then tests lose steps as long as that stays so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from fullproof.artefacts.progress import Progress, unheard
from fullproof.certify.answers import Open
from fullproof.certify.timed_domain import TimedDomain
from fullproof.certify.timed_member import Here, TimedWord, choices_of, own_choice
from fullproof.certify.timed_oracle import TimedNeeded, TimedOracle, TimedSurvivor, difference
from fullproof.certify.timed_product import ProductStart, ProductTooLarge, TimedAgreement
from fullproof.certify.timed_reasons import TimedChoices
from fullproof.core.budget import Budget
from fullproof.core.deadline import Deadline
from fullproof.core.errors import Bug

_STEPS = 100_000_000
_CHECK_SHARE = 0.4
"""Steps of a generation, and the part that is kept for the last check."""
_SAMPLE = 4
"""How many survivors propose a test."""
_RUN = 50
"""The cost of a step of a test on a member, in steps of the solver."""


@dataclass(frozen=True, slots=True)
class TimedSuite:
    """A suite for a domain with timers; ``undecided`` says why it is not known to be complete, or is empty."""

    words: tuple[TimedWord, ...]
    undecided: str


def timed_suite(
    domain: TimedDomain,
    *,
    seconds: float | None = None,
    reset_cost: float = 1.0,
    progress: Progress = unheard,
) -> TimedSuite:
    """Make a suite that every member of the domain fails unless it is equivalent to the model.

    Guarantee: complete for the domain where ``undecided`` is empty; a fresh solver has then decided it once more.
    """
    effort = Budget(_STEPS, Deadline(seconds))
    work = TimedWorkshop(domain, reset_cost=reset_cost, effort=effort.share(1 - _CHECK_SHARE), progress=progress)
    undecided = work.complete()
    if not undecided:
        work.trim()
        match TimedOracle(domain).ask(work.words, effort=effort):
            case TimedSurvivor():
                raise Bug("a suite was trimmed too far: a member survives that the incremental search missed")
            case Open(reason):
                undecided = reason
            case TimedNeeded():
                pass
    return TimedSuite(tuple(work.words), undecided and f"the suite could not be completed: {undecided}")


def single_faults(domain: TimedDomain) -> Iterable[TimedChoices]:
    """The members in which one decision is not the model's."""
    known = len(domain.machine.locations)
    of_extra = {
        k
        for cells in (domain.target_of, domain.outputs_of, domain.look_of)
        for (place, _), k in cells.items()
        if place >= known
    }
    of_extra |= {k for (place, _, _), k in domain.start_of.items() if place >= known} | set(domain.like.values())
    for k, decision in enumerate(domain.decisions):
        if k not in of_extra:
            for value in range(1, len(decision.values)):
                member = {k: value}
                if domain.holds(member):
                    yield member


class TimedWorkshop:
    """Works on a suite for one domain; ``words`` are its tests, of which none begins another."""

    def __init__(self, domain: TimedDomain, *, reset_cost: float, effort: Budget, progress: Progress) -> None:
        self.domain, self.reset_cost, self.effort, self._progress = domain, reset_cost, effort, progress
        self.oracle = TimedOracle(domain)
        self.runs = self.oracle.runs
        self.words: list[TimedWord] = []
        self._pool: list[TimedChoices] = list(single_faults(domain))
        self._known: dict[tuple[int, TimedWord], int | None] = {}
        self._same: set[int] = set()

    def complete(self) -> str:
        """Add tests until no member survives; the reason where that could not be done."""
        while not self.effort.is_over:
            self._progress(len(self._pool) - len(self._survivors()), len(self._pool), steps=len(self.words))
            survivors = self._survivors()
            if survivors:
                self._extend(survivors)
                continue
            match self.oracle.ask(self.words, effort=self.effort):
                case TimedNeeded():
                    return ""
                case Open(reason):
                    return reason
                case TimedSurvivor(member, _):
                    self._pool.append(member)
        return self.effort.reason

    def trim(self) -> None:
        """Drop tests and last steps as long as no member survives."""
        self._keep(self._needed(self.words))
        for word in sorted(self.words, key=len, reverse=True):
            if word in self.words:
                self._keep(self._needed(self._others(word)))
        for word in sorted(self.words, key=len, reverse=True):
            while word in self.words and len(word) > 1:
                shorter = [*self._others(word), word[:-1]]
                if self._needed(shorter) is None:
                    break
                word = word[:-1]
                self.words = maximal_words(shorter)

    def _others(self, word: TimedWord) -> list[TimedWord]:
        return [other for other in self.words if other != word]

    def _keep(self, needed: frozenset[TimedWord] | None) -> None:
        if needed is not None:
            self.words = [word for word in self.words if word in needed]

    def _needed(self, words: Collection[TimedWord]) -> frozenset[TimedWord] | None:
        """The tests that a proof of completeness needs; None where the suite is not known to be complete."""
        if self.effort.is_over or self._survivors(words):
            return None
        answer = self.oracle.ask(words, effort=self.effort.share(0.2))
        if isinstance(answer, TimedSurvivor):
            self._pool.append(answer.member)
        return answer.words if isinstance(answer, TimedNeeded) else None

    def _fails(self, number: int, word: TimedWord) -> bool:
        key = number, word
        if key not in self._known:
            self._known[key] = self.oracle.fails_at(self._pool[number], word)
            self.effort.spend(_RUN * len(word))
        return self._known[key] is not None

    def _survivors(self, words: Collection[TimedWord] | None = None) -> list[int]:
        words = self.words if words is None else words
        everyone = (k for k in range(len(self._pool)) if k not in self._same)
        return [k for k in everyone if not any(self._fails(k, word) for word in words)]

    def _extend(self, survivors: list[int]) -> None:
        """Add the best of the cheapest tests for some survivors."""
        sample = survivors[:: max(1, len(survivors) // _SAMPLE)][:_SAMPLE]
        best: tuple[float, TimedWord] | None = None
        for number in sample:
            word = self._killer(number)
            if word is None:
                self._same.add(number)
                continue
            kills = sum(self._fails(k, word) for k in survivors)
            price = self._price(word)
            if best is None or kills / price > best[0]:
                best = kills / price, word
        if best is not None:
            self.words = maximal_words([*self.words, best[1]])

    def _price(self, word: TimedWord) -> float:
        shared = max((len(other) for other in self.words if word[: len(other)] == other), default=None)
        return len(word) + self.reset_cost if shared is None else len(word) - shared

    def _killer(self, number: int) -> TimedWord | None:
        """The cheapest test, or extension of a test, that a member fails; None where it is equivalent."""
        member = self._pool[number]
        stems: list[TimedWord] = [(), *self.words]
        starts = []
        for stem in stems:
            mine, own = self._after(stem, member)
            starts.append(ProductStart(mine, own, 0.0 if stem else self.reset_cost))
        self.effort.spend(20_000)
        match difference(self.runs, member, starts):
            case TimedAgreement() | ProductTooLarge():
                return None
            case (start, word):
                return stems[start] + word

    def _after(self, stem: TimedWord, member: TimedChoices) -> tuple[Here, Here]:
        found = []
        for choose in (choices_of(member), own_choice):
            here = self.runs.begin(choose)
            for symbol in stem:
                here, _ = self.runs.step(here, symbol, choose)
            found.append(here)
        return found[0], found[1]


def maximal_words(words: Iterable[TimedWord]) -> list[TimedWord]:
    """The words that begin no other one, sorted."""
    found = sorted(set(words))
    beginnings = {word[:k] for word in found for k in range(len(word))}
    return [word for word in found if word and word not in beginnings]
