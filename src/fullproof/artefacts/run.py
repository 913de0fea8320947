"""A finished run: its request, its observations, and its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fullproof.artefacts.baseline import BaselineComparison
from fullproof.artefacts.diagnosis import Diagnosis
from fullproof.artefacts.execution import Event
from fullproof.artefacts.guarantee import Guarantee, Voucher
from fullproof.artefacts.matrix import Matrix
from fullproof.artefacts.steadiness import Confirmation, ContradictingAnswers
from fullproof.artefacts.suite import TestInput
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.core.blanks import differ_in_blanks, with_visible_blanks
from fullproof.core.counted import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How many of the model's transitions the run exercised."""

    covered: int
    total: int

    @property
    def ratio(self) -> float:
        """Between 0 and 1; a model without transitions is covered."""
        return self.covered / self.total if self.total else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """The figures of a run; ``failures`` holds every judgement that is not a pass."""

    verdict: Verdict
    tests: int
    passed: int
    failed: int
    inconclusive: int
    errors: int
    steps: int
    resets: int
    coverage: Coverage
    seconds: float
    failures: tuple[Judgement, ...]
    violations: Mapping[str, int] | None = None
    """For a property run, how many tests violate each property that it asks for."""
    repetitions: str = ""
    """What the repetitions of the tests exclude, as text; empty where tests ran once."""
    stopped: str = ""
    """Why the run ended before its last test, where the system could not be reached any more."""
    contradiction: ContradictingAnswers | None = None
    """Two executions that show that the system does not always answer alike."""

    @property
    def violations_text(self) -> str:
        """``R2 is violated by 7 tests, R1 by none``; the empty string where no properties were requested."""
        if not self.violations:
            return ""
        parts = []
        for name, count in sorted(self.violations.items(), key=lambda item: -item[1]):
            number = counted(count, "test") if count else "no test"
            parts.append(f"property {name} is violated by {number}")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """One step of a test in a report: the input, the outputs that the model allows, and the observed output."""

    input: str
    allowed: tuple[str, ...]
    """The alternatives."""
    observed: str
    ok: bool
    between: str = " or "
    """Stands between alternatives in texts."""
    offer: str = ""
    """What is wrong, in words, where the row is about the inputs that a grey box offers."""
    at: str = ""
    """When the answer was seen, since the reset, in a test with delays."""
    event: Event | None = None
    """What happened, of a system that gives outputs by itself."""

    def __post_init__(self) -> None:
        """Mark the blanks of both sides where a wrong output differs from an allowed one in blanks alone."""
        alike = any(differ_in_blanks(self.observed, allowed) for allowed in self.allowed)
        if not self.ok and self.observed not in self.allowed and alike:
            object.__setattr__(self, "observed", with_visible_blanks(self.observed))
            object.__setattr__(self, "allowed", tuple(map(with_visible_blanks, self.allowed)))

    @property
    def allowed_text(self) -> str:
        """The alternatives in one line."""
        return self.between.join(self.allowed)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRow:
    """One test as a report lists it; ``steps`` is filled for tests that did not pass."""

    id: str
    verdict: Verdict
    inputs: Sequence[str]
    reason: str = ""
    steps: tuple[StepRow, ...] = ()
    violates: tuple[str, ...] = ()
    """The properties that a property run has seen it violate."""
    requirements: tuple[str, ...] = ()
    """The requirements that it exercised for certain."""
    concerned: tuple[str, ...] = ()
    """The transitions that the step which failed should have taken."""
    path: tuple[int, ...] = ()
    """The transitions on its way there, and those concerned, by their position in the model."""
    script: str = ""
    """The file in the report folder that reproduces the failure."""
    observed: tuple[tuple[str, str], ...] = ()
    """Inputs with their outputs, of a test that passed; of a reactive system, one of the two is empty."""

    __test__ = False  # not a pytest class


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureGroup:
    """Failures with one cause, as far as is known, with a shortest sequence that shows it."""

    number: int
    title: str
    """What goes wrong, in words."""
    proves: str
    """The test of the run with which the search began: it is in the journal, and proves the verdict."""
    shortest: tuple[object, ...]
    """The inputs of the sequence, as JSON has them."""
    steps: tuple[StepRow, ...]
    reason: str
    tests: tuple[str, ...]
    """All tests that show it."""
    verdict: Verdict = Verdict.FAIL
    """Theirs: a failure, or an error of the system."""
    cause: Diagnosis | None = None
    """What explains it, as far as is known."""
    requirements: tuple[str, ...] = ()
    path: tuple[int, ...] = ()
    """The transitions that the sequence takes, or should take, by their position in the model."""
    was_searched: bool = False
    """Whether the sequence was looked for on the system; else it is the beginning of a test that fails."""
    is_minimal: bool = False
    """Whether every shorter sequence over the inputs tried was run, and none fails."""
    failed: int = 1
    of: int = 1
    """How often the sequence failed, of how many times that it was run after the run."""
    confirmation: Confirmation | None = None
    """How the test that proves it fared on fresh systems after the run; None where that was not tried."""
    is_absence: bool = False
    """Whether no execution fails, but the run: an answer of the model never came."""
    word: tuple[TestInput, ...] | None = None
    """The sequence as the inputs of a test; None where nothing is known of the test that proves it."""

    @property
    def has_file(self) -> bool:
        """Whether the sequence is known to fail by itself, or after the tests that it depends on."""
        after_others = self.confirmation is not None and self.confirmation.order is not None
        return self.word is not None and (after_others or (self.was_searched and self.failed > 0))

    @property
    def file(self) -> str:
        """The suite file of the sequence alone in the report folder."""
        return f"failure-{self.number}.jsonl"

    @property
    def standing(self) -> str:
        """Which tests show it, and how far the sequence can be relied upon."""
        number = len(self.tests)
        tests = f"{self.proves} proves it" if number == 1 else f"{number:,} tests show it, {self.proves} proves it"
        again = "" if self.confirmation is None else self.confirmation.sentence
        if not self.was_searched:
            return "; ".join(filter(None, (f"{tests}: {self.reason}", again)))
        if not self.failed and (self.confirmation is None or not self.confirmation.failed):
            again = again or f"in {self.of} tries after the run it did not fail again"
            return f"{tests}; {again}"
        often = (
            f"the sequence above failed {self.failed} of {counted(self.of, 'time')}" if self.failed < self.of else ""
        )
        known = self.confirmation
        if not self.failed and known is not None and known.failed == known.of and known.order is None:
            often += " after a reset, which may not bring the system back to its beginning"
        least = "no shorter sequence fails" if self.is_minimal else ""
        return "; ".join(filter(None, (f"{tests}: {self.reason}", again, often, least)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """Everything that is needed to repeat the run."""

    model_name: str
    model_kind: str
    model_file: str
    model_sha256: str
    sut: str
    relation: str
    method: str
    extra_states: int
    guarantee: Guarantee
    seed: int
    started: str
    tool: str
    python: str
    platform: str
    command: str = ""
    """What repeats the run on a command line, without secrets."""
    hashes: Mapping[str, object] = field(default_factory=dict)
    """SHA-256 of the model, of the suite if it was a file, and of the files of the system."""
    meta: Mapping[str, str] = field(default_factory=dict)
    """What the user has said of the run with ``--meta``."""
    certificate: tuple[str, str] | None = None
    """The SHA-256 of the suite's certificate and whether it was accepted, where one was checked."""

    @property
    def hypotheses(self) -> list[dict[str, str]]:
        """What the guarantee rests on, each with its standing: assumed, checked, or for a person to vouch for."""
        standing = {Voucher.TOOL: "checked", Voucher.USER: "to-vouch", Voucher.OPEN: "assumed"}
        return [
            {"text": h.clause, "standing": standing.get(h.by) or ("checked" if h.evidence else "assumed")}
            for h in self.guarantee.hypotheses
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """A run as it goes into the report folder."""

    context: RunContext
    result: RunResult
    tests: tuple[TestRow, ...]
    listed: int
    """How many tests ran; ``tests`` may hold fewer, so that a report of a million tests still opens."""
    matrix: Matrix | None = None
    diagnosis: Diagnosis | None = None
    exercised: frozenset[int] = frozenset()
    """The model's transitions, by their position, that were certainly taken in the run."""
    groups: tuple[FailureGroup, ...] = ()
    """Its failures, those with one cause together."""
    scripts: Mapping[str, str] = field(default_factory=dict)
    """Scripts that reproduce failures, by the name of their file."""
    baseline: BaselineComparison | None = None
    """What is different from an earlier run, where that was asked."""
    lateness: str = ""
    """Of a run in real time: how late the steps were that count."""
    journal: Path | None = None
