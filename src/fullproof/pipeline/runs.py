"""suite -> verdict: open the system, execute, judge each trace as it comes, report."""

from __future__ import annotations

import contextlib
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof import __version__
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.artefacts.run import RunContext, RunRecord, RunResult
from fullproof.artefacts.suite import SuiteHeader, Test
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import Place, UserError
from fullproof.model import Fsm, Model, Sfsm
from fullproof.pipeline.listing import Listing
from fullproof.pipeline.suites import generate_suite

if TYPE_CHECKING:
    from fullproof.execute.runner import Options
    from fullproof.judge import Oracle


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What to run against which system, and how."""

    suite: SuiteRequest
    suite_file: Path | None = None
    sut: str
    repeat: int = 1
    stop_on_failure: bool = False
    step_timeout: float | None = 10.0
    test_timeout: float | None = None
    report: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """A finished run, what should be said beside its verdict, and where its report is."""

    record: RunRecord
    notes: tuple[str, ...]
    page: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Suite:
    tests: Iterable[Test]
    count: int | None
    relation: Relation
    told: Callable[[], tuple[SuiteHeader, tuple[str, ...]]]
    """What the suite guarantees and what should be said of it, once its tests have been read."""


def run_suite(path: Path, request: RunRequest, *, progress: Callable[[int, int | None], None]) -> RunOutcome:
    """Execute a suite, given or generated, and judge it."""
    from fullproof.execute.adapters import open_sut
    from fullproof.formats import read_model
    from fullproof.formats.suite import model_sha256
    from fullproof.judge import Summary, oracle_for

    model, sha256 = read_model(path), model_sha256(path)
    diagram = _prepare_report(model, request.report)
    suite = _suite(path, model, request, sha256)
    oracle = oracle_for(model, suite.relation)
    summary, listing = Summary(oracle, repeat=request.repeat), Listing(oracle)
    started, begin = datetime.now(UTC), time.perf_counter()
    from fullproof.execute.runner import execute

    with (
        _returning(),
        closing(open_sut(request.sut, model, seed=request.suite.seed, step_timeout=request.step_timeout)) as system,
    ):
        for trace in execute(system, suite.tests, options=_options(model, oracle, request)):
            judgement = oracle.judge(trace)
            summary.add(trace, judgement)
            listing.add(trace, judgement)
            progress(listing.count, suite.count)
            if request.stop_on_failure and judgement.verdict in (Verdict.FAIL, Verdict.ERROR):
                break
    result = summary.result(seconds=time.perf_counter() - begin)
    header, notes = suite.told()
    context = _context(path, model, request, header, started.isoformat(timespec="seconds"), sha256)
    record = RunRecord(context=context, result=result, tests=listing.rows(result.failures), listed=listing.count)
    return RunOutcome(record=record, notes=notes, page=_report(record, request.report, diagram))


@contextlib.contextmanager
def _returning() -> Iterator[None]:
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


def run_fields(result: RunResult) -> dict[str, object]:
    """The fields of ``run --json``."""
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
        "failures": [
            {
                "test": failure.test,
                "verdict": failure.verdict.value,
                "step": failure.step,
                "input": failure.input,
                "observed": failure.observed,
                "allowed": list(failure.allowed),
                "reason": failure.reason,
            }
            for failure in result.failures
        ],
    }


def _suite(path: Path, model: Model, request: RunRequest, sha256: str) -> _Suite:
    if request.suite_file is None:
        made = generate_suite(model, request.suite, sha256=sha256, at=Place(file=str(path)))
        relation = Relation(made.header.relation)
        told = (made.header, made.notes)
        return _Suite(tests=made.tests(), count=made.size()[0], relation=relation, told=lambda: told)
    from fullproof.pipeline.suite_file import SuiteFile

    given = SuiteFile(request.suite_file, model, sha256=sha256)
    relation = request.suite.relation or given.relation
    return _Suite(
        tests=given.tests(),
        count=given.header.tests,
        relation=relation,
        told=lambda: (given.honest_header(relation), given.notes(request.suite, relation)),
    )


def _options(model: Model, oracle: Oracle, request: RunRequest) -> Options:
    from fullproof.execute.runner import Enabled, Options

    strong = oracle.relation is Relation.STRONG_REDUCTION
    # Only where an input may be undefined can a test be over before its last input.
    partial = isinstance(model, Fsm) and len({t[:2] for t in model.transitions}) < len(model.states) * len(model.inputs)
    return Options(
        repeat=request.repeat,
        step_timeout=request.step_timeout,
        test_timeout=request.test_timeout,
        enabled=Enabled.REQUIRED if strong else Enabled.IF_OFFERED if partial else Enabled.NEVER,
        # Whether an sfsm is partial takes a proof; whether it admits the next input is seen as the test goes along.
        watch=oracle.observer if partial or strong or isinstance(model, Sfsm) else None,
    )


def _context(
    path: Path, model: Model, request: RunRequest, header: SuiteHeader, started: str, sha256: str
) -> RunContext:
    from fullproof.execute.adapters.secrets import public_spec

    return RunContext(
        model_name=model.name,
        model_kind=model.kind,
        model_file=str(path),
        model_sha256=sha256,
        sut=public_spec(request.sut),
        relation=header.relation,
        method=header.method,
        extra_states=header.extra_states,
        guarantee=header.guarantee,
        seed=request.suite.seed,
        started=started,
        tool=__version__,
        python=platform.python_version(),
        platform=platform.platform(terse=True),
    )


def _prepare_report(model: Model, folder: Path | None) -> str:
    """Make the folder, draw the model, and import what the report needs before modules of the system can hide it."""
    if folder is None:
        return ""
    from fullproof.report.diagram import svg
    from fullproof.report.folder import make_folder
    from fullproof.report.html import load_template

    make_folder(folder)
    load_template()
    try:
        return svg(model)
    except UserError:
        return ""  # too large a machine to draw: the report does without


def _report(record: RunRecord, folder: Path | None, diagram: str) -> Path | None:
    if folder is None:
        return None
    from fullproof.report.folder import write_folder

    return write_folder(folder, record, fields=run_fields(record.result), diagram=diagram)
