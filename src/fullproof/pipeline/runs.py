"""suite -> verdict: open the system, execute, judge each execution as it comes, report."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any, TypeAlias

from fullproof.artefacts.guarantee import Guarantee
from fullproof.artefacts.progress import Progress
from fullproof.artefacts.request import Clock, RunRequest
from fullproof.core.errors import Place
from fullproof.kinds import kind_of
from fullproof.kinds.conduct import Conduct, RunOrder
from fullproof.kinds.idle import refuse_idle, refuse_idle_in_run
from fullproof.kinds.suite_file import SuiteFile
from fullproof.kinds.systems import check_sut, open_sut
from fullproof.model import Model
from fullproof.pipeline.baseline import read_baseline
from fullproof.pipeline.clusters import cluster_of
from fullproof.pipeline.evidence import prepare_report
from fullproof.pipeline.live_run import RunOutcome, live_run
from fullproof.pipeline.models import refuse_errors
from fullproof.pipeline.observed_models import ModelSource, place_of, read_observed, sha256_of, suite_observes
from fullproof.pipeline.run_replies import run_fields, run_reply
from fullproof.pipeline.suite_conduct import suite_conduct

__all__ = ["RunOutcome", "opener", "run_fields", "run_reply", "run_suite"]

Begun: TypeAlias = Callable[[int | None, Guarantee], object]


def run_suite(
    source: ModelSource,
    request: RunRequest,
    *,
    progress: Progress,
    system: Callable[..., Any] | None = None,
    begun: Begun = lambda _tests, _guarantee: None,
) -> RunOutcome:
    """Execute a suite, given or generated, and judge it.

    ``begun`` is called before the first test with the number of tests, where that is known, and what a pass proves.
    ``system`` is a class or factory of this process, in place of what ``request.sut`` names, which then describes it.
    """
    claimed = None if request.suite_file is None else suite_observes(request.suite_file)
    model, sha256 = read_observed(source, request.suite.observe or claimed), sha256_of(source)
    _refuse_idle(model, request, at=place_of(source))
    if request.examined:
        refuse_errors(model)
    # Before anything is written: a missing cluster must not overwrite the journal of an earlier run.
    with cluster_of(request.cluster) as pool:
        if pool is None and system is None:  # else what it names is there
            check_sut(request.sut, model)
        order = RunOrder(
            request=request,
            given=None
            if request.suite_file is None
            else SuiteFile(request.suite_file, model, kind_of(model), sha256=sha256),
            model_sha256=sha256,
            at=place_of(source),
            open=opener(model, request, system),
            by_tests=suite_conduct,
            pool=pool,
        )
        return _run(model, order, progress, begun)


def _refuse_idle(model: Model, request: RunRequest, *, at: Place) -> None:
    """Refuse options that would do nothing. ``--isolate`` stays: what it asks for is true of all other systems."""
    kind = kind_of(model)
    refuse_idle_in_run(kind, request, at=at)
    if request.suite_file is None and not request.adaptive:  # of a suite from a file, notes say what has no effect
        refuse_idle(kind, model, request.suite, at=at)


def opener(model: Model, request: RunRequest, system: Callable[..., Any] | None = None) -> partial[Any]:
    """Opens a fresh instance of the system of a run, as often as it is called; it can be pickled."""
    return partial(
        open_sut,
        system or request.sut,
        model,
        seed=request.suite.seed,
        step_timeout=request.step_timeout,
        isolated=request.isolated,
        waits=request.clock is Clock.REAL,
    )


def _conduct(model: Model, order: RunOrder) -> Conduct:
    conduct: Conduct = (suite_conduct if order.request.adaptive else kind_of(model).conduct)(model, order)
    return conduct


def _run(model: Model, order: RunOrder, progress: Progress, begun: Begun) -> RunOutcome:
    earlier = read_baseline(order.request.baseline)
    shown = prepare_report(model, order.request.report)
    conduct = _conduct(model, order)
    begun(conduct.count, conduct.header.guarantee)
    run = live_run(model, order, conduct, earlier)
    shown = shown.of_classes(run.judged)
    with ExitStack() as answering:
        return run.outcome(run.attend(progress, answering), shown)
