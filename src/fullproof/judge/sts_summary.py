"""From the verdicts on conversations to the verdict on a run of purposes."""

from __future__ import annotations

from collections.abc import Collection

from fullproof.artefacts.conversation import Conversation
from fullproof.artefacts.run import Coverage, RunResult, TestRow
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.judge.sts import StsOracle

_STRONGEST = (Verdict.FAIL, Verdict.ERROR, Verdict.PASS, Verdict.INCONCLUSIVE)
"""Of several executions of a purpose: a fault stays one; what was inconclusive may succeed the next time."""


class StsSummary:
    """Counts tests as conversations come in; a test may come several times, also with other values."""

    def __init__(self, oracle: StsOracle) -> None:
        self._oracle = oracle
        self._judgements: dict[str, Judgement] = {}
        self._rows: dict[str, TestRow] = {}
        self._exercised: set[int] = set()
        self.steps = self._resets = 0

    @property
    def tests(self) -> int:
        """How many different tests were executed."""
        return len(self._judgements)

    def add(self, conversation: Conversation, judgement: Judgement, letters: Collection[str]) -> None:
        """Count one conversation."""
        self.steps += conversation.steps
        self._resets += 1
        self._exercised |= judgement.exercised
        test = conversation.test.id
        known = self._judgements.get(test)
        if known is not None and _STRONGEST.index(known.verdict) <= _STRONGEST.index(judgement.verdict):
            return
        self._judgements[test] = judgement
        passed = judgement.verdict is Verdict.PASS
        self._rows[test] = TestRow(
            id=test,
            verdict=judgement.verdict,
            inputs=tuple(letters),
            reason=judgement.reason,
            steps=() if passed else self._oracle.story(conversation),
        )

    def rows(self) -> tuple[TestRow, ...]:
        """All tests, those that did not pass first."""
        return tuple(sorted(self._rows.values(), key=lambda row: row.verdict is Verdict.PASS))

    def result(self, *, seconds: float, missing: bool) -> RunResult:
        """The figures of the run; ``missing`` where something was meant to be covered and was not.

        Pass needs no test that was inconclusive to have been the only way to what it was for.
        """
        judgements = list(self._judgements.values())
        count = {verdict: sum(j.verdict is verdict for j in judgements) for verdict in _STRONGEST}
        if count[Verdict.FAIL]:
            verdict = Verdict.FAIL
        elif count[Verdict.ERROR]:
            verdict = Verdict.ERROR
        else:
            verdict = Verdict.INCONCLUSIVE if not judgements or missing else Verdict.PASS
        return RunResult(
            verdict=verdict,
            tests=len(judgements),
            passed=count[Verdict.PASS],
            failed=count[Verdict.FAIL],
            inconclusive=count[Verdict.INCONCLUSIVE],
            errors=count[Verdict.ERROR],
            steps=self.steps,
            resets=self._resets,
            coverage=Coverage(covered=len(self._exercised), total=len(self._oracle.semantics.model.transitions)),
            seconds=seconds,
            failures=tuple(j for j in judgements if j.verdict is not Verdict.PASS),
        )
