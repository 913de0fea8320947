"""Runs of an sts: what to drive systems along, and what for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from itertools import chain
from typing import Any

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.journal import JournalHeader
from fullproof.artefacts.purposes import Purpose, Walk, switch_names
from fullproof.artefacts.request import PurposeOrder, Relation, RunRequest
from fullproof.artefacts.run import RunResult
from fullproof.artefacts.suite import SuiteHeader
from fullproof.core.errors import Place, UserError
from fullproof.execute.worker import as_worker, worker_number
from fullproof.explain.trials import SystemAtHand
from fullproof.judge.sts import StsOracle
from fullproof.kinds.conduct import RunOrder, RunSoFar, Told
from fullproof.kinds.sts.letters import LetterReader
from fullproof.kinds.sts.purposes import RANDOM_WALK, find_purposes, guarantee, notes
from fullproof.kinds.sts.session import PurposePlan, Session, Workers
from fullproof.kinds.sts.trials import replayed, system_at_hand
from fullproof.kinds.sts.walks import budget_of
from fullproof.kinds.suite import header_for
from fullproof.kinds.suite_file import SuiteFile
from fullproof.model import Sts


class PurposeConduct:
    """Drives systems along purposes, given or generated, or on a random walk.

    On a cluster there are as many instances as ``--jobs`` says, else as it has threads.
    """

    relation = Relation.IOCO
    properties = ()
    count = None

    def __init__(self, model: Sts, order: RunOrder) -> None:
        request, pool = order.request, order.pool
        _refuse(request, order.at)
        self._order = order
        self._request = replace(request, jobs=pool.threads) if pool is not None and request.jobs == 1 else request
        self._plan = plan_for(model, request, sha256=order.model_sha256, at=order.at, given=order.given)

    @property
    def header(self) -> SuiteHeader:
        """What the run guarantees."""
        return self._plan.header

    @property
    def suite_sha256(self) -> str:
        """Of the file of the suite, where there is one."""
        return self._plan.sha256

    def journaled(self, header: JournalHeader, /) -> JournalHeader:
        """With the goals, and the options by which the next thing to do is chosen."""
        request, plan = self._request, self._plan
        chosen = {
            "values": request.values.value,
            "order": request.order.value,
            "retries": request.retries,
            "jobs": request.jobs,
            "steps": request.steps,
        }
        goals = {"criterion": plan.criterion.value, "wanted": sorted(plan.wanted)}
        return replace(header, repeat=request.repeat, purposes=json.dumps({**goals, **chosen}))

    @contextmanager
    def executions(self, state: RunSoFar, /) -> Iterator[Iterator[Execution]]:
        """Drive as many instances as ``--jobs`` says."""
        order, request = self._order, self._request
        with ExitStack() as stack:
            if self._plan.replays:
                assert isinstance(state.oracle, StsOracle)
                live = replayed(state.oracle, order, self._plan.replays, after=state.after)
                yield chain(state.past(), stack.enter_context(live))
                return
            here = request.jobs if order.pool is None else 0
            first = (worker_number() or 0) * here
            systems = [stack.enter_context(_opened(order, number)) for number in range(first, first + here)]
            workers = None if order.pool is None else Workers(pool=order.pool, open=order.open)
            session = Session(state.coverage, request, systems, workers=workers)
            yield stack.enter_context(closing(session.executions(self._plan, state.past())))

    def at_hand(self, oracle: StsOracle, /) -> SystemAtHand | None:
        """One instance, to be talked with again."""
        return system_at_hand(oracle, self._order)

    def told(self) -> Told:
        """What the plan says."""
        return self._plan.header, self._plan.notes

    def settled(self, result: RunResult, /) -> RunResult:
        """What is missing is known to the coverage."""
        return result


def _opened(order: RunOrder, number: int) -> closing[Any]:
    with as_worker(number):
        return closing(order.open())


def _refuse(request: RunRequest, at: Place) -> None:
    relation = request.suite.relation
    if relation is not None and relation is not Relation.IOCO:
        raise UserError(f"runs of an sts are judged for ioco, not for {relation.value}", at=at)
    if request.share_prefixes:
        raise UserError("--share-prefixes: an sts has purposes, which are driven one by one", at=at)


def plan_for(
    model: Sts, request: RunRequest, *, sha256: str = "", at: Place, given: SuiteFile | None = None
) -> PurposePlan:
    """What to run for a request; ``sha256`` is that of the model's file."""
    suite = request.suite
    if given is not None:
        return _given(model, request, given)
    if suite.method == "random":
        header = header_for(model, suite, sha256=sha256, method="random", guarantee=RANDOM_WALK, default=Relation.IOCO)
        return PurposePlan(purposes=(), wanted=frozenset(), header=header, notes=(), walk=Walk.RANDOM)
    walk = Walk.GUIDED if suite.method == "auto" and request.order is PurposeOrder.AUTO else None
    if suite.method == "auto" and request.order is not PurposeOrder.AUTO:
        suite = replace(suite, method="switch")
    found = find_purposes(model, suite, at=at)
    promised = guarantee(found, walks=budget_of(walk, request) if walk else None)
    header = header_for(model, suite, sha256=sha256, method=found.method, guarantee=promised, default=Relation.IOCO)
    wanted, purposes = frozenset(found.covered), _ordered(found.purposes, request.order)
    return PurposePlan(purposes=purposes, wanted=wanted, header=header, notes=notes(found), found=found, walk=walk)


def _given(model: Sts, request: RunRequest, given: SuiteFile) -> PurposePlan:
    checked = given.check  # before the first purpose is driven
    reader = LetterReader(model, Place(file=str(request.suite_file)))
    tests = tuple(given.tests())
    replays = tests if all(reader.is_replay(test.inputs) for test in tests) else ()
    purposes = [Purpose(letters=reader.path(test.id, test.inputs)) for test in tests if not replays]
    names = switch_names(model)
    return PurposePlan(
        purposes=_ordered(purposes, request.order),
        wanted=frozenset(names[letter.switch] for purpose in purposes for letter in purpose.letters),
        header=given.honest_header(Relation.IOCO),
        notes=given.notes(request.suite, Relation.IOCO),
        sha256=checked.sha256,
        replays=replays,
    )


def _ordered(purposes: Sequence[Purpose], order: PurposeOrder) -> list[Purpose]:
    match order:
        case PurposeOrder.LONGEST:
            return sorted(purposes, key=lambda purpose: -len(purpose.letters))
        case PurposeOrder.SHORTEST:
            return sorted(purposes, key=lambda purpose: len(purpose.letters))
        case PurposeOrder.AUTO:
            return list(purposes)
