"""From the verdicts on traces to the verdict on a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import ALL_ANSWERS
from fullproof.artefacts.run import Coverage, RunResult
from fullproof.artefacts.suite import Test
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.judge.confidence import repetitions_text
from fullproof.judge.contradictions import Contradictions
from fullproof.judge.oracle import Oracle
from fullproof.judge.unseen import Unseen

if TYPE_CHECKING:
    from fullproof.judge.sts import StsOracle

_WORST_FIRST = (Verdict.FAIL, Verdict.ERROR, Verdict.INCONCLUSIVE, Verdict.PASS)


def worst(verdicts: set[Verdict]) -> Verdict:
    """Combine verdicts: a fail dominates all others; without verdicts the result is inconclusive."""
    return next((verdict for verdict in _WORST_FIRST if verdict in verdicts), Verdict.INCONCLUSIVE)


class Summary:
    """Counts tests as executions come in, the repetitions of a test one after the other.

    A test has the worst verdict of its repetitions. Where the oracle lets a test be tried again, in any order, one that
    was inconclusive passes if it does so once, and does not decide the verdict on the run: its goals do.
    For equivalence to a nondeterministic model, the verdict of a test also depends on answers that were never seen in
    the whole run (``unseen``), which is known at the end.
    """

    def __init__(self, oracle: Oracle | StsOracle, *, repeat: int = 1) -> None:
        self._repeat = repeat
        self._oracle = oracle
        self._exercised: set[int] = set()
        self._tests = self._steps = self._resets = 0
        self._bad: dict[int, Judgement] = {}
        self._repetitions: dict[int, int] = {}
        self._violating: dict[str, set[int]] = {name: set() for name in oracle.properties or ()}
        self._last: dict[str, int] = {}
        self._passed: set[int] = set()
        self._unseen: Unseen | None = None
        self._contradictions = Contradictions(oracle.semantics) if isinstance(oracle, Oracle) else None
        if isinstance(oracle, Oracle) and oracle.relation in ALL_ANSWERS and not oracle.semantics.is_deterministic:
            self._unseen = Unseen(oracle.semantics)

    @property
    def steps(self) -> int:
        """How many steps have been counted."""
        return self._steps

    def add(self, execution: Execution, judgement: Judgement) -> None:
        """Count one execution."""
        if execution.repetition == 1:
            self._tests += 1
        self._resets += 1
        number = self._tests
        if self._oracle.retries:
            number = self._last.setdefault(execution.test.id, number)
        elif self._repeat > 1:
            self._repetitions[number] = self._repetitions.get(number, 0) + 1
        self._steps += execution.length
        self._exercised |= judgement.exercised
        if judgement.verdict is not Verdict.PASS:
            if judgement.verdict is not Verdict.INCONCLUSIVE or number not in self._passed:
                _keep_worse(self._bad, number, judgement)
        elif self._oracle.retries:
            self._passed.add(number)
            if number in self._bad and self._bad[number].verdict is Verdict.INCONCLUSIVE:
                del self._bad[number]
        if self._contradictions is not None:
            self._contradictions.add(execution, judgement)
        for violation in judgement.violates or ():
            self._violating[violation.property].add(number)
        if self._unseen is not None:
            self._last[execution.test.id] = number
            self._unseen.add(execution)

    def add_expected(self, tests: int, steps: int, taken: frozenset[int]) -> None:
        """Count tests that passed and whose traces were not kept."""
        self._tests += tests
        self._resets += tests
        self._steps += steps
        self._exercised |= taken

    def wants_more(self, test: Test) -> bool:
        """Whether another repetition of the last test may show an answer of the model that was not seen yet.

        False where the relation does not require all answers of the model. A failing test is not repeated, unless a
        property run has not seen it violate a property.
        """
        bad = self._bad.get(self._tests)
        if bad is not None and bad.verdict is Verdict.FAIL:
            return bad.violates == ()
        return self._unseen is None or not self._unseen.is_complete(test)

    def result(self, *, seconds: float) -> RunResult:
        """The figures of the run so far."""
        bad = dict(self._bad)
        if self._unseen is not None:
            for judgement in self._unseen.judgements(repeat=self._repeat):
                assert isinstance(self._oracle, Oracle)
                _keep_worse(bad, self._last[judgement.test], self._oracle.told(judgement))
        failures = tuple(bad[number] for number in sorted(bad, key=lambda n: (_is_open(bad[n]), n)))
        fewest = min((n for test, n in self._repetitions.items() if test not in bad), default=1)
        count = {v: sum(j.verdict is v for j in failures) for v in _WORST_FIRST}
        verdicts = {j.verdict for j in failures} | ({Verdict.PASS} if self._tests > len(failures) else set())
        if self._oracle.retries and self._tests:
            verdicts = verdicts - {Verdict.INCONCLUSIVE} | {Verdict.PASS}
        contradiction = None if self._contradictions is None else self._contradictions.found
        verdict = worst(verdicts)
        return RunResult(
            verdict=Verdict.NONDETERMINISTIC if contradiction and verdict is Verdict.FAIL else verdict,
            tests=self._tests,
            passed=self._tests - len(failures),
            failed=count[Verdict.FAIL],
            inconclusive=count[Verdict.INCONCLUSIVE],
            errors=count[Verdict.ERROR],
            steps=self._steps,
            resets=self._resets,
            coverage=Coverage(covered=len(self._exercised), total=self._oracle.transitions),
            seconds=seconds,
            failures=failures,
            violations=None
            if self._oracle.properties is None
            else {name: len(tests) for name, tests in self._violating.items()},
            repetitions=repetitions_text(fewest) if fewest > 1 else "",
            contradiction=contradiction,
        )


def _is_open(judgement: Judgement) -> bool:
    """Whether it is listed after what went wrong."""
    return judgement.verdict is Verdict.INCONCLUSIVE


def _keep_worse(bad: dict[int, Judgement], number: int, judgement: Judgement) -> None:
    known = bad.get(number)
    if known is None or _badness(judgement) < _badness(known):
        bad[number] = judgement


def _badness(judgement: Judgement) -> tuple[int, bool]:
    """A sort key, worst first: of two fails, one that violates a property."""
    return _WORST_FIRST.index(judgement.verdict), not judgement.violates
