"""The fault domain that the header of a suite carries: how a model is read with it, and what a pass is worth."""

from __future__ import annotations

from dataclasses import replace

from fullproof.artefacts.run import RunResult
from fullproof.artefacts.suite import SuiteHeader
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import NOWHERE, Place
from fullproof.kinds import kind_of
from fullproof.model import Model


def with_domain(model: Model, header: SuiteHeader, *, at: Place = NOWHERE) -> Model:
    """The model with the whole fault domain of a suite: what a run is judged by, and what a report speaks of."""
    widened: Model = kind_of(model).widened(model, header, at)
    return widened


def settled(result: RunResult, header: SuiteHeader) -> RunResult:
    """The result of a run under the suite's claim: a pass proves nothing while the claim rests on open questions."""
    if result.verdict is not Verdict.PASS or header.domain is None or not header.domain.undecided:
        return result
    return replace(result, verdict=Verdict.INCONCLUSIVE)
