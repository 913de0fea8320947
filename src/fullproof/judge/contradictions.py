"""Equal inputs that were answered in two ways, within the repetitions of a test or across tests.

Only where the model leaves no choice: there one of two executions that differ fails, so that only failures have to be
compared with what else was seen.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.steadiness import ContradictingAnswers
from fullproof.artefacts.suite import TestInput
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.judge.oracle import Oracle, text_of
from fullproof.judge.semantics import Semantics

KEPT = 5_000
"""Executions that a later failure is compared with."""

Word = tuple[Hashable, ...]


class Contradictions:
    """Takes in executions one by one; ``found`` is the first contradiction."""

    def __init__(self, semantics: Semantics) -> None:
        self._semantics = semantics
        self.found: ContradictingAnswers | None = None
        self._failing: dict[Word, Execution] = {}
        """By their inputs up to the step that failed."""
        self._lengths: set[int] = set()
        self._kept: list[Execution] = []

    def add(self, execution: Execution, judgement: Judgement) -> None:
        """Compare an execution with what was seen before."""
        if self.found is not None or execution.events:
            return
        failed = judgement.step if judgement.verdict is Verdict.FAIL else None
        if failed is not None and failed > len(execution.steps):
            failed = None  # what a grey box offers at the end is no output
        if self._lengths:
            self._compare_with_failures(execution)
        if failed is not None and self.found is None:
            self._compare_failure(execution, failed)
        if len(self._kept) < KEPT:
            self._kept.append(execution)

    def _compare_with_failures(self, execution: Execution) -> None:
        """Whether it answers otherwise where an earlier execution failed."""
        word = key_of(execution.test.inputs[: len(execution.steps)])
        for length in self._lengths:
            known = self._failing.get(word[:length]) if length <= len(word) else None
            if known is not None and self._settle(known, execution, length):
                return

    def _compare_failure(self, execution: Execution, length: int) -> None:
        inputs = execution.test.inputs[:length]
        for known in self._kept:
            is_alike = len(known.steps) >= length and known.test.inputs[:length] == inputs
            if is_alike and self._settle(known, execution, length):
                return
        word = key_of(inputs)
        if len(self._failing) < KEPT and word not in self._failing:
            self._failing[word] = execution
            self._lengths.add(length)

    def _settle(self, one: Execution, other: Execution, length: int) -> bool:
        self.found = contradiction(self._semantics, one, other, length)
        return self.found is not None


def contradiction_among(oracle: Oracle, executions: Iterable[Execution]) -> ContradictingAnswers | None:
    """The first contradiction of executions in their order."""
    compared = Contradictions(oracle.semantics)
    for execution in executions:
        compared.add(execution, oracle.judge(execution))
        if compared.found is not None:
            break
    return compared.found


def contradiction(semantics: Semantics, one: Execution, other: Execution, length: int) -> ContradictingAnswers | None:
    """Two executions whose first ``length`` inputs are equal, where their outputs differ; None where they may.

    Of a model that leaves choices, systems may leave some, too: what they answer is right or wrong, no contradiction.
    """
    if semantics.has_choices:
        return None
    rows: list[tuple[str, str, str]] = []
    node = 0
    for first, second in zip(one.steps[:length], other.steps[:length], strict=False):
        rows.append((text_of(first.input), text_of(first.output), text_of(second.output)))
        if first.output != second.output:
            if semantics.leaves_choice(node, first.input):
                return None
            return ContradictingAnswers(
                tests=(one.test.id, other.test.id), executions=(one.number, other.number), steps=tuple(rows)
            )
        node = semantics.move(node, first.input, first.output).node
        if node < 0:
            return None
    return None


def key_of(inputs: Sequence[TestInput]) -> Word:
    """A sequence of inputs as a key."""
    return tuple(symbol if isinstance(symbol, str) else repr(symbol) for symbol in inputs)
