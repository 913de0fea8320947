"""suite -> verdict: open the system, execute, judge each trace as it comes, report."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.progress import Progress
from fullproof.artefacts.request import GREY_BOX, Relation, RunRequest
from fullproof.artefacts.run import RunRecord
from fullproof.artefacts.suite import SuiteHeader, Test
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.core.errors import Place, UserError
from fullproof.kinds.systems import open_sut
from fullproof.model import Fsm, Model, Sfsm, Sts
from fullproof.model.common import Property
from fullproof.pipeline.claimed import settled, with_domain
from fullproof.pipeline.clusters import cluster_of
from fullproof.pipeline.executing import How, live_traces
from fullproof.pipeline.listing import Listing
from fullproof.pipeline.models import refuse_errors
from fullproof.pipeline.monitoring import monitored
from fullproof.pipeline.recording import JOURNAL_NAME, Recording, journal_header, start_recording
from fullproof.pipeline.reporting import context_of, prepare_report, record_of, write_report
from fullproof.pipeline.suites import generate_suite

if TYPE_CHECKING:
    from fullproof.cluster.pool import ClusterPool
    from fullproof.execute.runner import Options, Watch
    from fullproof.judge import Oracle
    from fullproof.pipeline.adaptive import Adaptive


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """A finished run, what should be said beside its verdict, and where its report is."""

    record: RunRecord
    notes: tuple[str, ...]
    page: Path | None
    complete: bool = True
    """Whether all of the run was there to be judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Suite:
    tests: Iterable[Test]
    again: Callable[[], Iterable[Test]]
    """The tests once more."""
    count: int | None
    header: SuiteHeader
    """As the suite came: whether it may be believed is known once its tests have been read."""
    sha256: str
    relation: Relation
    properties: tuple[Property, ...]
    """What a property run monitors."""
    told: Callable[[], tuple[SuiteHeader, tuple[str, ...]]]
    """What the suite guarantees and what should be said of it, once its tests have been read."""
    adaptive: Adaptive | None = None
    """Who chooses the inputs, where the tests do not say them."""


def run_suite(path: Path, request: RunRequest, *, progress: Progress) -> RunOutcome:
    """Execute a suite, given or generated, and judge it."""
    from fullproof.formats import model_sha256
    from fullproof.pipeline.observing import read_observed, suite_observes

    claimed = None if request.suite_file is None else suite_observes(request.suite_file)
    model, sha256 = read_observed(path, request.suite.observe or claimed), model_sha256(path)
    if request.examined:
        refuse_errors(model)
    if isinstance(model, Sts):
        from fullproof.pipeline.reactive_runs import run_purposes

        with cluster_of(request.cluster) as pool:
            return run_purposes(path, model, request, sha256=sha256, progress=progress, pool=pool)
    if request.cluster is not None and request.jobs > 1:
        raise UserError("--jobs runs instances on this machine, --cluster where Dask has workers: give one of them")
    # Before anything is written: a cluster that is not there must not cost the journal of an earlier run.
    with cluster_of(request.cluster) as pool:
        return _run_tests(path, model, request, sha256=sha256, progress=progress, pool=pool)


