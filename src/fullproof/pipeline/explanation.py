"""failures -> groups: those that look alike together, each with a shortest sequence found on the live system."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fullproof.artefacts.diagnosis import Diagnosis
from fullproof.artefacts.execution import Execution
from fullproof.artefacts.guarantee import no_guarantee
from fullproof.artefacts.request import Relation
from fullproof.artefacts.run import FailureGroup, RunResult, TestRow
from fullproof.artefacts.suite import SuiteHeader, make_test
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.core.deadline import Deadline
from fullproof.core.errors import UserError
from fullproof.execute.sut import SutError
from fullproof.explain.shortest import shortest_failure
from fullproof.explain.titles import title_of
from fullproof.explain.trials import Attempt, SystemAtHand, Trials
from fullproof.kinds.suspects import FaultsToTry
from fullproof.pipeline.causes import STEPS as CAUSE_STEPS
from fullproof.pipeline.causes import SystemEvidence, diagnosis_of
from fullproof.pipeline.rows import Listing

if TYPE_CHECKING:
    from fullproof.judge import Oracle
    from fullproof.judge.sts import StsOracle
    from fullproof.model import Model

SEARCHED = 3
"""Groups for which a shortest sequence is looked for."""
_SLOW = 3
"""A failure that takes more than this part of the seconds to be seen again is left as it is."""
_HANGS = "no answer within"
"""How the errors of systems that hang begin: each trial would take as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failures:
    """What a run has seen of its failures."""

    model: Model
    oracle: Oracle | StsOracle
    listing: Listing
    result: RunResult
    faults: FaultsToTry
    everything: Callable[[], Iterable[Execution]] | None = None
    """All executions, where they can be read; else those that the listing has kept."""

    def seen(self) -> Iterable[Execution]:
        """The executions that a cause has to explain."""
        return [*self.listing.kept, *self.listing.failing] if self.everything is None else self.everything()


@dataclass(frozen=True, slots=True)
class Explained:
    """The failures of a run in groups, and what explains all of them, if anything does."""

    groups: tuple[FailureGroup, ...] = ()
    diagnosis: Diagnosis | None = None


def explained(failures: Failures, opened: SystemAtHand | None, *, seconds: float = 0) -> Explained:
    """The failures of a run. ``opened`` is None where the system is not at hand."""
    groups, seen = list(_alike(failures)), [*failures.seen()]
    evidence = SystemEvidence(failures.model, failures.faults, failures.listing.failing, seen)
    if not groups or opened is None or not seconds:
        return _together(groups, diagnosis_of(evidence, None) if groups else None)
    deadline, ran = Deadline(seconds), len(seen)
    try:
        with opened.trying() as attempt:
            is_steady = True
            for place, group in enumerate(groups[:SEARCHED]):
                with contextlib.suppress(UserError, SutError):
                    groups[place], trials = _searched(failures, group, opened, attempt, deadline)
                    seen += trials
                is_steady = is_steady and groups[place].failed == groups[place].of
            evidence = replace(evidence, trials=len(seen) - ran)
            ground = opened.ground(failures.result.failures[0])
            further = Trials(attempt, ground, steps=CAUSE_STEPS, deadline=deadline) if is_steady else None
            return _together(_merged(groups), diagnosis_of(evidence, further))
    except (UserError, SutError):  # the system is gone: its failures are shown as they were seen
        return _together(_merged(groups), diagnosis_of(evidence, None))


def _together(groups: Sequence[FailureGroup], diagnosis: Diagnosis | None) -> Explained:
    """The groups with their cause: one group where it explains all of them."""
    if diagnosis is None or not diagnosis.explanations or len(groups) == 1:
        return Explained(tuple(replace(group, cause=diagnosis) for group in groups), diagnosis)
    first = min(groups, key=lambda group: (not group.was_searched, len(group.shortest)))
    tests = tuple(dict.fromkeys(test for group in groups for test in group.tests))
    names = tuple(dict.fromkeys(name for group in groups for name in group.requirements))
    return Explained((replace(first, number=1, tests=tests, requirements=names, cause=diagnosis),), diagnosis)


def _merged(groups: Sequence[FailureGroup]) -> tuple[FailureGroup, ...]:
    """Groups whose shortest sequences are the same are one."""
    found: dict[str, FailureGroup] = {}
    for group in groups:
        key = repr((group.shortest, group.title)) if group.was_searched else f"group {group.number}"
        known = found.get(key)
        if known is None:
            found[key] = replace(group, number=len(found) + 1)
        else:
            requirements = tuple(dict.fromkeys((*known.requirements, *group.requirements)))
            found[key] = replace(known, tests=(*known.tests, *group.tests), requirements=requirements)
    return tuple(found.values())


