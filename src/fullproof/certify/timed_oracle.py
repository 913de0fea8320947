"""Which members of a fault domain with timers survive a suite: a solver proposes members, and learns why they fail.

The solver knows the decisions alone. A member that it proposes runs the suite; where it fails a test, clauses say for
each step of that test which decisions lead on from where it was, and that the last ones lead to a failure. So they
hold for all members that come there, whatever else they do. A member that passes all tests is compared with the model
over all real delays (``timed_product``): it is a survivor, or equivalent for the decisions that this has consulted,
which are excluded. That nothing is left to propose is the proof that each member fails a test or is equivalent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from fullproof.certify.answers import Open
from fullproof.certify.counting import demand_at_most
from fullproof.certify.timed_domain import START, TimedDomain
from fullproof.certify.timed_member import Here, MemberRuns, Seen, TimedWord, choices_of, look_alike, own_choice
from fullproof.certify.timed_placing import RunPlacing
from fullproof.certify.timed_product import (
    DifferenceSearch,
    ProductStart,
    ProductTooLarge,
    TimedAgreement,
    TimedDifference,
)
from fullproof.certify.timed_reasons import FailureReasons, TimedChoices
from fullproof.certify.unknown_machine import Position, UnknownMachine, chosen
from fullproof.core.budget import Budget
from fullproof.core.errors import Bug
from fullproof.smt.sat import open_sat_solver
from fullproof.smt.sat_answers import Contradiction, OutOfTime

_COMPARING = 20_000
"""The cost of a comparison with the model, in steps of the solver."""


@dataclass(frozen=True, slots=True)
class TimedNeeded:
    """No member survives, and these tests alone suffice for that."""

    words: frozenset[TimedWord]


@dataclass(frozen=True, slots=True)
class TimedSurvivor:
    """A member that passes all tests, and a test that it fails."""

    member: TimedChoices
    killer: TimedWord


class TimedOracle:
    """Asks which members of a domain survive. Clauses learnt for one suite are reused for the next one."""

    def __init__(self, domain: TimedDomain) -> None:
        self.domain, self.runs = domain, MemberRuns(domain)
        self._solver = open_sat_solver()
        unknown = UnknownMachine(self._solver)
        self._true = unknown.true
        self._values: list[Position] = [unknown.one_of(range(len(d.values))) for d in domain.decisions]
        self._solver.prefer([ways[0] for ways in self._values])
        for (k, v), (j, w) in domain.excluded:
            self._solver.add_clause([-self._values[k][v], -self._values[j][w]])
        if domain.at_most is not None:
            demand_at_most(self._solver, list(self._wrong()), domain.at_most)
        self._expected = _Expected(self.runs)
        self._at_start = self._consulted_at_start()
        self._shortest = min(domain.durations, default=1)
        self._switches: dict[TimedWord, int] = {(): self._true}
        self._reasons = FailureReasons(self.runs, self._values, self._solver)

    def ask(self, words: Collection[TimedWord], *, effort: Budget) -> TimedNeeded | TimedSurvivor | Open:
        """Decide a suite; the effort pays for the solver's steps and for comparisons."""
        switches = {self._switch(word): word for word in words}
        while not effort.is_over:
            before = self._solver.steps_taken()
            steps = None if effort.left() == float("inf") else int(effort.left())
            answer = self._solver.solve(list(switches), seconds=effort.clock.left(), steps=steps)
            effort.spend(self._solver.steps_taken() - before + 1)
            if isinstance(answer, Contradiction):
                return TimedNeeded(frozenset(switches[literal] for literal in answer.core))
            if isinstance(answer, OutOfTime):
                break
            member = {k: v for k, ways in enumerate(self._values) if (v := chosen(ways, answer))}
            if self._learn(member, words):
                continue
            effort.spend(_COMPARING)
            match difference(self.runs, member, [ProductStart(*self._start(member), 0.0)]):
                case TimedAgreement(consulted):
                    consulted |= self._at_start
                    self._solver.add_clause([-self._values[k][member.get(k, 0)] for k in sorted(consulted)])
                case ProductTooLarge():
                    return Open("a comparison of two machines with timers has too many zones")
                case (_, killer):
                    return TimedSurvivor(member, killer)
        return Open("the solver did not end within its budget")

    def passes(self, member: TimedChoices, word: TimedWord) -> bool:
        """Whether a member answers a test as the model does."""
        return self.fails_at(member, word) is None

    def fails_at(self, member: TimedChoices, word: TimedWord) -> int | None:
        """The step of a test that a member fails; None where it passes."""
        choose = choices_of(member)
        here = self.runs.begin(choose)
        for k, (symbol, right) in enumerate(zip(word, self._expected.all_seen(word), strict=True)):
            here, seen = self.runs.step(here, symbol, choose)
            if not look_alike(seen, right):
                return k
        return None

    def _consulted_at_start(self) -> frozenset[int]:
        """The decisions on which the beginning may depend: all starts there, and all durations of these timers."""
        machine = self.domain.machine
        timers = machine.running[machine.initial]
        starts = [self.domain.start_of.get((START, START, timer)) for timer in timers]
        durations = [self.domain.duration_of.get(timer) for timer in timers]
        return frozenset(k for k in (*starts, *durations) if k is not None)

    def _start(self, member: TimedChoices) -> tuple[Here, Here]:
        return self.runs.begin(choices_of(member)), self.runs.begin(own_choice)

    def _wrong(self) -> Iterator[int]:
        """For each thing that may be wrong the literal that it is."""
        things: dict[object, list[int]] = {}
        for k, thing in self.domain.things().items():
            things.setdefault(thing, []).append(k)
        for decisions in things.values():
            wrong = self._solver.new_variable()
            for k in decisions:
                self._solver.add_clause([self._values[k][0], wrong])
            yield wrong

    def _switch(self, word: TimedWord) -> int:
        """The literal under which the answers of a test are demanded."""
        known = self._switches.get(word)
        if known is None:
            known = self._switches[word] = self._solver.new_variable()
            self._solver.add_clause([-known, self._switch(word[:-1])])
        return known

    def _learn(self, member: TimedChoices, words: Collection[TimedWord]) -> bool:
        """Say why a member fails the test that shows it soonest; False where it passes all.

        What little time and few inputs show holds for most other members, too.
        """
        best: tuple[float, TimedWord] | None = None
        for word in words:
            at = self.fails_at(member, word)
            if at is not None:
                failing = word[: at + 1]
                effort = sum(1.0 if symbol >= 0 else -symbol / self._shortest for symbol in failing)
                if best is None or effort < best[0]:
                    best = effort, failing
        if best is None:
            return False
        self._reasons.explain(member, best[1], self._expected.seen(best[1]), self._switch(best[1]))
        return True


