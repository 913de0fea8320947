"""sfsm -> suite: classes, a finite abstraction, a method, concrete inputs."""

from __future__ import annotations

from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import Place, UserError
from fullproof.model import Sfsm
from fullproof.pipeline.suites import GeneratedSuite


def symbolic_suite(model: Sfsm, request: SuiteRequest, *, sha256: str, at: Place) -> GeneratedSuite:
    """Generate for a model in memory."""
    raise UserError(f"suites are generated for fsm models in this version; this is a model of kind {model.kind}", at=at)