def _alike(failures: Failures) -> Iterator[FailureGroup]:
    """Failures at the same transition with the same observation, in the order of the run, each with its shortest."""
    listing, oracle = failures.listing, failures.oracle
    rows = {row.id: row for row in listing.rows(failures.result.failures)}
    together: dict[tuple[object, ...], list[str]] = {}
    for judgement in failures.result.failures:
        if judgement.verdict in (Verdict.FAIL, Verdict.ERROR):
            together.setdefault(_look(judgement, rows.get(judgement.test)), []).append(judgement.test)
    traces = {trace.test.id: trace for trace in reversed((*listing.failing, *listing.broken))}
    for number, tests in enumerate(together.values(), 1):
        known = [traces[test] for test in tests if test in traces]
        told = min(known, key=lambda trace: len(oracle.story(trace)), default=None)
        first = rows.get(tests[0] if told is None else told.test.id)
        steps = () if told is None else oracle.story(told)
        yield FailureGroup(
            number=number,
            title=title_of(steps, "" if first is None else first.reason),
            proves=tests[0] if told is None else told.test.id,
            shortest=() if told is None else _inputs(told, len(steps)),
            steps=steps,
            reason="" if first is None else first.reason,
            tests=tuple(tests),
            requirements=() if first is None else first.requirements,
            path=() if first is None else first.path,
        )


def _look(judgement: Judgement, row: TestRow | None) -> tuple[object, ...]:
    """What failures that belong together have in common."""
    if row is None or not row.steps:
        return judgement.verdict, judgement.reason
    if row.violates:
        return judgement.verdict, row.violates
    return judgement.verdict, row.concerned, row.steps[-1].input, row.steps[-1].observed


def _inputs(trace: Execution, length: int) -> tuple[object, ...]:
    from fullproof.artefacts.execution import Sent
    from fullproof.artefacts.suite import json_input, json_value

    if trace.events:
        sent = (event for event in trace.events[:length] if isinstance(event, Sent))
        return tuple([event.gate, [json_value(value) for value in event.values]] for event in sent)
    return tuple(map(json_input, trace.test.inputs[:length]))


def _searched(
    failures: Failures, group: FailureGroup, opened: SystemAtHand, attempt: Attempt[Any], deadline: Deadline
) -> tuple[FailureGroup, list[Execution]]:
    """The group with a shortest sequence, found on the system, and what was run for that."""
    listing, oracle = failures.listing, failures.oracle
    traces = (*listing.failing, *listing.broken)
    proof = next((trace for trace in traces if trace.test.id == group.proves), None)
    if proof is None or deadline.passed():
        return group, []
    judgement = oracle.judge(proof)
    if judgement.verdict is Verdict.ERROR and judgement.reason.startswith(_HANGS):
        return group, []
    ground = opened.ground(judgement)
    length = ground.shows(proof)
    if length is None or _is_slow(attempt, opened.word(proof), deadline):
        return group, []
    trials = Trials(attempt, ground, steps=opened.steps, deadline=deadline)
    found = shortest_failure(opened.word(proof)[:length], trials, opened.alphabet(listing.kept))
    group = replace(group, was_searched=True, failed=found.failed, of=found.of, is_minimal=found.is_minimal)
    if found.execution is None:
        return group, trials.seen
    account, steps = oracle.account(found.execution), oracle.story(found.execution)
    path, reason = (*account.path, *account.concerned), oracle.judge(found.execution).reason
    shown = replace(
        group,
        title=title_of(steps, reason),
        shortest=opened.shown(found.word),
        steps=steps,
        reason=reason,
        requirements=tuple(dict.fromkeys((*listing.tracing.requirements(path), *group.requirements))),
        path=path,
        word=tuple(found.word) if not found.execution.events else (),
    )
    return shown, trials.seen


def _is_slow(attempt: Attempt[Any], word: Sequence[Any], deadline: Deadline) -> bool:
    begin = time.monotonic()
    attempt(word)
    return deadline.seconds is not None and time.monotonic() - begin > deadline.seconds / _SLOW


def write_sequences(folder: Path | None, header: SuiteHeader, groups: Sequence[FailureGroup]) -> None:
    """Write each sequence that was found as a suite of one test beside the report."""
    from fullproof.formats.suite import write_suite

    for group in groups:
        if folder is not None and group.word:
            made = replace(
                header,
                method="shortest",
                guarantee=no_guarantee("one test that fails"),
                tests=1,
                inputs=len(group.word),
                digest=None,
            )
            write_suite(folder / group.file, made, [make_test(group.word)])


def faults_for(relation: str, extra_states: int) -> FaultsToTry:
    """The faults that the suite of a run is for."""
    return FaultsToTry(relation=Relation(relation), extra_states=extra_states)
