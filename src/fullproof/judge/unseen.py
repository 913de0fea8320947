"""What an equivalent system should have shown and has not: the second half of the pass relation for equivalence.

Paper 000, Definition 4 and section 5.4: for every symbolic trace of the model that fits the inputs of a test there is
an execution that shows it. A nondeterministic model allows several answers; an equivalent system must give each of them
some time. Under the complete testing assumption it does so within K repetitions of a test. Observations are pooled over
the run, since what one test has seen after some steps is known to be possible after the same steps of another.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field

from fullproof.artefacts.suite import Test, TestInput, json_input
from fullproof.artefacts.trace import Trace
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.judge.semantics import Alternative, Semantics

_TURNS = 6
"""Turns that each answer of a fork has had, on average, before a missing one is held against the system."""


@dataclass(slots=True)
class _Fork:
    """A place where the model may answer an input in several ways, and how often the run has been there."""

    place: int
    test: str
    step: int
    input: TestInput
    alternatives: tuple[Alternative, ...]
    visits: int = 0
    seen: frozenset[Hashable] = frozenset()
    branches: dict[Hashable, int] = field(default_factory=dict)
    """The place that each branch seen here leads to."""

    def missing(self) -> list[Alternative]:
        return [a for a in self.alternatives if a.key not in self.seen]


class Unseen:
    """The tree of everything observed, with the forks of the model in it. A place is a node of the tree; 0 its root."""

    def __init__(self, semantics: Semantics) -> None:
        self._semantics = semantics
        self._forks: dict[tuple[int, Hashable], _Fork] = {}
        self._nodes = [0]
        """The node of the model at each place."""
        self._above: list[tuple[_Fork, Hashable] | None] = [None]
        """The fork and the branch by which each place is reached."""

    def add(self, trace: Trace) -> None:
        """Follow a trace as far as the model allows it."""
        place = 0
        for number, step in enumerate(trace.steps, 1):
            node = self._nodes[place]
            move = self._semantics.move(node, step.input, step.output)
            if move.node < 0:
                return
            fork = self._fork(trace.test.id, number, place, step.input)
            shown = self._semantics.shown(node, step.input, move, step.output)
            fork.visits += 1
            if fork.alternatives and not shown.keys <= fork.seen:
                fork.seen |= shown.keys
            if shown.branch not in fork.branches:
                fork.branches[shown.branch] = len(self._nodes)
                self._nodes.append(move.node)
                self._above.append((fork, shown.branch))
            place = fork.branches[shown.branch]

    def is_complete(self, test: Test) -> bool:
        """Whether all that the model allows along a test has been seen."""
        places = {0}
        for symbol in test.inputs:
            following = set[int]()
            for place in places:
                if not self._semantics.wants(self._nodes[place], symbol):
                    continue
                fork = self._forks.get((place, _key(symbol)))
                if fork is None or fork.missing():
                    return False
                following |= {to for branch, to in fork.branches.items() if not self._is_spoken_for(fork, branch)}
            places = following
        return True

    def judgements(self, *, repeat: int) -> Iterator[Judgement]:
        """One for each fork of which something has not been seen: a fail where it was tried often enough.

        That is as often as agreed, or so often that each answer had several turns: a fork behind another one is not
        met in every run, however often a test is repeated. There is room for doubt where the run came by less often,
        where tests were not repeated at all, or where a solver could not tell what is possible.
        """
        for fork in self._forks.values():
            missing = fork.missing()
            if not missing or self._is_elsewhere(fork.place):
                continue
            enough = min(repeat, _TURNS * len(fork.alternatives))
            certain = repeat > 1 and fork.visits >= enough and any(a.certain for a in missing)
            yield Judgement(
                test=fork.test,
                verdict=Verdict.FAIL if certain else Verdict.INCONCLUSIVE,
                step=fork.step,
                input=json_input(fork.input),
                observed=[a.text for a in fork.alternatives if a.key in fork.seen],
                allowed=tuple(a.text for a in fork.alternatives),
                reason=f"tried {_times(fork.visits)}, never seen: {', '.join(a.text for a in missing)}"
                + _advice(fork.visits, enough, repeat),
            )

    def _fork(self, test: str, number: int, place: int, symbol: TestInput) -> _Fork:
        key = (place, _key(symbol))
        if key not in self._forks:
            alternatives = tuple(self._semantics.alternatives(self._nodes[place], symbol))
            # With a single way to answer there is nothing to miss.
            self._forks[key] = _Fork(place, test, number, symbol, alternatives if len(alternatives) > 1 else ())
        return self._forks[key]

    def _is_spoken_for(self, fork: _Fork, branch: Hashable) -> bool:
        """Whether another branch seen at a fork shows all that this one could show."""
        return any(
            other != branch
            and self._semantics.speaks_for(other, branch)
            and not self._semantics.speaks_for(branch, other)
            for other in fork.branches
        )

    def _is_elsewhere(self, place: int) -> bool:
        """Whether what follows a place is looked for behind another branch of some fork above it."""
        above = self._above[place]
        while above is not None:
            fork, branch = above
            if self._is_spoken_for(fork, branch):
                return True
            above = self._above[fork.place]
        return False


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _advice(visits: int, enough: int, repeat: int) -> str:
    if repeat <= 1:
        return "; tests must be repeated to judge a nondeterministic system"
    if visits >= enough:
        return ""
    agreed = f"--repeat {repeat}" if enough == repeat else f"the {enough} times that its answers need"
    return f"; that is less often than {agreed}: repeat more to decide"


def _key(symbol: TestInput) -> Hashable:
    return tuple(symbol.items()) if isinstance(symbol, Mapping) else symbol