def _run_tests(
    path: Path, model: Model, request: RunRequest, *, sha256: str, progress: Progress, pool: ClusterPool | None
) -> RunOutcome:
    from fullproof.judge import Summary
    from fullproof.kinds import oracle_for

    shown = prepare_report(model, request.report)
    suite = _suite(path, model, request, sha256)
    judged = with_domain(model, suite.header, at=Place(file=str(request.suite_file or path)))
    shown = shown.of_classes(judged)
    if request.share_prefixes:
        suite = _sorted(suite)
    oracle = oracle_for(judged, suite.relation, properties=suite.properties)
    summary, listing = Summary(oracle, repeat=request.repeat), Listing(oracle, model)
    recording = _recording(path, judged, request, suite, sha256)
    begin, told = time.perf_counter(), None
    try:
        more = summary.wants_more if request.until_seen else None
        seen = recording.journal is not None or listing.tracing.wanted or suite.adaptive is not None
        known = None if seen else oracle.answers()
        how = How(
            open=partial(open_sut, request.sut, model, seed=request.suite.seed, step_timeout=request.step_timeout),
            sut=request.sut,
            options=run_options(model, oracle, request, suite.adaptive),
            watch=partial(_watch, model, suite.relation, suite.properties),
            jobs=request.jobs,
            isolated=request.isolated and suite.adaptive is None,
            pool=pool,
        )
        with returning(), live_traces(suite.tests, how, after=recording.after, more=more, answers=known) as live:
            for trace in recording.traces(live, suite.again):
                if not isinstance(trace, Execution):
                    summary.add_expected(trace.tests, trace.steps, trace.taken)
                    listing.add_expected(trace.tests, trace.taken)
                    progress(listing.count, suite.count, steps=summary.steps)
                    continue
                judgement = oracle.judge(trace)
                summary.add(trace, judgement)
                listing.add(trace, judgement)
                progress(listing.count, suite.count, steps=summary.steps)
                if request.stop_on_failure and judgement.verdict in (Verdict.FAIL, Verdict.ERROR):
                    break
        told = header, notes = recording.honest(_with_shortcuts(*suite.told(), request), request.sut)
    finally:
        seconds = time.perf_counter() - begin
        recording.close(seconds=seconds, told=told)
    result = settled(summary.result(seconds=recording.seconds + seconds), header)
    if suite.adaptive is not None:
        result = suite.adaptive.settled(result)
    context = context_of(recording.header, header, model, started=recording.started)
    record = record_of(model, context, result, listing, recording.everything())
    page = write_report(record, request.report, shown, fields=run_fields(record))
    return RunOutcome(record=record, notes=notes, page=page)


def _sorted(suite: _Suite) -> _Suite:
    """Tests that begin alike one after the other."""
    tests = sorted(suite.tests, key=lambda test: list(map(repr, test.inputs)))
    return dataclasses.replace(suite, tests=tests, again=lambda: tests)


def _with_shortcuts(
    header: SuiteHeader, notes: tuple[str, ...], request: RunRequest
) -> tuple[SuiteHeader, tuple[str, ...]]:
    if not request.until_seen or request.repeat == 1:
        return header, notes
    if request.jobs > 1 or request.cluster is not None:
        option = "--jobs" if request.cluster is None else "--cluster"
        note = f"--until-seen has no effect with {option}: every test was repeated as often as --repeat says"
    else:
        note = (
            "tests were repeated until all answers of the model had been seen, not always --repeat times: the"
            " guarantee is for systems that show a wrong answer, if they can give one, no later than that"
        )
    return header, (*notes, note)


def _recording(path: Path, model: Model, request: RunRequest, suite: _Suite, sha256: str) -> Recording:
    from fullproof.execute.adapters.secrets import public_spec

    known = journal_header(
        model,
        path,
        suite.header,
        sha256=sha256,
        suite_sha256=suite.sha256,
        is_sorted=request.share_prefixes,
    )
    header = dataclasses.replace(
        known,
        relation=suite.relation.value,
        properties=tuple(stated.name for stated in suite.properties),
        repeat=request.repeat if suite.adaptive is None else 1,
        seed=request.suite.seed,
        sut=public_spec(request.sut),
        tests=suite.count,
        until_seen=request.until_seen and request.repeat > 1,
    )
    return start_recording(
        journal_path(request),
        header,
        sut=request.sut,
        resume=request.resume,
        allow_changed_system=request.allow_changed_system,
    )


def journal_path(request: RunRequest) -> Path | None:
    """Where the journal of a run is, if it has one."""
    return request.journal or (request.report / JOURNAL_NAME if request.report is not None else None)


def _watch(model: Model, relation: Relation, properties: tuple[Property, ...]) -> Watch:
    """What follows tests while they run, made where they run."""
    from fullproof.kinds import oracle_for

    return oracle_for(model, relation, properties=properties).observer


