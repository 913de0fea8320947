"""failures -> groups: those that look alike together, each with a shortest sequence found on the live system."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from fullproof.artefacts.diagnosis import Diagnosis
from fullproof.artefacts.execution import Execution, Sent
from fullproof.artefacts.request import Relation
from fullproof.artefacts.run import FailureGroup, RunResult, TestRow
from fullproof.artefacts.steadiness import DEPENDS, ContradictingAnswers
from fullproof.artefacts.suite import TestInput, json_input, json_value, make_test
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.core.deadline import Deadline
from fullproof.core.errors import UserError
from fullproof.execute.sut import SutError, is_no_answer
from fullproof.explain.shortest import shortest_failure
from fullproof.explain.titles import title_of
from fullproof.explain.trials import Attempt, Ground, SystemAtHand, Trials
from fullproof.judge.contradictions import contradiction_among
from fullproof.judge.oracle import Oracle
from fullproof.kinds import kind_of
from fullproof.kinds.suspects import FaultsToTry
from fullproof.pipeline.causes import STEPS as CAUSE_STEPS
from fullproof.pipeline.causes import SystemEvidence, diagnosis_of
from fullproof.pipeline.confirmation import Confirming
from fullproof.pipeline.diagnosis import SeenExecutions
from fullproof.pipeline.rows import Listing

if TYPE_CHECKING:
    from fullproof.artefacts.suite import SuiteHeader
    from fullproof.kinds import AnyOracle
    from fullproof.model import Model

CONFIRMING = 30.0
"""Seconds for confirmations: systems have to be started anew, and a failure that never comes back takes all of them."""
SEARCHED = 3
"""Groups for which a shortest sequence is looked for."""
_WAITED = 10
"""Trials for which a system that does not answer is waited for: where there is no time for them, none is run."""
_SLOW = 3
"""A failure that takes more than this part of the seconds to be seen again is left as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failures:
    """What a run has seen of its failures."""

    model: Model
    oracle: AnyOracle
    listing: Listing
    result: RunResult
    faults: FaultsToTry
    everything: Callable[[], Iterable[Execution]] | None = None
    """All executions, where they can be read; else those that the listing has kept."""

    def seen(self) -> SeenExecutions:
        """The executions that a cause has to explain."""
        kept = [*{id(trace): trace for trace in (*self.listing.kept, *self.listing.failing)}.values()]
        if self.everything is None or self.result.resets == len(kept):
            return SeenExecutions(len(kept), kept)
        return SeenExecutions(self.result.resets, kept, self.everything)


@dataclass(frozen=True, slots=True)
class Explained:
    """The failures of a run in groups, and what explains all of them, if anything does."""

    groups: tuple[FailureGroup, ...] = ()
    diagnosis: Diagnosis | None = None
    contradiction: ContradictingAnswers | None = None
    """Two executions, in the run or after it, that answer equal inputs in two ways."""

    def settled(self, result: RunResult) -> RunResult:
        """The result with what was seen after the run.

        A system of which a failure depends on earlier tests, and no other failure comes and goes, is not reset: it is
        not known to be nondeterministic.
        """
        seen = {group.confirmation.standing for group in self.groups if group.confirmation is not None}
        if self.contradiction is not None and result.verdict is Verdict.FAIL:
            return replace(result, verdict=Verdict.NONDETERMINISTIC, contradiction=self.contradiction)
        if result.verdict is Verdict.NONDETERMINISTIC and seen and seen <= {"always", DEPENDS} and DEPENDS in seen:
            return replace(result, verdict=Verdict.FAIL)
        return result


def groups_seen(failures: Failures) -> Explained:
    """The failures of a run that look alike together, and nothing that would take time."""
    return Explained(tuple(_alike(failures)))


