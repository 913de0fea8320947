"""The replies of commands: one schema, of which ``--json``, ``report.json`` and the workbench's interface are made."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_OPTIONAL, _REST = "optional", "rest"


def optional() -> Any:
    """A field that is left out where it is None."""
    return dataclasses.field(default=None, metadata={_OPTIONAL: True})


def rest() -> Any:
    """A field whose entries become fields of the reply: what a kind of models adds."""
    return dataclasses.field(default_factory=dict, metadata={_REST: True})


def fields_of(reply: Any) -> dict[str, Any]:
    """The reply as JSON has it, in the order of its fields."""
    found: dict[str, Any] = {}
    for one in dataclasses.fields(reply):
        value = getattr(reply, one.name)
        if _REST in one.metadata:
            found |= value
        elif value is not None or _OPTIONAL not in one.metadata:
            found[one.name] = _plain(value)
    return found


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return fields_of(value)
    return [_plain(one) for one in value] if isinstance(value, tuple | list) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingReply:
    """One finding: ``severity`` is error, warning or note."""

    severity: str
    rule: str
    where: str
    message: str
    witness: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReply:
    """``fullproof check --json``. None: not asked of this kind, or not decided."""

    kind: str
    name: str
    states: int
    transitions: int
    deterministic: bool | None
    complete: bool | None
    observable: bool | None
    minimal: bool | None
    connected: bool | None
    findings: tuple[FindingReply, ...]

    @property
    def errors(self) -> tuple[FindingReply, ...]:
        """The findings for which a model cannot be used."""
        return tuple(finding for finding in self.findings if finding.severity == "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteReply:
    """``fullproof generate --json``. ``guarantee`` is the sentence that is made of ``claim``."""

    kind: str
    relation: str
    method: str
    states: int
    extra_states: int
    tests: int
    inputs: int
    guarantee: str
    claim: Mapping[str, Any] | None
    seconds: float
    notes: list[str]
    details: Mapping[str, Any] = rest()
    certificate: str | None = optional()
    certificate_sha256: str | None = optional()
    evidence: str | None = optional()


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareReply:
    """``fullproof compare --json``. ``conforms`` is None where that stayed open, as ``undecided`` says."""

    relation: str
    conforms: bool | None
    counterexample: Mapping[str, Any] | None
    details: Mapping[str, Any] = rest()
    undecided: str | list[str] | None = optional()
    proof: str | None = optional()


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifyReply:
    """``fullproof certify --json``. ``complete`` is None where that stayed open."""

    complete: bool | None
    method: str | None
    survivor: str | None
    witness: list[Any] | None
    reason: str
    tests: int
    inputs: int
    certificate: str | None = optional()
    certificate_sha256: str | None = optional()
    evidence: str | None = optional()
    accepted: bool | None = optional()
    """Of ``--with``."""
    notes: list[str] = dataclasses.field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class MutantReply:
    """A mutant on disk; ``conforms`` marks those that conform to the model, None where a solver could not decide."""

    file: str
    operator: str
    where: str
    conforms: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MutateReply:
    """``fullproof mutate --json``. ``left_out`` counts faults that no mutant has."""

    mutants: tuple[MutantReply, ...]
    left_out: int | None = optional()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReply:
    """``fullproof score --json``. ``kills`` has the first test that kills a mutant, by the file of the mutant."""

    mutants: int
    killed: int
    conforming: int
    survivors: list[Mapping[str, Any]]
    kills: Mapping[str, str | None]
    undecided: list[Mapping[str, Any]] | None = optional()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReply:
    """``fullproof draw --json`` and ``fullproof convert --json``."""

    output: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploreReply:
    """``fullproof explore --json``. ``complete`` is false where the bound on states was reached."""

    name: str
    states: int
    transitions: int
    complete: bool
    equality: str
    output: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnReply:
    """``fullproof learn --json``: what the system was asked, and what the model guarantees."""

    name: str
    states: int
    extra_states: int
    rounds: int
    tests: int
    inputs: int
    reused: int
    resumed: int
    guarantee: str
    output: str | None
    notes: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureReply:
    """A test that did not pass, and the step that decided it."""

    test: str
    verdict: str
    step: int | None
    input: Any
    observed: Any
    allowed: list[Any]
    reason: str
    shortest: list[Any] | None = None
    cause: Mapping[str, Any] | None = None
    group: int | None = None
    violates: list[Mapping[str, Any]] | None = optional()


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupReply:
    """Failures with one cause; the test ``proves`` is in the journal, ``minimal``: no shorter sequence fails."""

    group: int
    title: str
    tests: int
    proves: str
    shortest: list[Any]
    minimal: bool
    failed: int
    of: int
    requirements: list[str]
    reason: str
    standing: str
    steps: list[Mapping[str, Any]]
    """Those of the sequence: input, what is allowed, what was observed, and whether that is right."""
    cause: Mapping[str, Any] | None
    confirmation: Mapping[str, Any] | None = None
    """How the test that proves it fared on fresh systems: ``standing``, ``failed``, ``of``, ``order``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReply:
    """``fullproof run --json``, ``fullproof judge --json`` and ``report.json``, which add the guarantee and notes.

    ``properties``: how many tests violate each property.
    """

    verdict: str
    tests: int
    passed: int
    failed: int
    inconclusive: int
    errors: int
    steps: int
    resets: int
    coverage: Mapping[str, int]
    seconds: float
    properties: Mapping[str, int] | None = optional()
    failures: tuple[FailureReply, ...] = ()
    groups: tuple[GroupReply, ...] = ()
    hypotheses: list[dict[str, str]] = dataclasses.field(default_factory=list)
    command: str = ""
    hashes: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    meta: Mapping[str, str] = dataclasses.field(default_factory=dict)
    baseline: Mapping[str, Any] | None = None
    stopped: str | None = optional()
    """Why the run ended before its last test, where the system could not be reached any more."""
    contradiction: Mapping[str, Any] | None = None
    """Two executions that answer equal inputs in two ways."""
    diagnosis: Mapping[str, Any] | None = None
    guarantee: str | None = optional()
    claim: Mapping[str, Any] | None = optional()
    notes: list[str] | None = optional()
    report: str | None = optional()
    """The page of the report, where one was written."""

    @property
    def ok(self) -> bool:
        """Whether the verdict is a pass; ``passed`` counts tests."""
        return self.verdict == "pass"

    def __bool__(self) -> bool:
        return self.ok

    def explanation(self) -> str:
        """What went wrong, or what the pass proves, in a few lines: for ``assert reply, reply.explanation()``."""
        lines = [f"{self.verdict}: {self.failed + self.errors:,} of {self.tests:,} tests failed"]
        if self.ok:
            return f"pass: {self.tests:,} tests. {self.guarantee or ''}".rstrip()
        lines += [f"{group.title} (shortest: {_sequence(group.shortest)})" for group in self.groups]
        if self.diagnosis is not None:
            lines.append(f"diagnosis: {self.diagnosis['sentence']}")
        if not self.groups:
            lines += [f"{failure.test}: {failure.reason}" for failure in self.failures[:3]]
        return "\n".join(lines)


def _sequence(inputs: Sequence[object]) -> str:
    """Inputs as JSON has them, in the words of a trace: ``level = 0, pump = false; level = 81, pump = true``."""

    def value(given: object) -> str:
        return str(given).lower() if isinstance(given, bool) else str(given)

    def text(given: object) -> str:
        match given:
            case dict():
                return ", ".join(f"{name} = {value(one)}" for name, one in given.items())
            case [str(gate), list(values)]:
                return f"{gate}({', '.join(map(value, values))})"
        return str(given)

    return (", " if all(isinstance(one, str) for one in inputs) else "; ").join(map(text, inputs))