@contextlib.contextmanager
def returning() -> Iterator[None]:
    """A system may change the working directory; the report goes where its user meant it to go."""
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
    return {
        "verdict": result.verdict.value,
        "tests": result.tests,
        "passed": result.passed,
        "failed": result.failed,
        "inconclusive": result.inconclusive,
        "errors": result.errors,
        "steps": result.steps,
        "resets": result.resets,
        "coverage": {"transitions": result.coverage.covered, "of": result.coverage.total},
        "seconds": round(result.seconds, 6),
        **({} if result.violations is None else {"properties": dict(result.violations)}),
        "failures": [_failure_fields(failure) for failure in result.failures],
        "diagnosis": None
        if diagnosis is None
        else {"sentence": diagnosis.sentence(), "explanations": list(diagnosis.explanations)},
    }


def _failure_fields(failure: Judgement) -> dict[str, object]:
    fields: dict[str, object] = {
        "test": failure.test,
        "verdict": failure.verdict.value,
        "step": failure.step,
        "input": failure.input,
        "observed": failure.observed,
        "allowed": list(failure.allowed),
        "reason": failure.reason,
    }
    if failure.violates is not None:
        fields["violates"] = [{"property": v.property, "step": v.step} for v in failure.violates]
    return fields


def _adaptive_suite(path: Path, model: Model, request: RunRequest, sha256: str) -> _Suite:
    from fullproof.pipeline.adaptive import adaptive_for

    made = adaptive_for(model, request, sha256=sha256, at=Place(file=str(path)))
    return _Suite(
        tests=made.tests(),
        again=made.tests,
        count=None,
        header=made.header,
        sha256="",
        relation=Relation(made.header.relation),
        properties=(),
        told=made.told,
        adaptive=made,
    )


def _suite(path: Path, model: Model, request: RunRequest, sha256: str) -> _Suite:
    if request.adaptive:
        return _adaptive_suite(path, model, request, sha256)
    if request.suite_file is None:
        made = generate_suite(model, request.suite, sha256=sha256, at=Place(file=str(path)))
        tests, inputs = made.size()
        return _Suite(
            tests=made.tests(),
            again=made.tests,
            count=tests,
            header=dataclasses.replace(made.header, tests=tests, inputs=inputs),
            sha256="",
            relation=Relation(made.header.relation),
            properties=monitored(model, Relation(made.header.relation), request.suite.properties, at=path),
            told=lambda: (made.header, made.notes),
        )
    from fullproof.pipeline.suite_file import SuiteFile

    given = SuiteFile(request.suite_file, model, sha256=sha256)
    checked = given.check  # before the first test is run
    relation = given.judged_for(request.suite)
    return _Suite(
        tests=given.tests(),
        again=given.again,
        count=checked.tests,
        header=given.header,
        sha256=checked.sha256,
        relation=relation,
        properties=monitored(model, relation, request.suite.properties, at=path),
        told=lambda: (given.honest_header(relation, request.suite.properties), given.notes(request.suite, relation)),
    )


def run_options(model: Model, oracle: Oracle, request: RunRequest, adaptive: Adaptive | None = None) -> Options:
    """How the tests of a model are run, so that they can be judged for a relation."""
    from fullproof.execute.runner import Enabled, Options

    strong = oracle.relation in GREY_BOX
    # Only where an input may be undefined can a test be over before its last input.
    partial = isinstance(model, Fsm) and len({t[:2] for t in model.transitions}) < len(model.states) * len(model.inputs)
    watched = adaptive is None and (partial or strong or isinstance(model, Sfsm))
    return Options(
        repeat=request.repeat if adaptive is None else 1,
        pilot=None if adaptive is None else adaptive.pilot,
        step_timeout=request.step_timeout,
        test_timeout=request.test_timeout,
        share=request.share_prefixes,
        enabled=Enabled.REQUIRED if strong else Enabled.IF_OFFERED if partial else Enabled.NEVER,
        # Whether an sfsm is partial takes a proof; whether it admits the next input is seen as the test goes along.
        watch=oracle.observer if watched else None,
    )