def explained(
    failures: Failures, opened: SystemAtHand | None, *, seconds: float = 0, confirmations: int = 0
) -> Explained:
    """The failures of a run. ``opened`` is None where the system is not at hand.

    ``seconds`` are for shorter sequences; ``confirmations``: how often a failing test is run again.
    """
    groups = list(_alike(failures))
    if not groups:
        return Explained()
    contradiction = failures.result.contradiction
    if opened is not None and confirmations:
        limit = Deadline(max(seconds, CONFIRMING))
        confirming = Confirming(failures.oracle, failures.listing, opened, times=confirmations, deadline=limit)
        groups = [*confirming.confirmed(groups)]
        contradiction = contradiction or confirming.contradiction
    if any(group.confirmation is not None and group.confirmation.order is not None for group in groups):
        return Explained(tuple(groups))  # what single tests show is not about the beginning of the system
    evidence = SystemEvidence(failures.model, failures.faults, failures.listing.failing, failures.seen())
    if opened is None or not seconds:
        diagnosis = diagnosis_of(evidence, None) if contradiction is None else None
        return replace(_together(groups, diagnosis), contradiction=contradiction)
    search = _Search(failures, opened, evidence, Deadline(seconds), contradiction)
    try:
        with opened.trying() as attempt:
            return search.explained(groups, attempt)
    except (UserError, SutError):  # the system is gone: its failures are shown as they were seen
        return search.without_system(groups)


@dataclass(slots=True)
class _Search:
    """Asks the system for shortest sequences, then for the cause."""

    failures: Failures
    opened: SystemAtHand
    evidence: SystemEvidence
    deadline: Deadline
    contradiction: ContradictingAnswers | None
    shown: dict[str, Execution] = field(default_factory=dict)
    """By the test that proves a group, the execution of its shortest sequence."""

    def explained(self, groups: list[FailureGroup], attempt: Attempt[Any]) -> Explained:
        """The groups with shortest sequences and their cause. A system that answers in two ways has none."""
        is_steady, concerned = True, [self._concerned(group) for group in groups[:SEARCHED]]
        for place, group in enumerate(groups[:SEARCHED]):
            others = {found for found in concerned if found and found != concerned[place]}
            with contextlib.suppress(UserError, SutError):
                groups[place] = self._searched(group, attempt, others)
            is_steady = is_steady and groups[place].failed == groups[place].of
        ground, limit = self.opened.ground(self.failures.result.failures[0]), Deadline(self.deadline.seconds)
        behind = self.opened.behind
        further = Trials(attempt, ground, steps=CAUSE_STEPS, deadline=limit, behind=behind) if is_steady else None
        diagnosis = None if self._compare() else diagnosis_of(self.evidence, further)
        if diagnosis is not None and not diagnosis.explanations and self._compare():
            diagnosis = None
        if self.contradiction is not None:
            groups = [*map(_unsteady, groups)]
        elif diagnosis is None or not diagnosis.explanations:
            groups = [self._own(group, attempt) for group in groups]
        by_fault = _together(_merged(groups), diagnosis, self._faults_of(groups))
        return replace(by_fault, contradiction=self.contradiction)

    def _waits_long(self) -> bool:
        """Whether there is hardly a trial for which a system that does not answer can be waited for."""
        patience, seconds = self.opened.patience, self.deadline.seconds
        return patience is None or (seconds is not None and _WAITED * patience > seconds)

    def _own(self, group: FailureGroup, attempt: Attempt[Any]) -> FailureGroup:
        """A group of which the shortest sequence shows something else, which no cause connects with it, on its own."""
        seen, concerned = self.shown.get(group.proves), self._concerned(group)
        if seen is None or not concerned or self.failures.oracle.account(seen).concerned == concerned:
            return group
        alone = next(found for found in _alike(self.failures) if found.proves == group.proves)
        with contextlib.suppress(UserError, SutError):
            return self._searched(replace(alone, confirmation=group.confirmation), attempt, own=concerned)
        return alone

    def _proof(self, group: FailureGroup) -> Execution | None:
        traces = (*self.failures.listing.failing, *self.failures.listing.broken)
        return next((trace for trace in traces if trace.test.id == group.proves), None)

    def _concerned(self, group: FailureGroup) -> tuple[int, ...]:
        """The transitions that the failing step of a group should have taken."""
        proof = self._proof(group)
        return () if proof is None else self.failures.oracle.account(proof).concerned

    def _faults_of(self, groups: Sequence[FailureGroup]) -> dict[str, int]:
        """Of a cause of several faults, the first that explains a group alone, by the test that proves it."""
        found: dict[str, int] = {}
        for group in groups:
            execution = self.shown.get(group.proves) or self._proof(group)
            fits = (k for k, alone in enumerate(self.evidence.alone) if execution is not None and alone((execution,)))
            found[group.proves] = next(fits, -1)
        return found

    def without_system(self, groups: Sequence[FailureGroup]) -> Explained:
        """The same where the system is gone."""
        diagnosis = None if self._compare() else diagnosis_of(self.evidence, None)
        return replace(_together(_merged(groups), diagnosis), contradiction=self.contradiction)

    def _compare(self) -> bool:
        """Whether equal inputs were answered in two ways, in the run or after it."""
        oracle = self.failures.oracle
        if self.contradiction is None and isinstance(oracle, Oracle):
            after = (trace._replace(test=make_test(trace.test.inputs), number=0) for trace in self.evidence.trials)
            self.contradiction = contradiction_among(oracle, (*self.failures.listing.kept, *after))
        return self.contradiction is not None

    def _searched(
        self,
        group: FailureGroup,
        attempt: Attempt[Any],
        others: Collection[tuple[int, ...]] = (),
        own: tuple[int, ...] = (),
    ) -> FailureGroup:
        """The group with a shortest sequence, found on the system, that is not a failure of another group.

        ``others`` are the transitions that those concern: without them, each sequence would become that of the fault
        that is the quickest to be seen. Where ``own`` is given, it must concern these transitions.
        """
        listing, oracle, opened = self.failures.listing, self.failures.oracle, self.opened
        proof = self._proof(group)
        if proof is None or self.deadline.passed():
            return group
        judgement = oracle.judge(proof)
        if judgement.verdict is Verdict.ERROR and is_no_answer(judgement.reason) and self._waits_long():
            return group
        ground = _Own(opened.ground(judgement), oracle, others, own)
        length = ground.shows(proof)
        if length is None or _is_slow(attempt, opened.word(proof), self.deadline):
            return group
        trials = Trials(attempt, ground, steps=opened.steps, deadline=self.deadline)
        word, alphabet = opened.word(proof)[:length], opened.alphabet(listing.kept)
        found = shortest_failure(word, trials, alphabet, answers_alike=self.contradiction is None)
        self.evidence.trials.extend(trials.seen)
        if not found.of:  # the time was over
            return group
        group = replace(group, was_searched=True, failed=found.failed, of=found.of, is_minimal=found.is_minimal)
        if found.failed < found.of:
            group = _unsteady(group)
        if found.execution is None:
            return group
        self.shown[group.proves] = found.execution
        account, steps = oracle.account(found.execution), oracle.story(found.execution)
        path, judged = (*account.path, *account.concerned), oracle.judge(found.execution)
        return replace(
            group,
            title=title_of(steps, judged.reason, [violation.property for violation in judged.violates or ()]),
            shortest=opened.shown(found.word),
            steps=steps,
            reason=judged.reason,
            requirements=tuple(dict.fromkeys((*listing.tracing.requirements(path), *group.requirements))),
            path=path,
            word=opened.test(found.word),
        )


