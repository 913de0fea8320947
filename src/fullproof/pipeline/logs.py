"""log -> verdict: traces that others recorded, each judged by the model as that of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fullproof.artefacts.questions import LogRequest
from fullproof.artefacts.suite import json_input
from fullproof.artefacts.verdict import BAD, Judgement
from fullproof.core.errors import NothingToDo, Place, UserError
from fullproof.judge.oracle import text_of
from fullproof.kinds import any_oracle_for, kind_of
from fullproof.model.interface import Interface


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFailure:
    """A trace that the model does not have, and the line of the log that shows it."""

    trace: str
    line: int
    judgement: Judgement

    def fields(self) -> dict[str, object]:
        """As ``--json`` has it."""
        one = self.judgement
        given = one.input if isinstance(one.input, str) else json_input(one.input)  # type: ignore[arg-type]
        return {
            "trace": self.trace,
            "line": self.line,
            "step": one.step,
            "input": given,
            "observed": text_of(one.observed),
            "allowed": [text_of(allowed) for allowed in one.allowed],
            "reason": one.reason,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class LogVerdict:
    """What a log shows: failures, and which transitions of the model its traces have taken."""

    traces: int
    steps: int
    failures: tuple[LogFailure, ...]
    exercised: int
    transitions: int

    def fields(self) -> Mapping[str, object]:
        """As ``--json`` has it."""
        return {
            "verdict": "fail" if self.failures else "pass",
            "traces": self.traces,
            "steps": self.steps,
            "failed": len(self.failures),
            "coverage": {"exercised": self.exercised, "transitions": self.transitions},
            "failures": [failure.fields() for failure in self.failures],
        }


def judge_log(path: Path, request: LogRequest) -> LogVerdict:
    """Judge each trace of a log; the system must answer each input."""
    from fullproof.execute.recorded_log import read_log_mapping, recorded_traces
    from fullproof.formats import read_model

    model = read_model(path)
    interface = model.interface
    if not isinstance(interface, Interface):
        message = f"--log is for models whose systems answer each input, not for {model.kind}"
        raise UserError(message, at=Place(file=str(path)))
    kind = kind_of(model)
    oracle = any_oracle_for(model, request.relation or kind.relation)
    failures: list[LogFailure] = []
    traces = steps = 0
    taken: set[int] = set()
    for trace in recorded_traces(request.log, interface, read_log_mapping(request.mapping)):
        judgement = oracle.judge(trace.execution)
        traces, steps = traces + 1, steps + len(trace.lines)
        taken |= judgement.exercised
        if judgement.verdict in BAD:
            failures.append(
                LogFailure(trace=trace.name, line=trace.lines[(judgement.step or 1) - 1], judgement=judgement)
            )
    if not traces:
        raise NothingToDo(f"{request.log}: no trace")
    return LogVerdict(
        traces=traces,
        steps=steps,
        failures=tuple(failures),
        exercised=len(taken),
        transitions=len(model.transitions),
    )
