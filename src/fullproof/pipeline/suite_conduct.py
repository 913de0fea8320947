"""tests -> executions: the inputs of each test one after the other, as a suite says them or an adaptive tester."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.journal import JournalHeader
from fullproof.artefacts.notes import MeaningNote
from fullproof.artefacts.options import is_given
from fullproof.artefacts.request import GREY_BOX, Clock, Relation, RunRequest
from fullproof.artefacts.run import RunResult
from fullproof.artefacts.suite import SuiteHeader, Test
from fullproof.core.errors import UserError
from fullproof.kinds import kind_of, oracle_for
from fullproof.kinds.conduct import AdaptiveTester, RunOrder, RunSoFar, Told
from fullproof.kinds.suite_file import SuiteFile
from fullproof.model import Model
from fullproof.model.common import Property
from fullproof.pipeline.blindness import blindness
from fullproof.pipeline.live_executions import How, live_traces
from fullproof.pipeline.live_trials import system_at_hand
from fullproof.pipeline.suites import generate_suite

if TYPE_CHECKING:
    from fullproof.execute.real_time import RealTime
    from fullproof.execute.runner import Options, Watch
    from fullproof.execute.sweep import Expected
    from fullproof.explain.trials import SystemAtHand
    from fullproof.judge import Oracle


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteConduct:
    """Runs the tests of a suite, or those of an adaptive tester, which knows their inputs at their end."""

    model: Model
    order: RunOrder
    tests: Iterable[Test]
    again: Callable[[], Iterable[Test]]
    """The tests once more."""
    count: int | None
    header: SuiteHeader
    suite_sha256: str = ""
    """Of its file, or of the one that ``generate`` would write with the same options; nothing where that is large."""
    relation: Relation
    properties: tuple[Property, ...] = ()
    ending: Callable[[], Told]
    """What the suite guarantees and what should be said of it, once its tests have been read."""
    adaptive: AdaptiveTester | None = None
    """Who chooses the inputs, where the tests do not say them."""

    def journaled(self, header: JournalHeader, /) -> JournalHeader:
        """With the size of the suite, and how often each test is run."""
        request = self.order.request
        return dataclasses.replace(
            header,
            relation=self.relation.value,
            properties=tuple(stated.name for stated in self.properties),
            repeat=request.repeat if self.adaptive is None else 1,
            tests=self.count,
            until_seen=request.until_seen and request.repeat > 1,
        )

    @contextmanager
    def executions(self, state: RunSoFar, /) -> Iterator[Iterator[Execution | Expected]]:
        """Those of an earlier part, then the others as they happen."""
        from fullproof.judge import Oracle

        request, oracle = self.order.request, state.oracle
        assert isinstance(oracle, Oracle)  # systems that answer each input
        more = state.more if request.until_seen else None
        known = None if state.traced or self.adaptive is not None else oracle.answers()
        with live_traces(self.tests, self.how(oracle), after=state.after, more=more, answers=known) as live:
            yield chain(state.past_of(self.again()), live)

    def how(self, oracle: Oracle) -> How:
        """Which system runs how, and where."""
        order = self.order
        return How(
            open=order.open,
            sut=order.request.sut,
            options=run_options(self.model, oracle, order.request, self.adaptive),
            watch=partial(_watch, self.model, self.relation, self.properties),
            jobs=order.request.jobs,
            isolated=order.request.isolated and self.adaptive is None,
            pool=order.pool,
        )

    def at_hand(self, oracle: Oracle, /) -> SystemAtHand | None:
        """One instance, asked by tests alone."""
        return system_at_hand(self.model, oracle, self.how(oracle))

    def told(self) -> Told:
        """As the suite says, and which repetitions were left out."""
        (header, notes), request = self.ending(), self.order.request
        if is_given(request, "silence"):
            notes = (
                *notes,
                MeaningNote("--timeout has no effect on systems that answer each input: see --step-timeout"),
            )
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

    def settled(self, result: RunResult, /) -> RunResult:
        """An adaptive run may have ended early."""
        return result if self.adaptive is None else self.adaptive.settled(result)


def _watch(model: Model, relation: Relation, properties: tuple[Property, ...]) -> Watch:
    """What follows tests while they run, made where they run."""
    return oracle_for(model, relation, properties=properties).observer


def run_options(model: Model, oracle: Oracle, request: RunRequest, adaptive: AdaptiveTester | None = None) -> Options:
    """How the tests of a model are run, so that they can be judged for a relation."""
    from fullproof.execute.runner import Enabled, Options

    kind, strong = kind_of(model), oracle.relation in GREY_BOX
    # Only where an input may be undefined can a test be over before its last input.
    partial_ = kind.is_partial(model)
    asks = partial_ and bool(kind.interface(model).symbols)
    return Options(
        repeat=request.repeat if adaptive is None else 1,
        pilot=None if adaptive is None else adaptive.pilot,
        step_timeout=request.step_timeout,
        test_timeout=request.test_timeout,
        share=request.share_prefixes,
        real_time=real_time(model, oracle.relation, request),
        enabled=Enabled.REQUIRED if strong else Enabled.IF_OFFERED if asks else Enabled.NEVER,
        watch=oracle.observer if adaptive is None and (partial_ or strong) else None,
    )


def real_time(model: Model, relation: Relation, request: RunRequest) -> RealTime | None:
    """How tests are run where delays are waited for; a UserError for a model without delays."""
    from fullproof.execute.real_time import RealTime

    if request.clock is not Clock.REAL:
        return None
    patience = kind_of(model).patience(model, relation)
    if patience is None:
        raise UserError(f"--clock real is for models with timers, of which {model.name} has none")
    return RealTime(patience=patience)


def suite_conduct(model: Model, order: RunOrder) -> SuiteConduct:
    """The suite that a request asks for, read, generated or made while it runs."""
    request = order.request
    if request.cluster is not None and request.jobs > 1:
        raise UserError("--jobs runs instances on this machine, --cluster where Dask has workers: give one of them")
    if request.adaptive:
        return _adaptive(model, order)
    made = _generated(model, order) if order.given is None else _given(model, order, order.given)
    if not request.share_prefixes:
        return made
    tests = sorted(made.tests, key=lambda test: list(map(repr, test.inputs)))  # tests that begin alike in a row
    return dataclasses.replace(made, tests=tests, again=lambda: tests)


def _adaptive(model: Model, order: RunOrder) -> SuiteConduct:
    kind = kind_of(model)
    made: AdaptiveTester = kind.required(kind.adaptive, "--adaptive", at=order.at)(model, order)
    relation = Relation(made.header.relation)
    blind = blindness(model, relation)

    def framed(header: SuiteHeader) -> SuiteHeader:
        known = header.guarantee
        return dataclasses.replace(header, guarantee=blind.framed(known)) if known.exists else header

    def ending() -> Told:
        header, notes = made.told()
        return framed(header), notes

    return SuiteConduct(
        model=model,
        order=order,
        tests=made.tests(),
        again=made.tests,
        count=None,
        header=framed(made.header),
        relation=relation,
        ending=ending,
        adaptive=made,
    )


def _generated(model: Model, order: RunOrder) -> SuiteConduct:
    asked = order.request.suite
    made = generate_suite(model, asked, sha256=order.model_sha256, at=order.at)
    tests, inputs = size = made.size()
    relation = Relation(made.header.relation)
    return SuiteConduct(
        model=model,
        order=order,
        tests=made.tests(),
        again=made.tests,
        count=tests,
        header=dataclasses.replace(made.header, tests=tests, inputs=inputs),
        suite_sha256=made.sha256(size),
        relation=relation,
        properties=kind_of(model).monitored(model, relation, asked.properties, order.at),
        ending=lambda: (made.header, made.notes),
    )


def _given(model: Model, order: RunOrder, given: SuiteFile) -> SuiteConduct:
    asked, checked = order.request.suite, given.check  # before the first test is run
    relation = given.judged_for(asked)
    return SuiteConduct(
        model=model,
        order=order,
        tests=given.tests(),
        again=given.again,
        count=checked.tests,
        header=given.header,
        suite_sha256=checked.sha256,
        relation=relation,
        properties=kind_of(model).monitored(model, relation, asked.properties, order.at),
        ending=lambda: (given.honest_header(relation, asked.properties), given.notes(asked, relation)),
    )