@dataclass(frozen=True, slots=True)
class _Own:
    """The ground of one group: what shows a failure of another one does not show its failure."""

    ground: Ground[Any]
    oracle: AnyOracle
    others: Collection[tuple[int, ...]]
    own: tuple[int, ...]

    def shows(self, execution: Execution, /) -> int | None:
        """How many inputs are enough to show the failure."""
        length = self.ground.shows(execution)
        if length is None or not (self.others or self.own):
            return length
        concerned = self.oracle.account(execution).concerned
        return None if concerned in self.others or concerned != (self.own or concerned) else length

    def node(self, execution: Execution, /) -> int | None:
        """Where the model is after an execution."""
        return self.ground.node(execution)

    def wants(self, node: int, symbol: Any, /) -> bool:
        """Whether the model allows an input here."""
        return self.ground.wants(node, symbol)

    def simpler(self, symbol: Any, /) -> Iterable[Any]:
        """What is simpler than an input."""
        return self.ground.simpler(symbol)


def _unsteady(group: FailureGroup) -> FailureGroup:
    """The group as it is shown of a system that answers equal inputs in two ways."""
    known = group.confirmation
    return replace(group, is_minimal=False, confirmation=None if known is None else replace(known, answers_alike=False))


def _together(
    groups: Sequence[FailureGroup], diagnosis: Diagnosis | None, faults: Mapping[str, int] | None = None
) -> Explained:
    """The groups with their cause: one for each of its faults, of which ``faults`` names one by the test of a group."""
    if diagnosis is None or not diagnosis.explanations or len(groups) == 1:
        return Explained(tuple(replace(group, cause=diagnosis) for group in groups), diagnosis)
    # A machine answers wrongly, and never breaks: an error of the system has no cause among its faults.
    broken = [group for group in groups if group.verdict is Verdict.ERROR]
    parts: dict[int, list[FailureGroup]] = {}
    for group in groups:
        if group not in broken:
            parts.setdefault((faults or {}).get(group.proves, -1), []).append(group)
    made = [_one(number, part, diagnosis) for number, part in enumerate(parts.values(), 1)]
    alone = [replace(group, number=number) for number, group in enumerate(broken, len(made) + 1)]
    return Explained((*made, *alone), diagnosis)


