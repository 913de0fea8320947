"""Answers that an equivalent system must show and has not shown: the second half of the pass relation for equivalence.

Paper 000, Definition 4 and section 5.4: for every symbolic trace of the model that fits the inputs of a test there is
an execution of the test that shows it. A nondeterministic model allows several answers; an equivalent system must give
each of them. Under the complete testing assumption it does so within K repetitions of a test.

Observations are pooled over the run, since what one test has seen after some steps is known to be possible after the
same steps of another. That does not let a test pass by what others have seen: no test is a prefix of another one, so
that only the test itself has executed its last steps, after every answer that the others have shown.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.suite import Test, TestInput, json_input
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.judge.confidence import excluded_probability, excluded_text
from fullproof.judge.oracle import text_of
from fullproof.judge.semantics import RequiredStep, Semantics

_TURNS = 6
"""Tries that each answer of a fork has had, on average, before a missing one counts as a fail."""


@dataclass(slots=True)
class _Fork:
    """A place where the model may answer an input in several ways, and how often the run has been there."""

    place: int
    test: str
    step: int
    input: TestInput
    alternatives: tuple[RequiredStep, ...]
    visits: int = 0
    seen: frozenset[Hashable] = frozenset()
    branches: dict[Hashable, int] = field(default_factory=dict)
    """The place that each branch seen here leads to."""
    times: dict[Hashable, int] = field(default_factory=dict)
    """How often each branch was seen."""

    def missing(self) -> list[RequiredStep]:
        return [a for a in self.alternatives if a.key not in self.seen]


class Unseen:
    """The tree of everything observed, with the forks of the model in it. A place is a node of the tree; 0 its root."""

    def __init__(self, semantics: Semantics) -> None:
        self._semantics = semantics
        self._forks: dict[tuple[int, Hashable], _Fork] = {}
        self._nodes = [0]
        """The node of the model at each place."""
        self._above: list[_Step | None] = [None]
        """The step by which each place is reached."""
        self._tests: dict[str, Test] = {}
        self._is_forked = False
        """Whether some answer has a second branch, or may have one."""

    def add(self, trace: Execution) -> None:
        """Follow a trace as far as the model allows it."""
        place = 0
        self._tests[trace.test.id] = trace.test
        for number, step in enumerate(trace.steps, 1):
            node = self._nodes[place]
            move = self._semantics.move(node, step.input, step.output)
            if move.node < 0:
                return
            fork = self._fork(trace.test.id, number, place, step.input)
            shown = self._semantics.shown(node, step.input, move, step.output)
            fork.visits += 1
            fork.times[shown.branch] = fork.times.get(shown.branch, 0) + 1
            if fork.alternatives and not shown.keys <= fork.seen:
                fork.seen |= shown.keys
            if shown.branch not in fork.branches:
                fork.branches[shown.branch] = len(self._nodes)
                self._is_forked |= len(fork.branches) > 1
                self._nodes.append(move.node)
                self._above.append(_Step(fork, shown.branch, step.output))
            place = fork.branches[shown.branch]

    def is_complete(self, test: Test) -> bool:
        """Whether all answers that the model allows along a test have been seen."""
        return self._gap(test) is None

    def judgements(self, *, repeat: int) -> Iterator[Judgement]:
        """One for each fork of which something has not been seen, and one for each test that has gaps for it.

        A missing answer is a fail where its place was tried as often as agreed: the complete testing assumption is that
        K tries show all answers. A place behind other answers is met less often than that. There a missing answer is a
        fail once it had several tries, and would have been seen, with the usual confidence, even if it came as rarely
        as the rarest answer of the run. All other cases are inconclusive: a place that the run reached less often,
        tests that were not repeated at all, answers for which a solver could not decide whether they are possible, and
        tests that were never executed behind an answer that others have seen.
        """
        rarest = self._rarest(repeat)
        for fork in self._forks.values():
            missing = fork.missing()
            if not missing or self._is_elsewhere(fork.place):
                continue
            often = fork.visits >= repeat or (
                fork.visits >= _TURNS * len(fork.alternatives) and excluded_probability(fork.visits) <= rarest
            )
            certain = repeat > 1 and often and any(a.certain for a in missing)
            helps = any(a.repeatable for a in missing)  # otherwise a request for more repetitions would be wrong
            yield Judgement(
                test=fork.test,
                verdict=Verdict.FAIL if certain else Verdict.INCONCLUSIVE,
                step=fork.step,
                input=json_input(fork.input),
                observed=[a.text for a in fork.alternatives if a.key in fork.seen],
                allowed=tuple(a.text for a in fork.alternatives),
                reason=f"tried {_times(fork.visits)}, never seen: {', '.join(a.text for a in missing)}"
                + (f"; {excluded_text(fork.visits)}" if repeat > 1 and helps else "")
                + (_advice(repeat, often=often) if helps else "")
                + next((f"; {a.hint}" for a in missing if a.hint and (repeat > 1 or not helps)), ""),
            )
        if self._is_forked:
            gaps = ((test, self._gap(test)) for test in self._tests.values())
            yield from (self._incomplete(test, gap) for test, gap in gaps if gap is not None)

    def _rarest(self, repeat: int) -> float:
        """The smallest frequency of an answer at a place that was tried K times or more."""
        often = (fork for fork in self._forks.values() if fork.visits >= repeat)
        return min((min(fork.times.values()) / fork.visits for fork in often), default=0.0)

    def _gap(self, test: Test) -> _Gap | None:
        """The first step of a test that has not been executed behind every answer, or whose answers are not all known.

        Continuations of an answer that another one represents are searched for after the other one.
        """
        places = [0]
        for number, symbol in enumerate(test.inputs, 1):
            following: list[int] = []
            for place in places:
                if not self._semantics.wants(self._nodes[place], symbol):
                    continue
                fork = self._forks.get((place, _key(symbol)))
                if fork is None or fork.missing():
                    return _Gap(number, place, fork)
                following += [to for branch, to in fork.branches.items() if not self._is_spoken_for(fork, branch)]
            places = following
        return None

    def _incomplete(self, test: Test, gap: _Gap) -> Judgement:
        symbol, path = test.inputs[gap.step - 1], " and ".join(self._path(gap.place))
        if gap.fork is None:
            reason = f"never executed after {path}, which other tests have seen: repeat more to decide"
        else:
            reason = "not all answers have been seen here" + (f" after {path}" if path else "")
        return Judgement(
            test=test.id,
            verdict=Verdict.INCONCLUSIVE,
            step=gap.step,
            input=json_input(symbol),
            allowed=tuple(self._semantics.allowed(self._nodes[gap.place], symbol)),
            reason=reason,
        )

    def _path(self, place: int) -> list[str]:
        """The answers on the way to a place that have alternatives."""
        texts: list[str] = []
        above = self._above[place]
        while above is not None:
            if above.fork.alternatives:
                texts.append(f"{text_of(above.output)} at step {above.fork.step}")
            above = self._above[above.fork.place]
        return texts[::-1]

    def _fork(self, test: str, number: int, place: int, symbol: TestInput) -> _Fork:
        key = (place, _key(symbol))
        if key not in self._forks:
            alternatives = tuple(self._semantics.alternatives(self._nodes[place], symbol))
            # With a single answer nothing can be missing.
            self._forks[key] = _Fork(place, test, number, symbol, alternatives if len(alternatives) > 1 else ())
            self._is_forked |= len(alternatives) > 1
        return self._forks[key]

    def _is_spoken_for(self, fork: _Fork, branch: Hashable) -> bool:
        """Whether another observed branch of a fork shows everything that this one could show."""
        return any(
            other != branch
            and self._semantics.speaks_for(other, branch)
            and not self._semantics.speaks_for(branch, other)
            for other in fork.branches
        )

    def _is_elsewhere(self, place: int) -> bool:
        """Whether continuations of a place are searched for after another branch of some fork above it."""
        above = self._above[place]
        while above is not None:
            if self._is_spoken_for(above.fork, above.branch):
                return True
            above = self._above[above.fork.place]
        return False


class _Step(NamedTuple):
    """The fork and the branch by which a place is reached, with the answer that showed it first."""

    fork: _Fork
    branch: Hashable
    output: object


class _Gap(NamedTuple):
    """A step of a test, from 1, and a place before it; the fork there, where the step has been executed at all."""

    step: int
    place: int
    fork: _Fork | None


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _advice(repeat: int, *, often: bool) -> str:
    if repeat <= 1:
        return "; tests must be repeated to judge a nondeterministic system"
    return "" if often else f"; that is less often than --repeat {repeat}: repeat more to decide"


def _key(symbol: TestInput) -> Hashable:
    return tuple(symbol.items()) if isinstance(symbol, Mapping) else symbol
