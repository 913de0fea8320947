"""One run of an sts against a model that plays the system, without files: what benchmarks and tests count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import RunRequest
from fullproof.artefacts.run import RunResult
from fullproof.artefacts.verdict import BAD
from fullproof.concretise.value_choice import ValueChooser
from fullproof.execute.reactive import ReactiveSut
from fullproof.judge import Summary
from fullproof.judge.sts import StsOracle
from fullproof.kinds.sts.goal_coverage import GoalCoverage
from fullproof.kinds.sts.session import PurposePlan, Session


@dataclass(frozen=True)
class Held:
    """What a session has shown."""

    result: RunResult
    coverage: GoalCoverage


def hold(
    semantics: StsSemantics,
    plan: PurposePlan,
    request: RunRequest,
    system: ReactiveSut,
    *,
    chooser: ValueChooser | None = None,
    seen: Callable[[Execution], object] = lambda _: None,
) -> Held:
    """Drive a system along a plan, and judge what it does."""
    oracle = StsOracle(semantics)
    coverage, summary = GoalCoverage(oracle, plan.criterion, plan.wanted), Summary(oracle)
    session = Session(coverage, request, [system], chooser)
    for execution in session.executions(plan, iter(())):
        seen(execution)
        judgement = oracle.judge(execution)
        summary.add(execution, judgement)
        coverage.saw(execution, judgement)
        if request.stop_on_failure and judgement.verdict in BAD:
            break
    return Held(coverage.settled(summary.result(seconds=0.0)), coverage)
