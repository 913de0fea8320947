"""purposes -> verdict: drive a system along each purpose, judge what was seen, try again what was inconclusive."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from fullproof import __version__
from fullproof.artefacts.conversation import Conversation
from fullproof.artefacts.progress import Progress
from fullproof.artefacts.purposes import Letter, Purpose, PurposeSet, letter_name, switch_names
from fullproof.artefacts.request import Order, Relation
from fullproof.artefacts.run import RunContext, RunRecord
from fullproof.artefacts.suite import SuiteHeader, Test, make_test
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.core.errors import Place, UserError
from fullproof.model import Sts
from fullproof.pipeline.purposes import find_purposes, guarantee, notes, requirements_of
from fullproof.pipeline.reporting import prepare_report, write_report
from fullproof.pipeline.runs import RunOutcome, RunRequest, returning, run_fields
from fullproof.pipeline.suites import header_for

if TYPE_CHECKING:
    from fullproof.analysis.sts_knowledge import Position
    from fullproof.analysis.sts_semantics import StsSemantics
    from fullproof.concretise.choosing import Chooser
    from fullproof.execute.reactive import Guide, ReactiveSut
    from fullproof.generate.sts.goals import Goals
    from fullproof.generate.sts.replanning import Planner

WALK = 1000
"""Inputs and outputs of a random walk, where --max-length does not say."""

_BAD = (Verdict.FAIL, Verdict.ERROR)
_PATIENCE = 5
"""A system that breaks down in so many tests in a row will do so in the next one, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to run, and what it is for."""

    purposes: Sequence[Purpose]
    wanted: frozenset[str]
    header: SuiteHeader
    notes: tuple[str, ...]
    found: PurposeSet | None = None


@dataclass(slots=True, kw_only=True)
class _Progress:
    """What has been covered so far: for certain, or by purposes that passed although other runs explain them, too."""

    goals: Goals
    covered: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)

    def take(self, letters: Sequence[Letter], judgement: Judgement, certain: tuple[int, ...] | None) -> None:
        """Count a conversation; for certain only where one run of the model explains it (|C| = 1 at the end)."""
        if judgement.verdict is Verdict.PASS:
            self.passed.update(self._goals(letters))
        if certain is None or judgement.verdict in _BAD:
            return
        same = 0
        while same < min(len(letters), len(certain)) and letters[same].switch == certain[same]:
            same += 1
        self.covered.update(self._goals((*letters[:same], *(Letter(switch) for switch in certain[same:]))))

    def _goals(self, letters: Sequence[Letter]) -> Iterator[str]:
        before = None
        for letter in letters:
            goal = self.goals.reached(before, letter)
            if goal is not None:
                yield goal
            before = letter.switch


def run_purposes(path: Path, model: Sts, request: RunRequest, *, sha256: str, progress: Progress) -> RunOutcome:
    """Execute purposes, given or generated, or a random walk, and judge them."""
    from fullproof.analysis.sts_semantics import StsSemantics
    from fullproof.execute.adapters.reactive import open_reactive
    from fullproof.execute.adapters.secrets import public_spec

    at = Place(file=str(path))
    _refuse(request, at)
    shown = prepare_report(model, request.report)
    plan = plan_for(model, request, sha256=sha256, at=at)
    started, begin = datetime.now(UTC).isoformat(timespec="seconds"), time.perf_counter()
    with (
        returning(),
        closing(
            open_reactive(request.sut, model, seed=request.suite.seed, step_timeout=request.step_timeout)
        ) as system,
    ):
        session = Session(StsSemantics(model), request, system)
        missing = session.run(plan, progress)
    result = session.summary.result(seconds=time.perf_counter() - begin, missing=bool(missing))
    context = RunContext(
        model_name=model.name,
        model_kind=model.kind,
        model_file=str(path),
        model_sha256=sha256,
        sut=public_spec(request.sut),
        relation=plan.header.relation,
        method=plan.header.method,
        extra_states=plan.header.extra_states,
        guarantee=plan.header.guarantee,
        seed=request.suite.seed,
        started=started,
        tool=__version__,
        python=platform.python_version(),
        platform=platform.platform(terse=True),
    )
    rows = session.summary.rows()
    record = RunRecord(context=context, result=result, tests=rows, listed=len(rows))
    said = plan.notes
    if missing and result.verdict not in _BAD:
        said = (*said, f"not covered: {', '.join(sorted(missing))}")
    if session.uncertain and result.verdict not in _BAD:
        said = (*said, f"passed, though not covered for certain: {', '.join(sorted(session.uncertain))}")
    return RunOutcome(
        record=record, notes=said, page=write_report(record, request.report, shown, fields=run_fields(record))
    )


def _refuse(request: RunRequest, at: Place) -> None:
    relation = request.suite.relation
    if relation is not None and relation is not Relation.IOCO:
        raise UserError(f"runs of an sts are judged for ioco, not for {relation.value}", at=at)
    if request.jobs > 1 or request.journal is not None or request.resume:
        raise UserError("runs of an sts keep no journal and have one instance of the system in this version", at=at)


def plan_for(model: Sts, request: RunRequest, *, sha256: str, at: Place) -> Plan:
    """What to run for a request."""
    suite = request.suite
    if request.suite_file is not None:
        return _given(model, request, request.suite_file, sha256=sha256)
    if suite.method == "random":
        text = "No guarantee: a random walk. A fail proves that the system does not conform (ioco)."
        header = header_for(model, suite, sha256=sha256, method="random", guarantee=text)
        return Plan(purposes=(), wanted=frozenset(), header=header, notes=())
    if suite.method == "auto" and request.order is not Order.AUTO:
        suite = replace(suite, method="switch")
    found = find_purposes(model, suite, at=at)
    header = header_for(model, suite, sha256=sha256, method=found.method, guarantee=guarantee(found))
    wanted, purposes = frozenset(found.covered), _ordered(found.purposes, request.order)
    return Plan(purposes=purposes, wanted=wanted, header=header, notes=notes(found), found=found)


def _given(model: Sts, request: RunRequest, path: Path, *, sha256: str) -> Plan:
    from fullproof.pipeline.purpose_file import read_purposes

    header, purposes = read_purposes(path, model)
    said: tuple[str, ...] = ()
    if header.model_sha256 != sha256:
        said = (f"{path}: the suite was generated from another version of the model (its SHA-256 differs)",)
    names = switch_names(model)
    wanted = frozenset(names[letter.switch] for purpose in purposes for letter in purpose.letters)
    return Plan(purposes=_ordered(purposes, request.order), wanted=wanted, header=header, notes=said)


def _ordered(purposes: Sequence[Purpose], order: Order) -> list[Purpose]:
    match order:
        case Order.LONGEST:
            return sorted(purposes, key=lambda purpose: -len(purpose.letters))
        case Order.SHORTEST:
            return sorted(purposes, key=lambda purpose: len(purpose.letters))
        case Order.AUTO:
            return list(purposes)


class Session:
    """One run against one open system."""

    def __init__(
        self, semantics: StsSemantics, request: RunRequest, system: ReactiveSut, chooser: Chooser | None = None
    ) -> None:
        from fullproof.concretise.following import chooser_for
        from fullproof.judge.sts import StsOracle
        from fullproof.judge.sts_summary import StsSummary

        self._semantics = semantics
        self._request = request
        self._system = system
        random = Random(f"values {request.suite.seed}")
        self._random = random
        self._chooser = chooser or chooser_for(semantics.model, request.values, random)
        self._oracle = StsOracle(semantics)
        self.summary = StsSummary(self._oracle)
        self._names = switch_names(semantics.model)
        self._covers = requirements_of(semantics.model)
        self._guides: dict[tuple[Letter, ...], Guide] = {}
        self._left: Callable[[], frozenset[str]] = frozenset
        self._planner: Planner | None = None
        self.uncertain: frozenset[str] = frozenset()
        """Goals of purposes that passed, where other runs of the model explain what was seen as well."""

    def run(self, plan: Plan, progress: Progress) -> set[str]:
        """Execute the plan, then try again what was not reached; what is still missing in the end."""
        from fullproof.execute.reactive import ReactiveOptions, Tester
        from fullproof.generate.sts.goals import goals_for

        criterion = self._request.suite.coverage
        if plan.found is None:
            criterion = type(criterion).SWITCH
        done = _Progress(goals=goals_for(self._semantics.model, criterion))
        self._left = lambda: plan.wanted - done.covered
        options = ReactiveOptions(
            silence=self._request.silence,
            step_timeout=self._request.step_timeout,
            test_timeout=self._request.test_timeout,
        )
        broken = 0
        with Tester(self._system, options) as tester:
            for count, (letters, test, guide) in enumerate(self._agenda(plan, done), 1):
                conversation = tester.converse(test, guide)
                judgement = self._note(conversation, letters, done)
                progress(count, None)
                broken = broken + 1 if judgement.verdict is Verdict.ERROR else 0
                if broken >= _PATIENCE or (self._request.stop_on_failure and judgement.verdict in _BAD):
                    break
        self.uncertain = (plan.wanted & done.passed) - done.covered
        return set(plan.wanted) - done.covered - done.passed

    def _note(self, conversation: Conversation, letters: Sequence[Letter], done: _Progress) -> Judgement:
        judgement = self._oracle.judge(conversation)
        self.summary.add(conversation, judgement, [letter_name(letter, self._names) for letter in letters])
        done.take(letters, judgement, self._oracle.certain(conversation))
        return judgement

    def _agenda(self, plan: Plan, done: _Progress) -> Iterator[tuple[tuple[Letter, ...], Test, Guide]]:
        """The purposes, as often as --repeat says; then short ones for what they have not reached."""
        if plan.header.method == "random" and not plan.purposes:
            yield from self._walks()
            return
        for _ in range(self._request.repeat):
            for purpose in plan.purposes:
                yield self._item(purpose.letters)
        for _ in range(self._request.retries):
            if not set(plan.wanted) - done.covered:
                return
            for purpose in self._short_purposes(plan):
                goals = {goal for goal in purpose.goals if goal in plan.wanted}
                if goals - done.covered:
                    yield self._item(purpose.letters)

    def _short_purposes(self, plan: Plan) -> Sequence[Purpose]:
        """The shortest way to each goal: where a long purpose was left, a short one has better prospects."""
        if plan.found is None or plan.found.method == "switch":
            return [replace(p, goals=p.goals or tuple(self._reached(p.letters))) for p in plan.purposes]
        request = replace(self._request.suite, method="switch")
        return find_purposes(self._semantics.model, request, at=Place()).purposes

    def _replan(self, here: Position, certain: tuple[int, ...]) -> tuple[Letter, ...] | None:
        """A way to what is still to be covered, where the system has left the path of a purpose."""
        left = self._left()
        if not left:
            return None
        if self._planner is None:
            from fullproof.generate.sts.replanning import Planner

            self._planner = Planner(self._semantics.model, self._request.suite.coverage)
        before = certain[-1] if certain else None
        return self._planner.way(here.location, self._semantics.given(here), before, left)

    def _reached(self, letters: Sequence[Letter]) -> list[str]:
        return [self._names[letter.switch] for letter in letters]

    def _item(self, letters: tuple[Letter, ...]) -> tuple[tuple[Letter, ...], Test, Guide]:
        from fullproof.concretise.following import Follower

        if letters not in self._guides:
            synchronous = self._system.synchronous
            self._guides[letters] = Follower(
                self._semantics, letters, self._chooser, synchronous=synchronous, replan=self._replan
            )
        words = [letter_name(letter, self._names) for letter in letters]
        return letters, make_test(words, self._covers(words)), self._guides[letters]

    def _walks(self) -> Iterator[tuple[tuple[Letter, ...], Test, Guide]]:
        from fullproof.concretise.wandering import Wanderer

        length = self._request.suite.max_length or WALK
        for number in range(1, self._request.repeat + 1):
            synchronous = self._system.synchronous
            walk = Wanderer(self._semantics, self._chooser, self._random, length=length, synchronous=synchronous)
            yield (), make_test([f"random walk {number}"]), walk
