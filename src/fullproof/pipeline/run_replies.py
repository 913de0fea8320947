"""run -> reply: the fields of ``run --json``, ``judge --json`` and ``report.json``."""

from __future__ import annotations

from fullproof.artefacts.execution import event_json
from fullproof.artefacts.replies import FailureReply, GroupReply, RunReply, fields_of
from fullproof.artefacts.run import FailureGroup, RunRecord, StepRow
from fullproof.artefacts.verdict import Judgement


def run_fields(record: RunRecord) -> dict[str, object]:
    """The fields of ``run --json``."""
    return fields_of(run_reply(record))


def run_reply(record: RunRecord) -> RunReply:
    """The answer of ``run``."""
    result, diagnosis = record.result, record.diagnosis
    groups = {test: group for group in record.groups for test in group.tests}
    return RunReply(
        verdict=result.verdict.value,
        tests=result.tests,
        passed=result.passed,
        failed=result.failed,
        inconclusive=result.inconclusive,
        errors=result.errors,
        steps=result.steps,
        resets=result.resets,
        coverage={"transitions": result.coverage.covered, "of": result.coverage.total},
        seconds=round(result.seconds, 6),
        properties=None if result.violations is None else dict(result.violations),
        failures=tuple(_failure_reply(failure, groups.get(failure.test)) for failure in result.failures),
        groups=tuple(map(_group_reply, record.groups)),
        hypotheses=record.context.hypotheses,
        command=record.context.command,
        hashes=dict(record.context.hashes),
        meta=dict(record.context.meta),
        baseline=None if record.baseline is None else record.baseline.fields(),
        stopped=result.stopped or None,
        contradiction=None if result.contradiction is None else result.contradiction.fields(),
        diagnosis=None
        if diagnosis is None
        else {"sentence": diagnosis.sentence(), "explanations": list(diagnosis.explanations)},
    )


def _step_reply(step: StepRow) -> dict[str, object]:
    when = {"at": step.at} if step.at else {}
    fields = {**when, "input": step.input, "allowed": step.allowed_text, "observed": step.observed, "ok": step.ok}
    return fields if step.event is None else {**fields, "event": event_json(step.event)}


def _group_reply(group: FailureGroup) -> GroupReply:
    return GroupReply(
        group=group.number,
        title=group.title,
        tests=len(group.tests),
        proves=group.proves,
        shortest=list(group.shortest),
        minimal=group.is_minimal,
        failed=group.failed,
        of=group.of,
        requirements=list(group.requirements),
        reason=group.reason,
        standing=group.standing,
        steps=[_step_reply(step) for step in group.steps],
        cause=None if group.cause is None else group.cause.fields(),
        confirmation=None if group.confirmation is None else group.confirmation.fields(),
    )


def _failure_reply(failure: Judgement, group: FailureGroup | None) -> FailureReply:
    violates = failure.violates
    return FailureReply(
        test=failure.test,
        verdict=failure.verdict.value,
        step=failure.step,
        input=failure.input,
        observed=failure.observed,
        allowed=list(failure.allowed),
        reason=failure.reason,
        shortest=None if group is None else list(group.shortest),
        cause=None if group is None or group.cause is None else group.cause.fields(),
        group=None if group is None else group.number,
        violates=None if violates is None else [v.fields() for v in violates],
    )
