"""The tests of a run as a report lists them, bounded so that a run of a million tests fits into memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.run import TestRow
from fullproof.artefacts.suite import TestInput, json_value
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.model import Model
from fullproof.model.inputs import written
from fullproof.pipeline.traceability import Tracing, transition_text

if TYPE_CHECKING:
    from fullproof.judge.accounts import Account
    from fullproof.kinds import AnyOracle

STORIES_KEPT = 1_000
PASSES_KEPT = 10_000
FAILURES_KEPT = 50
TRACES_KEPT = 5_000
_STRENGTH = (Verdict.FAIL, Verdict.ERROR, Verdict.PASS, Verdict.INCONCLUSIVE)
"""Of several executions of a test that may be tried again: a fault remains, a pass replaces an inconclusive verdict."""


class Listing:
    """Keeps the steps of tests that did not pass, and the first tests that passed."""

    def __init__(self, oracle: AnyOracle, model: Model) -> None:
        self.oracle = oracle
        self._model = model
        self.tracing = Tracing(model)
        self.exercised: set[int] = set()
        self.failing: list[Execution] = []
        """Some executions with an output that the model forbids."""
        self.broken: list[Execution] = []
        """Some in which the system broke down."""
        self.kept: list[Execution] = []
        """The first executions, with any verdict."""
        self._looks: set[tuple[object, ...]] = set()
        self._bad: dict[str, TestRow] = {}
        self._violating: set[str] = set()
        self._good: dict[str, TestRow] = {}
        self.count = 0

    def add(self, trace: Execution, judgement: Judgement) -> None:
        """Add one trace; of the repetitions of a test, the first that fails or violates a property is listed."""
        if trace.repetition == 1:
            self.count += 1
        test = trace.test
        self.exercised |= judgement.exercised
        if len(self.kept) < TRACES_KEPT:
            self.kept.append(trace)
        if judgement.verdict is Verdict.PASS:
            self.tracing.add(trace, judgement, None)
            if self.oracle.retries and not self._tells_more(test.id, judgement):
                return
            if len(self._good) < PASSES_KEPT:
                exercised = self.tracing.requirements(judgement.exercised)
                row = TestRow(id=test.id, verdict=Verdict.PASS, inputs=input_texts(test.inputs), requirements=exercised)
                self._good[test.id] = row
            return
        account = self.oracle.account(trace)
        self.tracing.add(trace, judgement, account)
        if judgement.verdict in (Verdict.FAIL, Verdict.ERROR):
            self._keep(trace, judgement, account)
        if len(self._bad) < STORIES_KEPT and self._tells_more(test.id, judgement):
            self._bad[test.id] = TestRow(
                id=test.id,
                verdict=judgement.verdict,
                inputs=input_texts(test.inputs),
                reason=judgement.reason,
                steps=self.oracle.story(trace),
                violates=tuple(violation.property for violation in judgement.violates or ()),
                requirements=self.tracing.requirements({*account.path, *account.concerned}),
                concerned=tuple(transition_text(self._model, k) for k in account.concerned),
                path=(*account.path, *account.concerned),
            )

    def _keep(self, trace: Execution, judgement: Judgement, account: Account) -> None:
        """Keep the first ones, and later the first of those that look alike: each may have a cause of its own."""
        traces = self.failing if judgement.verdict is Verdict.FAIL else self.broken
        look = judgement.verdict, account.concerned, repr(judgement.input), repr(judgement.observed)
        if len(traces) < FAILURES_KEPT or (look not in self._looks and len(traces) < STORIES_KEPT):
            traces.append(trace)
        if len(self._looks) < STORIES_KEPT:
            self._looks.add(look)

    def add_expected(self, tests: int, taken: frozenset[int]) -> None:
        """Count tests that passed. Needs: the first ones were listed one by one, and requirements are not counted."""
        self.count += tests
        self.exercised |= taken

    def _tells_more(self, test: str, judgement: Judgement) -> bool:
        """Whether nothing as bad is known of a test, or no property that it violates."""
        if self.oracle.retries:
            known = self._bad.get(test) or self._good.get(test)
            if known is None or _STRENGTH.index(judgement.verdict) >= _STRENGTH.index(known.verdict):
                return known is None
            self._bad.pop(test, None)
            self._good.pop(test, None)
            return True
        first_violation = bool(judgement.violates) and test not in self._violating
        if first_violation:
            self._violating.add(test)
        return first_violation or test not in self._bad

    def with_outputs(self, rows: Sequence[TestRow], executions: Iterable[Execution]) -> tuple[TestRow, ...]:
        """The rows with the outputs of those tests that passed."""
        wanted = {row.id for row in rows if row.verdict is Verdict.PASS}
        found: dict[str, tuple[tuple[str, str], ...]] = {}
        for execution in executions:
            if len(found) == len(wanted):
                break
            test = execution.test.id
            if test in wanted and test not in found and execution.error is None and execution.reached:
                found[test] = self.oracle.observations(execution)
        return tuple(replace(row, observed=found[row.id]) if row.id in found else row for row in rows)

    def rows(self, failures: Iterable[Judgement]) -> tuple[TestRow, ...]:
        """All rows, those that fail first, then those left open; a test may fail only at the end of the run."""
        bad = dict(self._bad)
        for judgement in failures:
            row = self._good.get(judgement.test)
            if row is not None and row.id not in bad:
                bad[row.id] = replace(row, verdict=judgement.verdict, reason=judgement.reason)
        listed = sorted(bad.values(), key=lambda row: row.verdict is Verdict.INCONCLUSIVE)
        return (*listed, *(row for row in self._good.values() if row.id not in bad))


def input_texts(inputs: Iterable[TestInput]) -> tuple[str, ...]:
    """The inputs of a test as reports show them."""
    return tuple(
        symbol
        if isinstance(symbol, str)
        else ", ".join(f"{name}={json_value(value)}" for name, value in symbol.items())
        for symbol in map(written, inputs)
    )
