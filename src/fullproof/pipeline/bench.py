"""A model, its suite and a system side by side, for test frameworks that run tests one by one."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.guarantee import no_guarantee
from fullproof.artefacts.request import Clock, Relation, RunRequest
from fullproof.artefacts.run import FailureGroup, RunRecord, StepRow
from fullproof.artefacts.suite import Test
from fullproof.artefacts.system_spec import is_nameable
from fullproof.artefacts.verdict import BAD, Judgement, Verdict
from fullproof.kinds.systems import System, open_sut
from fullproof.pipeline.claimed import settled, with_domain
from fullproof.pipeline.explanation import SEARCHED, Explained, Failures, explained, faults_for
from fullproof.pipeline.live_executions import How
from fullproof.pipeline.live_trials import system_at_hand
from fullproof.pipeline.observed_models import ModelSource, place_of, read_observed, sha256_of, suite_observes
from fullproof.pipeline.reproduction import FailureScript, repeated, scripts_for, write_sequences
from fullproof.pipeline.rows import Listing
from fullproof.pipeline.suite_conduct import run_options
from fullproof.pipeline.suites import generate_suite

if TYPE_CHECKING:
    from fullproof.artefacts.run import RunResult
    from fullproof.execute.sut import Sut
    from fullproof.model import Model


@dataclass(frozen=True, slots=True)
class Tried:
    """The outcome of one test: its verdict, its executions, and what explains a failure."""

    verdict: Verdict
    judgement: Judgement | None
    story: tuple[StepRow, ...]
    """The steps of an execution that was wrong."""
    executions: tuple[Execution, ...] = ()
    explained: Explained = field(default_factory=Explained)
    """The shortest sequence and the diagnosis, of this failure or of an earlier one that looks alike."""


class Bench:
    """Runs single tests of a suite. The system is opened when the first test needs it, and closed by ``close``."""

    def __init__(self, source: ModelSource, system: System, request: RunRequest) -> None:
        from fullproof.kinds import kind_of, oracle_for
        from fullproof.kinds.idle import refuse_idle_in_run
        from fullproof.kinds.suite_file import SuiteFile

        file, at = request.suite_file, place_of(source)
        claimed = None if file is None else suite_observes(file)
        self.source, self.request = source, request
        self.model: Model = read_observed(source, request.suite.observe or claimed)
        refuse_idle_in_run(kind_of(self.model), request, at=at)
        self._sha256, self._suite_sha256 = sha256_of(source), ""
        self._made = system
        self._system: Sut | None = None
        if file is None:
            made = generate_suite(self.model, request.suite, sha256=self._sha256, at=at)
            self._header, self._tests = made.header, tuple(made.tests())
            self._suite_sha256 = made.sha256(made.size())
        else:
            given = SuiteFile(file, self.model, kind_of(self.model), sha256=self._sha256)
            self._suite_sha256 = given.check.sha256
            self._tests = tuple(given.tests())
            self._header = given.honest_header(given.judged_for(request.suite), request.suite.properties)
        relation = Relation(self._header.relation)
        stated = kind_of(self.model).monitored(self.model, relation, request.suite.properties, at)
        self._properties = [one.name for one in stated]
        self._oracle = oracle_for(with_domain(self.model, self._header), relation, properties=stated)
        self._options = run_options(self.model, self._oracle, request)
        self._listing = Listing(self._oracle, self.model)
        self._seconds = request.shrink_failures
        self._known: dict[object, Explained] = {}

    @property
    def guarantee(self) -> str:
        """What passing all tests proves."""
        return self._header.guarantee.sentence

    def tests(self) -> tuple[Test, ...]:
        """All tests of the suite."""
        return self._tests

    def run(self, test: Test, system: System | None = None, *, once: bool = False) -> Tried:
        """Run one test, as often as its repetitions, judge it by itself, and explain why it fails.

        ``system`` is one for this test alone; ``once``: it cannot be brought back into its initial state.
        """
        from fullproof.execute.runner import execute
        from fullproof.judge import Summary

        summary, executions = Summary(self._oracle, repeat=self.request.repeat), list[Execution]()
        more = summary.wants_more if self.request.until_seen else None
        opened = self._open(system)
        try:
            for trace in execute(opened, [test], options=dataclasses.replace(self._options, more=more)):
                judgement = self._oracle.judge(trace)
                summary.add(trace, judgement)
                self._listing.add(trace, judgement)
                executions.append(trace)
        finally:
            if system is not None:
                opened.close()
        result = summary.result(seconds=0.0)
        bad = [trace for trace in executions if self._oracle.judge(trace).verdict is not Verdict.PASS]
        story = self._oracle.story(bad[0]) if bad else ()
        why = Explained() if once or not bad else self._explained(result, bad[0], story, system or self._made)
        return Tried(result.verdict, next(iter(result.failures), None), story, tuple(executions), why)

    def _record(self, executions: Sequence[Execution], why: Explained, command: str) -> tuple[RunRecord, Listing]:
        """The executions of all tests that were run as a run, for its report."""
        from fullproof.execute.adapters.secrets import public_spec
        from fullproof.execute.fingerprint import fingerprint
        from fullproof.judge import Summary
        from fullproof.pipeline.evidence import context_of, record_of
        from fullproof.pipeline.journal import journal_header

        summary, listing = Summary(self._oracle, repeat=self.request.repeat), Listing(self._oracle, self.model)
        for trace in executions:
            judgement = self._oracle.judge(trace)
            summary.add(trace, judgement)
            listing.add(trace, judgement)
        header, ran = self._header, len({trace.test.id for trace in executions})
        if ran < len(self._tests):
            few = no_guarantee(f"{ran:,} of {len(self._tests):,} tests were run")
            header = dataclasses.replace(header, guarantee=few)
        path = place_of(self.source).file or ""
        begun = journal_header(self.model, path, header, sha256=self._sha256, suite_sha256=self._suite_sha256)
        begun = dataclasses.replace(begun, sut=public_spec(self.request.sut), seed=self.request.suite.seed)
        context = context_of(begun, header, self.model, started=begun.started)
        hashes = {**context.hashes, "system": fingerprint(self.request.sut) or None}
        public = public_spec(f"exec:{command}").removeprefix("exec:")
        context = dataclasses.replace(context, command=public, hashes=hashes)
        result = settled(summary.result(seconds=0.0), header)
        scripts: list[FailureScript] = []
        if path and is_nameable(self.request.sut):  # for others, pytest itself repeats a test by its name
            again = repeated(self.request, self._properties)
            scripts = [*scripts_for(context, self._header, again, why.groups)]
        return record_of(context, result, listing, why, scripts), listing

    def write_report(
        self, folder: Path, executions: Sequence[Execution], why: Explained, *, command: str
    ) -> Path | None:
        """Write the report folder of a run of all tests, which ``command`` has run."""
        from fullproof.pipeline.evidence import prepare_report, write_report
        from fullproof.pipeline.runs import run_fields

        shown = prepare_report(self.model, folder)
        record, listing = self._record(executions, why, command)
        page = write_report(record, folder, shown.of_classes(self.model), listing, fields=run_fields(record))
        write_sequences(folder, self._header, why.groups)
        return page

    def close(self) -> None:
        """Close the system."""
        if self._system is not None:
            self._system.close()
            self._system = None

    def _open(self, system: System | None) -> Sut:
        if system is not None:
            return self._opened(system)
        if self._system is None:
            self._system = self._opened(self._made)
        return self._system

    def _opened(self, system: System) -> Sut:
        seed, limit = self.request.suite.seed, self.request.step_timeout
        waits = self.request.clock is Clock.REAL
        opened: Sut = open_sut(system, self.model, seed=seed, step_timeout=limit, waits=waits)
        return opened

    def _explained(self, result: RunResult, trace: Execution, story: tuple[StepRow, ...], system: System) -> Explained:
        """The shortest sequence and a cause. Failures that look alike are explained once, and some others not at all:
        a fault often fails hundreds of tests.
        """
        if result.verdict not in BAD:
            return Explained()
        last = story[-1] if story else None
        key = (result.verdict, self._oracle.account(trace).concerned, last and (last.input, last.observed))
        if key in self._known or len(self._known) >= SEARCHED:
            return self._known.get(key, Explained())
        self.close()  # two instances may be in each other's way
        failures = Failures(
            model=self.model,
            oracle=self._oracle,
            listing=self._listing,
            result=result,
            faults=faults_for(self._header),
        )
        how = How(
            open=partial(self._opened, system),
            sut=self.request.sut,
            options=self._options,
            watch=lambda: self._oracle.observer,
            jobs=1,
            isolated=False,
            pool=None,
        )
        begin = time.monotonic()
        opened, often = system_at_hand(self.model, self._oracle, how), self.request.confirmations
        found = explained(failures, opened, seconds=self._seconds, confirmations=often if self._seconds else 0)
        self._seconds = max(0.0, self._seconds - (time.monotonic() - begin))
        self._known[key] = found
        return found


def together(several: Sequence[Explained], tests: Sequence[str]) -> Explained:
    """What explains the failures of several tests, each by its own explanation: one group for those with the same."""
    groups: dict[str, FailureGroup] = {}
    for why, test in zip(several, tests, strict=True):
        for group in why.groups:
            known = groups.setdefault(group.title, dataclasses.replace(group, number=len(groups) + 1, tests=()))
            groups[group.title] = dataclasses.replace(known, tests=(*known.tests, test))
    last = next((why.diagnosis for why in reversed(several) if why.diagnosis is not None), None)
    return Explained(tuple(groups.values()), last)
