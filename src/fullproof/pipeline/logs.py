"""log -> verdict: traces that others recorded, each judged by the model as that of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fullproof.artefacts.questions import LogRequest
from fullproof.artefacts.suite import json_input
from fullproof.artefacts.verdict import BAD, Judgement, Verdict
from fullproof.core.errors import NothingToDo
from fullproof.judge.oracle import text_of
from fullproof.kinds import any_oracle_for, kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFailure:
    """A trace that the model does not have, and the line of the log that shows it."""

    trace: str
    line: int
    judgement: Judgement

    def fields(self) -> dict[str, object]:
        """As ``--json`` has it."""
        one = self.judgement
        # Symbols, and the gates of a transition system, are as JSON has them.
        given = one.input if one.input is None or isinstance(one.input, str | list) else json_input(one.input)  # type: ignore[arg-type]
        return {
            "trace": self.trace,
            "line": self.line,
            "step": one.step,
            "input": given,
            "observed": _seen(one.observed),
            "allowed": [text_of(allowed) for allowed in one.allowed],
            "reason": one.reason,
        }


def _seen(observed: object) -> str:
    """An answer as text, also that of a gate with its values."""
    if isinstance(observed, list) and len(observed) == 2:
        gate, values = observed
        return f"{gate}({', '.join(map(str, values))})" if values else str(gate)
    return text_of(observed)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogVerdict:
    """What a log shows: failures, and which transitions of the model its traces have taken."""

    traces: int
    steps: int
    failures: tuple[LogFailure, ...]
    left: int
    """Traces that the model leaves without being refuted: it says nothing of what follows."""
    reason: str
    """Why the first of them does."""
    gap: float | None
    """Seconds between two lines that count as silence, where the mapping says so."""
    exercised: int
    transitions: int

    def fields(self) -> Mapping[str, object]:
        """As ``--json`` has it."""
        return {
            "verdict": "fail" if self.failures else "inconclusive" if self.left else "pass",
            "traces": self.traces,
            "steps": self.steps,
            "failed": len(self.failures),
            "inconclusive": self.left,
            "coverage": {"exercised": self.exercised, "transitions": self.transitions},
            "failures": [failure.fields() for failure in self.failures],
        }


def judge_log(path: Path, request: LogRequest) -> LogVerdict:
    """Judge each trace of a log, as the kind of the model reads it."""
    from fullproof.execute.recorded_log import read_log_mapping
    from fullproof.formats import read_model

    model = read_model(path)
    kind = kind_of(model)
    oracle = any_oracle_for(model, request.relation or kind.relation)
    failures: list[LogFailure] = []
    traces = steps = left = 0
    reason = ""
    taken: set[int] = set()
    mapping = read_log_mapping(request.mapping)
    for trace in kind.recorded(model, request.log, mapping):
        judgement = oracle.judge(trace.execution)
        traces, steps = traces + 1, steps + len(trace.lines)
        taken |= judgement.exercised
        if judgement.verdict in BAD:
            failures.append(
                LogFailure(trace=trace.name, line=trace.lines[(judgement.step or 1) - 1], judgement=judgement)
            )
        elif judgement.verdict is Verdict.INCONCLUSIVE:
            left, reason = left + 1, reason or (f"trace {trace.name}: " if trace.name else "") + judgement.reason
    if not traces:
        raise NothingToDo(f"{request.log}: no trace")
    return LogVerdict(
        traces=traces,
        steps=steps,
        failures=tuple(failures),
        left=left,
        reason=reason,
        gap=mapping.gap,
        exercised=len(taken),
        transitions=len(model.transitions),
    )
