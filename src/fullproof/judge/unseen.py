"""What an equivalent system should have shown and has not: the second half of the pass relation for equivalence.

A nondeterministic model allows several answers; an equivalent system must give each of them some time. Under the
complete testing assumption it does so within K repetitions of a test. Observations are pooled over the run, since what
one test has seen after some steps is known to be possible after the same steps of another.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field

from fullproof.artefacts.suite import TestInput, json_input
from fullproof.artefacts.trace import Trace
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.judge.semantics import Alternative, Semantics


@dataclass(slots=True)
class _Fork:
    """A place where the model may answer an input in several ways, and how often the run has been there."""

    test: str
    step: int
    input: TestInput
    alternatives: tuple[Alternative, ...]
    visits: int = 0
    seen: set[object] = field(default_factory=set)


class Unseen:
    """The tree of everything observed, with the forks of the model in it."""

    def __init__(self, semantics: Semantics) -> None:
        self._semantics = semantics
        self._branches: dict[tuple[int, Hashable, Hashable], int] = {}
        self._forks: dict[tuple[int, Hashable], _Fork | None] = {}

    def add(self, trace: Trace) -> None:
        """Follow a trace as far as the model allows it."""
        node = place = 0
        for number, step in enumerate(trace.steps, 1):
            move = self._semantics.move(node, step.input, step.output)
            if move.node < 0:
                return
            key = _key(step.input)
            fork = self._fork(trace.test.id, number, node, place, step.input)
            shown = tuple(self._semantics.shown(move, step.input, step.output))
            if fork is not None:
                fork.visits += 1
                fork.seen.update(shown)
            branch = (place, key, shown)
            place = self._branches.setdefault(branch, len(self._branches) + 1)
            node = move.node

    def judgements(self, *, repeat: int) -> Iterator[Judgement]:
        """One for each fork of which something has not been seen: a fail, unless there is room for doubt.

        There is where tests were not repeated at all, or where a solver could not tell what is possible.
        """
        for fork in self._forks.values():
            missing = [a for a in fork.alternatives if a.key not in fork.seen] if fork is not None else []
            if fork is None or not missing:
                continue
            certain = repeat > 1 and any(a.certain for a in missing)
            times = "once" if fork.visits == 1 else f"{fork.visits} times"
            yield Judgement(
                test=fork.test,
                verdict=Verdict.FAIL if certain else Verdict.INCONCLUSIVE,
                step=fork.step,
                input=json_input(fork.input),
                observed=[a.text for a in fork.alternatives if a.key in fork.seen],
                allowed=tuple(a.text for a in fork.alternatives),
                reason=f"tried {times}, never seen: {', '.join(a.text for a in missing)}"
                + ("" if repeat > 1 else "; tests must be repeated to judge a nondeterministic system"),
            )

    def _fork(self, test: str, number: int, node: int, place: int, symbol: TestInput) -> _Fork | None:
        key = (place, _key(symbol))
        if key not in self._forks:
            alternatives = tuple(self._semantics.alternatives(node, symbol))
            self._forks[key] = _Fork(test, number, symbol, alternatives) if len(alternatives) > 1 else None
        return self._forks[key]


def _key(symbol: TestInput) -> Hashable:
    return tuple(symbol.items()) if isinstance(symbol, Mapping) else symbol