class _Expected:
    """What the model shows after each word."""

    def __init__(self, runs: MemberRuns) -> None:
        self._runs = runs
        self._whole: dict[TimedWord, tuple[Seen, ...]] = {}
        self._known: dict[TimedWord, tuple[Here, Seen]] = {(): (runs.begin(own_choice), ((), ""))}

    def seen(self, word: TimedWord) -> Seen:
        """What the last step shows."""
        return self.after(word)[1]

    def all_seen(self, word: TimedWord) -> tuple[Seen, ...]:
        """What each step shows."""
        known = self._whole.get(word)
        if known is None:
            known = self._whole[word] = tuple(self.seen(word[: k + 1]) for k in range(len(word)))
        return known

    def after(self, word: TimedWord) -> tuple[Here, Seen]:
        """Where the model is after a word, and what the last step shows."""
        known = self._known.get(word)
        if known is None:
            before, _ = self.after(word[:-1])
            known = self._known[word] = self._runs.step(before, word[-1], own_choice)
        return known


def difference(
    runs: MemberRuns, member: TimedChoices, starts: list[ProductStart]
) -> TimedAgreement | ProductTooLarge | tuple[int, TimedWord]:
    """Whether a member differs from the model; then the number of a start, and a word from there that shows it."""
    choose = choices_of(member)
    found = DifferenceSearch(runs, choose).find(starts)
    if not isinstance(found, TimedDifference):
        return found
    start = starts[found.start]
    word = RunPlacing(runs, choose, start).word(found.path)
    one, other = start.member, start.model
    for symbol in word:
        one, mine = runs.step(one, symbol, choose)
        other, own = runs.step(other, symbol, own_choice)
        if not look_alike(mine, own):
            return found.start, word
    raise Bug(f"a run does not show the difference that it was found for: {runs.domain.text(member)}")
