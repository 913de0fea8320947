"""purposes -> verdict: drive a system along each purpose, judge what was seen, try again what was inconclusive."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.analysis.requirements import requirements_along
from fullproof.artefacts.execution import Execution
from fullproof.artefacts.progress import Progress
from fullproof.artefacts.purposes import Purpose, PurposeSet, SwitchLetter, Walk, letter_name, switch_names
from fullproof.artefacts.request import Criterion, PurposeOrder, Relation, RunRequest
from fullproof.artefacts.suite import SuiteHeader, make_test
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import Place, UserError
from fullproof.kinds.sts.letters import LetterReader
from fullproof.kinds.sts.purposes import RANDOM_WALK, find_purposes, guarantee, notes
from fullproof.kinds.systems import open_sut
from fullproof.model import Sts
from fullproof.pipeline.reactive_cluster import ClusterCrew, Common, on_cluster
from fullproof.pipeline.reactive_instances import Instance, Item, ReactiveCrew, at_work
from fullproof.pipeline.reactive_replanning import Replanner
from fullproof.pipeline.reactive_walks import budget_of, is_walk, walks
from fullproof.pipeline.recording import Recording, journal_header, start_recording
from fullproof.pipeline.reporting import context_of, prepare_report, record_of, write_report
from fullproof.pipeline.runs import RunOutcome, journal_path, returning, run_fields
from fullproof.pipeline.suite_file import SuiteFile
from fullproof.pipeline.suites import header_for
from fullproof.pipeline.tally import BAD, Tally

if TYPE_CHECKING:
    from fullproof.analysis.sts_semantics import StsSemantics
    from fullproof.cluster.pool import ClusterPool
    from fullproof.concretise.value_choice import ValueChooser
    from fullproof.execute.reactive import ReactiveSut
    from fullproof.formats.journal import OldJournal

_PATIENCE = 5
"""A system that breaks down in so many tests in a row will do so in the next one, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactivePlan:
    """What to run, and what it is for."""

    purposes: Sequence[Purpose]
    wanted: frozenset[str]
    header: SuiteHeader
    notes: tuple[str, ...]
    found: PurposeSet | None = None
    sha256: str = ""
    """Of the suite file, where there is one."""
    walk: Walk | None = None
    """What comes after the purposes."""

    @property
    def criterion(self) -> Criterion:
        """What the goals are; those of a suite from a file are its switches."""
        return Criterion.SWITCH if self.found is None else self.found.criterion


def run_purposes(
    path: Path, model: Sts, request: RunRequest, *, sha256: str, progress: Progress, pool: ClusterPool | None = None
) -> RunOutcome:
    """Execute purposes, given or generated, or a random walk, and judge them.

    On a cluster there are as many instances as ``--jobs`` says, else as it has threads.
    """
    from fullproof.analysis.sts_semantics import StsSemantics

    at = Place(file=str(path))
    _refuse(request, at)
    if pool is not None and request.jobs == 1:
        request = replace(request, jobs=pool.threads)
    shown = prepare_report(model, request.report)
    plan = plan_for(model, request, sha256=sha256, at=at)
    recording = _recording(path, model, request, plan, sha256)
    begin, told = time.perf_counter(), None
    try:
        with returning(), ExitStack() as stack:
            systems = []
            for _ in range(request.jobs if pool is None else 0):
                opened = open_sut(
                    request.sut,
                    model,
                    seed=request.suite.seed,
                    step_timeout=request.step_timeout,
                    isolated=request.isolated,
                )
                systems.append(stack.enter_context(closing(opened)))
            tally = Session(StsSemantics(model), request, systems, pool=pool).run(plan, progress, recording)
        told = recording.honest((plan.header, plan.notes), request.sut)
    finally:
        seconds = time.perf_counter() - begin
        recording.close(seconds=seconds, told=told)
    header, said = told
    context = context_of(recording.header, header, model, started=recording.started)
    result = tally.result(seconds=recording.seconds + seconds)
    record = record_of(model, context, result, tally.listing, recording.everything())
    return RunOutcome(
        record=record,
        notes=(*said, *tally.notes(record.result.verdict)),
        page=write_report(record, request.report, shown, fields=run_fields(record)),
    )


