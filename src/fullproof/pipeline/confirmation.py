"""failures -> confirmations: failing tests once more on fresh systems, alone and after the tests before them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.run import FailureGroup
from fullproof.artefacts.steadiness import Confirmation, ContradictingAnswers
from fullproof.artefacts.verdict import Verdict
from fullproof.core.deadline import Deadline
from fullproof.core.errors import UserError
from fullproof.execute.sut import SutError, is_no_answer
from fullproof.explain.shortest_order import shortest_order
from fullproof.explain.trials import Ground, SystemAtHand
from fullproof.judge.contradictions import contradiction
from fullproof.judge.oracle import Oracle
from fullproof.pipeline.rows import Listing

SURE = 3
"""How often it is tried that a test fails after others and does not fail alone."""
CONFIRMED = 5
"""Groups whose tests are run again."""


class Confirming:
    """Runs the test that proves a group again; ``contradiction`` is the first one that this has shown."""

    def __init__(self, oracle: Any, listing: Listing, opened: SystemAtHand, *, times: int, deadline: Deadline) -> None:
        self._oracle = oracle
        self._traces = {trace.test.id: trace for trace in reversed((*listing.failing, *listing.broken))}
        self._kept = listing.kept
        self._opened = opened
        self._times = times
        self._deadline = deadline
        self.contradiction: ContradictingAnswers | None = None

    def confirmed(self, groups: Sequence[FailureGroup]) -> Iterator[FailureGroup]:
        """The groups, the first ones with a confirmation."""
        for place, group in enumerate(groups):
            proof = self._traces.get(group.proves)
            found = None
            if proof is not None and place < CONFIRMED and self._times and not self._deadline.passed():
                with contextlib.suppress(UserError, SutError):
                    found = self._confirmation(proof)
            yield group if found is None else replace(group, confirmation=found)

    def _confirmation(self, proof: Execution) -> Confirmation | None:
        judgement = self._oracle.judge(proof)
        if judgement.verdict is Verdict.ERROR and is_no_answer(judgement.reason):  # each time would take as long
            return None
        ground = self._opened.ground(judgement)
        if ground.shows(proof) is None:
            return None
        failed, other = 0, None
        for again in self._executions(self._opened.word(proof)):
            if ground.shows(again) is not None:
                failed += 1
            else:
                other = other or self._difference(proof, again, judgement.step)
        known = Confirmation(failed=failed, of=self._times)
        if not failed and not self._opened.is_simulated and not self._has_choices(proof):
            known = self._after_others(proof, ground, known)
        if known.order is None:
            self.contradiction = self.contradiction or other
        return known

    def _executions(self, word: Sequence[Any]) -> Iterator[Execution]:
        """The choices of a simulated model depend on how many executions came before: it is opened once."""
        if self._opened.is_simulated:
            with self._opened.trying() as attempt:
                yield from (attempt(word) for _ in range(self._times))
            return
        for _ in range(self._times):
            with self._opened.trying() as attempt:
                yield attempt(word)

    def _has_choices(self, proof: Execution) -> bool:
        """Whether a system may answer otherwise the next time, so that nothing else need be different."""
        if not isinstance(self._oracle, Oracle):
            return True
        node = 0
        for step in proof.steps:
            if self._oracle.semantics.leaves_choice(node, step.input):
                return True
            node = self._oracle.semantics.move(node, step.input, step.output).node
            if node < 0:
                break
        return False

    def _difference(self, proof: Execution, again: Execution, length: int | None) -> ContradictingAnswers | None:
        if not isinstance(self._oracle, Oracle) or length is None or again.error is not None:
            return None
        return contradiction(self._oracle.semantics, proof, again._replace(test=proof.test, number=0), length)

    def _after_others(self, proof: Execution, ground: Ground[Any], known: Confirmation) -> Confirmation:
        """Whether it fails after tests that the run had before it, and which are needed."""
        before = [trace for trace in self._kept if trace.number < proof.number]
        word = self._opened.word(proof)[: ground.shows(proof)]  # the failure is to be the same one

        def shows(order: Sequence[Execution]) -> bool:
            with self._opened.trying() as attempt:
                for trace in order:
                    attempt(self._opened.word(trace))
                return ground.shows(attempt(word)) is not None

        found = shortest_order(before, shows, self._deadline)
        if found is None or not all(shows(found.order) and not shows(()) for _ in range(SURE)):
            return known
        words = tuple(self._opened.test(self._opened.word(trace)) for trace in found.order)
        names = tuple(trace.test.id for trace in found.order)
        return replace(known, order=names, is_shortest=found.is_shortest, words=words)
