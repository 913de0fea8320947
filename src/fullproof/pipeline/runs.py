"""suite -> verdict: open the system, execute, judge each execution as it comes, report."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.progress import Progress
from fullproof.artefacts.replies import FailureReply, GroupReply, RunReply, fields_of
from fullproof.artefacts.request import RunRequest
from fullproof.artefacts.run import FailureGroup, RunRecord
from fullproof.artefacts.verdict import BAD, Judgement
from fullproof.core.errors import Place
from fullproof.kinds import any_oracle_for, kind_of
from fullproof.kinds.conduct import Conduct, RunOrder, RunSoFar
from fullproof.kinds.suite_file import SuiteFile
from fullproof.kinds.systems import check_sut, open_sut
from fullproof.model import Model
from fullproof.pipeline.claimed import settled, with_domain
from fullproof.pipeline.clusters import cluster_of
from fullproof.pipeline.evidence import context_of, prepare_report, record_of, repeatable, write_report
from fullproof.pipeline.evidence_chain import EvidenceChain
from fullproof.pipeline.explanation import Explained, Failures, explained, faults_for, write_sequences
from fullproof.pipeline.journal import JOURNAL_NAME, Recording, journal_header, start_recording
from fullproof.pipeline.models import refuse_errors
from fullproof.pipeline.rows import Listing
from fullproof.pipeline.suite_conduct import suite_conduct


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """A finished run, its notes, and the path of its report."""

    record: RunRecord
    notes: tuple[str, ...]
    page: Path | None
    complete: bool = True
    """Whether the whole run was judged."""
    chain: EvidenceChain | None = None
    """From the model to the verdict, where a certificate was checked."""


def run_suite(path: Path, request: RunRequest, *, progress: Progress) -> RunOutcome:
    """Execute a suite, given or generated, and judge it."""
    from fullproof.formats import model_sha256
    from fullproof.pipeline.observed_models import read_observed, suite_observes

    claimed = None if request.suite_file is None else suite_observes(request.suite_file)
    model, sha256 = read_observed(path, request.suite.observe or claimed), model_sha256(path)
    if request.examined:
        refuse_errors(model)
    # Before anything is written: a missing cluster must not overwrite the journal of an earlier run.
    with cluster_of(request.cluster) as pool:
        if pool is None:  # else what it names is there
            check_sut(request.sut, model)
        order = RunOrder(
            request=request,
            given=None
            if request.suite_file is None
            else SuiteFile(request.suite_file, model, kind_of(model), sha256=sha256),
            model_sha256=sha256,
            at=Place(file=str(path)),
            open=opener(model, request),
            by_tests=suite_conduct,
            pool=pool,
        )
        return _run(model, order, progress)


def opener(model: Model, request: RunRequest) -> partial[Any]:
    """Opens a fresh instance of the system of a run, as often as it is called; it can be pickled."""
    return partial(
        open_sut,
        request.sut,
        model,
        seed=request.suite.seed,
        step_timeout=request.step_timeout,
        isolated=request.isolated,
    )


def _conduct(model: Model, order: RunOrder) -> Conduct:
    conduct: Conduct = (suite_conduct if order.request.adaptive else kind_of(model).conduct)(model, order)
    return conduct


def _run(model: Model, order: RunOrder, progress: Progress) -> RunOutcome:
    from fullproof.judge import Summary

    request = order.request
    shown = prepare_report(model, request.report)
    conduct = _conduct(model, order)
    judged = with_domain(model, conduct.header, at=Place(file=str(request.suite_file or order.at.file)))
    shown = shown.of_classes(judged)
    oracle = any_oracle_for(judged, conduct.relation, properties=conduct.properties)
    summary, listing = Summary(oracle, repeat=request.repeat), Listing(oracle, model)
    recording = _recording(judged, order, conduct)
    coverage = kind_of(judged).coverage(oracle, recording.header, order.at)
    state = RunSoFar(
        oracle=oracle,
        coverage=coverage,
        after=recording.after,
        past=recording.past,
        past_of=recording.past_of,
        more=summary.wants_more,
        traced=recording.journal is not None or listing.tracing.wanted,
    )
    begin, seconds, told, explanation = time.perf_counter(), 0.0, None, Explained()
    try:
        with returning(), conduct.executions(state) as executions:
            for execution in recording.kept(executions):
                if not isinstance(execution, Execution):
                    summary.add_expected(execution.tests, execution.steps, execution.taken)
                    listing.add_expected(execution.tests, execution.taken)
                    progress(listing.count, conduct.count, steps=summary.steps)
                    continue
                judgement = oracle.judge(execution)
                summary.add(execution, judgement)
                listing.add(execution, judgement)
                coverage.saw(execution, judgement)
                progress(listing.count, conduct.count, steps=summary.steps)
                if request.stop_on_failure and judgement.verdict in BAD:
                    break
        told = header, notes = recording.honest(conduct.told(), request.sut)
        seconds = time.perf_counter() - begin
        result = coverage.settled(summary.result(seconds=recording.seconds + seconds))
        result = conduct.settled(settled(result, header))
        faults = faults_for(header.relation, header.extra_states)
        failures = Failures(model=model, oracle=oracle, listing=listing, result=result, faults=faults)
        with returning():
            explanation = explained(failures, conduct.at_hand(oracle), seconds=request.shrink_failures)
    finally:
        seconds = seconds or time.perf_counter() - begin
        recording.close(seconds=seconds, told=told, groups=explanation.groups)
    context = context_of(recording.header, header, model, started=recording.started)
    context = repeatable(context, order.at.file, request, recording)
    record = record_of(model, context, result, listing, recording.everything(), explanation)
    page = write_report(record, request.report, shown, fields=run_fields(record))
    write_sequences(request.report, header, explanation.groups)
    return RunOutcome(record=record, notes=(*notes, *coverage.notes(result.verdict)), page=page)


def _recording(model: Model, order: RunOrder, conduct: Conduct) -> Recording:
    from fullproof.execute.adapters.secrets import public_spec

    request = order.request
    known = journal_header(
        model,
        order.at.file,
        conduct.header,
        sha256=order.model_sha256,
        suite_sha256=conduct.suite_sha256,
        is_sorted=request.share_prefixes,
    )
    header = dataclasses.replace(known, seed=request.suite.seed, sut=public_spec(request.sut))
    return start_recording(
        journal_path(request),
        conduct.journaled(header),
        sut=request.sut,
        resume=request.resume,
        allow_changed_system=request.allow_changed_system,
    )


def journal_path(request: RunRequest) -> Path | None:
    """Where the journal of a run is, if it has one."""
    return request.journal or (request.report / JOURNAL_NAME if request.report is not None else None)


@contextlib.contextmanager
def returning() -> Iterator[None]:
    """Restore the working directory, which a system may change, so that paths of the report stay valid."""
    here = None
    with contextlib.suppress(OSError):
        here = os.open(".", getattr(os, "O_PATH", os.O_RDONLY))
    try:
        yield
    finally:
        if here is not None:
            os.fchdir(here)
            os.close(here)


def run_fields(record: RunRecord) -> dict[str, object]:
    """The fields of ``run --json``."""
    result, diagnosis = record.result, record.diagnosis
    groups = {test: group for group in record.groups for test in group.tests}
    reply = RunReply(
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
        diagnosis=None
        if diagnosis is None
        else {"sentence": diagnosis.sentence(), "explanations": list(diagnosis.explanations)},
    )
    return fields_of(reply)


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
        violates=None if violates is None else [{"property": v.property, "step": v.step} for v in violates],
    )