def judge_conversations(model: Sts, old: OldJournal, *, at: Place, progress: Progress) -> Tally:
    """Judge the conversations of an old run again."""
    from fullproof.analysis.sts_semantics import StsSemantics

    try:
        known = json.loads(old.header.purposes)
        criterion, wanted = Criterion(known["criterion"]), [str(goal) for goal in known["wanted"]]
    except (ValueError, TypeError, KeyError) as error:
        raise UserError("is not a journal of a run of an sts: it does not say what was to be covered", at=at) from error
    tally = Tally(StsSemantics(model), criterion=criterion, wanted=wanted)
    reader = LetterReader(model, at)
    for number, conversation in enumerate(old.executions(), 1):
        if conversation.number != number:
            raise UserError(f"is damaged: executions before number {conversation.number} are missing", at=at)
        walk = is_walk(conversation.test.inputs[0], conversation.number)
        tally.add(conversation, () if walk else reader.path(conversation.test.id, conversation.test.inputs))
        progress(number, old.rows)
    return tally


def _recording(path: Path, model: Sts, request: RunRequest, plan: ReactivePlan, sha256: str) -> Recording:
    from fullproof.execute.adapters.secrets import public_spec

    known = journal_header(model, path, plan.header, sha256=sha256, suite_sha256=plan.sha256)
    chosen = {
        "values": request.values.value,
        "order": request.order.value,
        "retries": request.retries,
        "jobs": request.jobs,
        "steps": request.steps,
    }
    header = replace(
        known,
        repeat=request.repeat,
        seed=request.suite.seed,
        sut=public_spec(request.sut),
        purposes=json.dumps({"criterion": plan.criterion.value, "wanted": sorted(plan.wanted), **chosen}),
    )
    return start_recording(
        journal_path(request),
        header,
        sut=request.sut,
        resume=request.resume,
        allow_changed_system=request.allow_changed_system,
    )


def _refuse(request: RunRequest, at: Place) -> None:
    relation = request.suite.relation
    if relation is not None and relation is not Relation.IOCO:
        raise UserError(f"runs of an sts are judged for ioco, not for {relation.value}", at=at)
    if request.share_prefixes:
        raise UserError("--share-prefixes: an sts has purposes, which are driven one by one", at=at)


def plan_for(model: Sts, request: RunRequest, *, sha256: str, at: Place) -> ReactivePlan:
    """What to run for a request."""
    suite = request.suite
    if request.suite_file is not None:
        return _given(model, request, request.suite_file, sha256=sha256)
    if suite.method == "random":
        header = header_for(model, suite, sha256=sha256, method="random", guarantee=RANDOM_WALK)
        return ReactivePlan(purposes=(), wanted=frozenset(), header=header, notes=(), walk=Walk.RANDOM)
    walk = Walk.GUIDED if suite.method == "auto" and request.order is PurposeOrder.AUTO else None
    if suite.method == "auto" and request.order is not PurposeOrder.AUTO:
        suite = replace(suite, method="switch")
    found = find_purposes(model, suite, at=at)
    promised = guarantee(found, walks=budget_of(walk, request) if walk else None)
    header = header_for(model, suite, sha256=sha256, method=found.method, guarantee=promised)
    wanted, purposes = frozenset(found.covered), _ordered(found.purposes, request.order)
    return ReactivePlan(purposes=purposes, wanted=wanted, header=header, notes=notes(found), found=found, walk=walk)


def _given(model: Sts, request: RunRequest, path: Path, *, sha256: str) -> ReactivePlan:
    given = SuiteFile(path, model, sha256=sha256)
    checked = given.check  # before the first purpose is driven
    reader = LetterReader(model, Place(file=str(path)))
    purposes = [Purpose(letters=reader.path(test.id, test.inputs)) for test in given.tests()]
    names = switch_names(model)
    return ReactivePlan(
        purposes=_ordered(purposes, request.order),
        wanted=frozenset(names[letter.switch] for purpose in purposes for letter in purpose.letters),
        header=given.honest_header(Relation.IOCO),
        notes=given.notes(request.suite, Relation.IOCO),
        sha256=checked.sha256,
    )


def _ordered(purposes: Sequence[Purpose], order: PurposeOrder) -> list[Purpose]:
    match order:
        case PurposeOrder.LONGEST:
            return sorted(purposes, key=lambda purpose: -len(purpose.letters))
        case PurposeOrder.SHORTEST:
            return sorted(purposes, key=lambda purpose: len(purpose.letters))
        case PurposeOrder.AUTO:
            return list(purposes)