def _one(number: int, groups: Sequence[FailureGroup], cause: Diagnosis) -> FailureGroup:
    """One group instead of several, with the shortest sequence."""
    first = min(groups, key=lambda group: (not group.was_searched, len(group.shortest)))
    tests = tuple(dict.fromkeys(test for group in groups for test in group.tests))
    names = tuple(dict.fromkeys(name for group in groups for name in group.requirements))
    return replace(first, number=number, tests=tests, requirements=names, cause=cause)


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
    for number, (look, tests) in enumerate(together.items(), 1):
        known = [traces[test] for test in tests if test in traces]
        told = min(known, key=lambda trace: len(oracle.story(trace)), default=None)
        absent = None if known else next((trace for trace in listing.kept if trace.test.id == tests[0]), None)
        first = rows.get(tests[0] if told is None else told.test.id)
        steps = () if told is None else oracle.story(told)
        length = len(steps) - sum(bool(row.offer) for row in steps)
        yield FailureGroup(
            number=number,
            title=title_of(steps, "", ()) if first is None else title_of(steps, first.reason, first.violates),
            proves=tests[0] if told is None else told.test.id,
            shortest=() if told is None else _inputs(told, length),
            steps=steps,
            reason="" if first is None else first.reason,
            tests=tuple(tests),
            verdict=Verdict.ERROR if look[0] is Verdict.ERROR else Verdict.FAIL,
            requirements=() if first is None else first.requirements,
            path=() if first is None else first.path,
            is_absence=absent is not None,
            word=_word(failures, told or absent, length if steps else _step_of(failures, tests[0])),
        )


def _word(failures: Failures, trace: Execution | None, length: int) -> tuple[TestInput, ...] | None:
    return None if trace is None else kind_of(failures.model).replay(trace, length)


def _step_of(failures: Failures, test: str) -> int:
    """The step that decided a test."""
    return next((j.step or 0 for j in failures.result.failures if j.test == test), 0)


def _look(judgement: Judgement, row: TestRow | None) -> tuple[object, ...]:
    """What failures that belong together have in common."""
    if row is None or not row.steps:
        return judgement.verdict, judgement.reason
    if row.violates:
        return judgement.verdict, row.violates
    return judgement.verdict, row.concerned, row.steps[-1].input, row.steps[-1].observed


def _inputs(trace: Execution, length: int) -> tuple[object, ...]:
    if trace.events:
        sent = (event for event in trace.events[:length] if isinstance(event, Sent))
        return tuple([event.gate, [json_value(value) for value in event.values]] for event in sent)
    return tuple(map(json_input, trace.test.inputs[:length]))


def _is_slow(attempt: Attempt[Any], word: Sequence[Any], deadline: Deadline) -> bool:
    begin = time.monotonic()
    attempt(word)
    return deadline.seconds is not None and time.monotonic() - begin > deadline.seconds / _SLOW


def faults_for(header: SuiteHeader) -> FaultsToTry:
    """The faults that the suite of a run is for."""
    return FaultsToTry(relation=Relation(header.relation), extra_states=header.extra_states, domain=header.domain)
