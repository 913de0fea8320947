"""executions -> outcome: one run from its first test to its report, whole, stopped or interrupted."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.progress import Progress
from fullproof.artefacts.request import RunRequest
from fullproof.artefacts.run import RunRecord, RunResult
from fullproof.artefacts.suite import SuiteHeader
from fullproof.core.counted import plural_of
from fullproof.core.errors import Place
from fullproof.core.interrupts import answering_one, holding_on
from fullproof.kinds import any_oracle_for, kind_of
from fullproof.kinds.conduct import Conduct, RunOrder, RunSoFar
from fullproof.model import Model
from fullproof.pipeline.baseline import compared
from fullproof.pipeline.claimed import settled, with_domain
from fullproof.pipeline.completeness import capped, unfinished
from fullproof.pipeline.early_ends import EarlyEnd
from fullproof.pipeline.evidence import Illustrations, context_of, record_of, repeatable, write_report
from fullproof.pipeline.evidence_chain import EvidenceChain
from fullproof.pipeline.explanation import Explained, Failures, explained, faults_for, groups_seen
from fullproof.pipeline.journal import JOURNAL_NAME, Recording, journal_header, start_recording
from fullproof.pipeline.lateness import LatenessSeen
from fullproof.pipeline.reproduction import repeated, scripts_for, write_sequences
from fullproof.pipeline.rows import Listing
from fullproof.pipeline.run_replies import run_fields

if TYPE_CHECKING:
    from fullproof.execute.sweep import Expected
    from fullproof.judge import Summary
    from fullproof.kinds import AnyOracle
    from fullproof.pipeline.baseline import EarlierRun


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """A finished run, its notes, and the path of its report."""

    record: RunRecord
    notes: tuple[str, ...]
    page: Path | None
    complete: bool = True
    """Whether the whole run was judged."""
    interrupted: str = ""
    """What was left out of a run that was interrupted, and how to go on."""
    chain: EvidenceChain | None = None
    """From the model to the verdict, where a certificate was checked."""


class RunEnd(NamedTuple):
    """The figures of a run, what its suite guarantees now, and notes."""

    result: RunResult
    header: SuiteHeader
    notes: tuple[str, ...]


def live_run(model: Model, order: RunOrder, conduct: Conduct, earlier: EarlierRun | None) -> LiveRun:
    """A run that is about to begin, with its journal. ``earlier`` is the one that it is compared with."""
    from fullproof.judge import Summary

    request = order.request
    judged = with_domain(model, conduct.header, at=Place(file=str(request.suite_file or order.at.file)))
    oracle = any_oracle_for(judged, conduct.relation, properties=conduct.properties)
    recording = _recording(judged, order, conduct)
    return LiveRun(
        model=model,
        judged=judged,
        order=order,
        conduct=conduct,
        oracle=oracle,
        summary=Summary(oracle, repeat=request.repeat),
        listing=Listing(oracle, model),
        recording=recording,
        coverage=kind_of(judged).coverage(oracle, recording.header, order.at),
        earlier=earlier,
        early=EarlyEnd(request),
    )


@dataclass(slots=True, kw_only=True)
class LiveRun:
    """What a run has seen so far."""

    model: Model
    judged: Model
    """The model with the fault domain of the suite."""
    order: RunOrder
    conduct: Conduct
    oracle: AnyOracle
    summary: Summary
    listing: Listing
    recording: Recording
    coverage: Any
    """The ``RunCoverage`` that the kind has made."""
    earlier: EarlierRun | None
    early: EarlyEnd
    lateness: LatenessSeen = field(default_factory=LatenessSeen)
    interrupted: str = ""
    """What an interruption has left out, and how to go on."""
    explanation: Explained = field(default_factory=Explained)

    def attend(self, progress: Progress, answering: ExitStack) -> RunEnd:
        """Execute, judge and explain; an interruption ends it, where the request says so.

        ``answering`` is the time until the answer is there: further interruptions are forgotten.
        """
        begin, seconds, told = time.perf_counter(), 0.0, None
        try:
            try:
                self._execute(progress)
            except KeyboardInterrupt:
                self._answer(answering, self._so_far())
            is_whole = not self.interrupted
            known = told = self.recording.honest(self.conduct.told(), self.order.request.sut) if is_whole else None
            known = unfinished(self.conduct.header) if known is None else known
            seconds = time.perf_counter() - begin
            result = self._result(known[0], self.recording.seconds + seconds, is_whole=is_whole)
            failures = self._failures(result, known[0])
            try:
                self.explanation = self._explained(failures) if is_whole else groups_seen(failures)
            except KeyboardInterrupt:
                self._answer(answering, "all tests had been run; the failures are not explained")
                self.explanation = groups_seen(failures)
            return RunEnd(self.explanation.settled(result), *known)
        finally:
            seconds = seconds or time.perf_counter() - begin
            self.recording.close(seconds=seconds, told=told, groups=self.explanation.groups)

    def outcome(self, end: RunEnd, shown: Illustrations) -> RunOutcome:
        """The run as evidence, with its report where one is wanted."""
        request, explanation, recording = self.order.request, self.explanation, self.recording
        result, header, notes = end
        if self.early.is_gone:
            result = replace(result, stopped=self.early.note)
        elif self.early.note:
            notes = (*notes, self.early.note)
        context = context_of(recording.header, header, self.model, started=recording.started)
        context = repeatable(context, "run", self.order.at.file, request, recording.parts)
        again = repeated(request, [stated.name for stated in self.conduct.properties])
        scripts = [*scripts_for(context, header, again, explanation.groups)]
        record = record_of(context, result, self.listing, explanation, scripts)
        record = replace(record, lateness="; ".join(self.lateness.notes()))
        record = compared(record, self.earlier, journal_path(request))
        page = write_report(record, request.report, shown, self.listing, fields=run_fields(record))
        write_sequences(request.report, header, explanation.groups)
        notes = (*notes, *self.coverage.notes(result.verdict), *self.lateness.notes())
        return RunOutcome(record=record, notes=notes, page=page, interrupted=self.interrupted)

    def _execute(self, progress: Progress) -> None:
        with returning(), self.conduct.executions(self._state()) as executions:
            for execution in self.recording.kept(executions):
                ends = self._take(execution)
                progress(self.listing.count, self.conduct.count, steps=self.summary.steps)
                if ends:
                    break

    def _state(self) -> RunSoFar:
        recording = self.recording
        return RunSoFar(
            oracle=self.oracle,
            coverage=self.coverage,
            after=recording.after,
            past=recording.past,
            past_of=recording.past_of,
            more=self.summary.wants_more,
            traced=recording.journal is not None or self.listing.tracing.wanted or self.earlier is not None,
        )

    def _take(self, execution: Execution | Expected) -> bool:
        """Count an execution; whether the run ends after it."""
        if not isinstance(execution, Execution):
            self.summary.add_expected(execution.tests, execution.steps, execution.taken)
            self.listing.add_expected(execution.tests, execution.taken)
            return False
        judgement = self.oracle.judge(execution)
        with holding_on():  # all counts must agree, also where the run is interrupted
            self.summary.add(execution, judgement)
            self.listing.add(execution, judgement)
            self.coverage.saw(execution, judgement)
        self.lateness.saw(execution)
        if self.earlier is not None:
            self.earlier.saw(execution)
        return self.early.follows(execution, judgement)

    def _answer(self, answering: ExitStack, text: str) -> None:
        if not self.order.request.tells_interrupted:
            raise  # noqa: PLE0704  # called where an interruption is handled
        answering.enter_context(answering_one())
        self.interrupted = text

    def _so_far(self) -> str:
        """How many tests an interrupted run has had, and how to go on."""
        done, tests = self.listing.count, self.conduct.count
        of = "" if tests is None else f" of {tests:,}"
        has_journal = journal_path(self.order.request) is not None
        advice = "--resume goes on" if has_journal else "with --report or --journal, --resume could go on"
        return f"{done:,}{of} {plural_of(tests or done, 'test')} had been run; {advice}"

    def _result(self, header: SuiteHeader, seconds: float, *, is_whole: bool) -> RunResult:
        result = self.coverage.settled(self.summary.result(seconds=seconds))
        if not is_whole:
            return capped(result, complete=False)
        return self.conduct.settled(settled(result, header))

    def _failures(self, result: RunResult, header: SuiteHeader) -> Failures:
        return Failures(
            model=self.model,
            oracle=self.oracle,
            listing=self.listing,
            result=result,
            faults=faults_for(header),
            everything=self.recording.everything(),
        )

    def _explained(self, failures: Failures) -> Explained:
        request = self.order.request
        system = None if self.early.is_gone else self.conduct.at_hand(self.oracle)
        with returning():
            return explained(failures, system, seconds=request.shrink_failures, confirmations=request.confirmations)


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
    header = replace(known, seed=request.suite.seed, sut=public_spec(request.sut), meta=request.meta)
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
