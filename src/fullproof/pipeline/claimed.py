"""The fault domain in the header of a suite: reading a model with it, and its effect on a pass."""

from __future__ import annotations

from dataclasses import replace

from fullproof.artefacts.run import RunResult
from fullproof.artefacts.suite import SuiteHeader
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import NOWHERE, Place
from fullproof.kinds import kind_of
from fullproof.model import Model


def with_domain(model: Model, header: SuiteHeader, *, at: Place = NOWHERE) -> Model:
    """The model with the whole fault domain of a suite, for judging runs and for reports."""
    widened: Model = kind_of(model).widened(model, header, at)
    return widened


def settled(result: RunResult, header: SuiteHeader) -> RunResult:
    """The result of a run under the suite's claim: a pass proves nothing while the claim depends on undecided
    formulas.
    """
    if result.verdict is not Verdict.PASS or header.domain is None or not header.domain.undecided:
        return result
    return replace(result, verdict=Verdict.INCONCLUSIVE)