class Session:
    """One run against one or several instances of a system, which are open."""

    def __init__(
        self,
        semantics: StsSemantics,
        request: RunRequest,
        systems: Sequence[ReactiveSut],
        chooser: ValueChooser | None = None,
        *,
        pool: ClusterPool | None = None,
    ) -> None:
        self._semantics = semantics
        self._request = request
        self._times: Counter[str] = Counter()
        self._covers = requirements_along(semantics.model)
        self._pool = pool
        self._places = request.jobs if pool is not None else len(systems)
        self._replanner = Replanner(semantics, request.suite.coverage)
        self._instances = [
            Instance(semantics, request, system, place=place, replan=self._replanner.way)
            for place, system in enumerate(systems)
        ]
        if chooser is not None:
            self._instances[0].chooser = chooser

    def run(self, plan: ReactivePlan, progress: Progress, recording: Recording | None = None) -> Tally:
        """Execute the plan, then try again what was not reached.

        What an earlier part of the run has seen is not done again: the guides are led through it, so that the rest is
        what it would have been. Instances work in rounds: what one has covered, the others know in the next round.
        """
        tally = self._tally = Tally(self._semantics, criterion=plan.criterion, wanted=plan.wanted)
        past = iter(()) if recording is None else recording.past()
        agenda, broken = self._agenda(plan, tally), 0
        with self._crew() as crew:
            while items := list(islice(agenda, self._places)):
                self._replanner.left = tally.left
                for item, conversation in zip(items, self._held(crew, items, past, recording), strict=True):
                    judgement = tally.add(conversation, item.letters or ())
                    progress(item.number, None)
                    broken = broken + 1 if judgement.verdict is Verdict.ERROR else 0
                    if broken >= _PATIENCE or (self._request.stop_on_failure and judgement.verdict in BAD):
                        return tally
        return tally

    def _crew(self) -> AbstractContextManager[ReactiveCrew | ClusterCrew]:
        if self._pool is None:
            return at_work(self._instances, self._request)
        common = Common(self._semantics.model, self._request)
        return on_cluster(self._pool, common, lambda: self._replanner.left)

    def _held(
        self,
        crew: ReactiveCrew | ClusterCrew,
        items: Sequence[Item],
        past: Iterator[Execution],
        recording: Recording | None,
    ) -> Iterator[Execution]:
        """One conversation for each item: those of the past, then new ones."""
        known = list(zip(items, past))  # noqa: B905  # in this order: none of the past is taken and lost
        for item, conversation in known:
            if conversation.test.id != item.test.id:
                was = f"test {item.number} of it was {conversation.test.id}, now it is {item.test.id}"
                raise UserError(f"cannot be resumed: {was}")
            crew.rehearse(item, conversation, self._places)
            yield conversation
        for conversation in crew.converse(items[len(known) :], self._places):
            if recording is not None:
                recording.keep(conversation)
            yield conversation

    def _agenda(self, plan: ReactivePlan, tally: Tally) -> Iterator[Item]:
        """Purposes, then short ones for what they have not reached, then walks, until the budget is used up."""
        numbers, budget = count(1), budget_of(plan.walk, self._request)
        for letters in self._letters(plan, tally):
            if budget is not None and tally.steps >= budget:
                return
            yield self._item(next(numbers), letters)
        if plan.walk is not None:
            yield from walks(plan.walk, self._request, tally, numbers)

    def _letters(self, plan: ReactivePlan, tally: Tally) -> Iterator[tuple[SwitchLetter, ...]]:
        """The purposes as often as --repeat says, or again and again where a budget is all that there is."""
        endless = plan.walk is None and self._request.steps is not None
        for _ in count() if endless and plan.purposes else range(self._request.repeat):
            before = tally.steps
            for purpose in plan.purposes:
                yield purpose.letters
            if endless and tally.steps == before:
                break
        for _ in range(self._request.retries):
            if not tally.left:
                return
            for purpose in self._short_purposes(plan):
                if not tally.left.isdisjoint(purpose.goals):
                    yield purpose.letters

    def _item(self, number: int, letters: tuple[SwitchLetter, ...]) -> Item:
        words = [letter_name(letter, self._tally.names) for letter in letters]
        test = make_test(words, self._covers(words))
        self._times[test.id] += 1
        return Item(number, test, letters, repetition=self._times[test.id])

    def _short_purposes(self, plan: ReactivePlan) -> Sequence[Purpose]:
        """The shortest way to each goal: where a long purpose was left, a short one has better prospects."""
        if plan.found is None or plan.found.method == "switch":
            names = self._tally.names
            return [replace(p, goals=p.goals or tuple(names[k.switch] for k in p.letters)) for p in plan.purposes]
        request = replace(self._request.suite, method="switch")
        return find_purposes(self._semantics.model, request, at=Place()).purposes
