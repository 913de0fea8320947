"""sfsm -> suite: classes, a finite abstraction, a method, concrete inputs."""

from __future__ import annotations

import time
from dataclasses import replace

from fullproof.analysis.requirements import requirements_along
from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import Place
from fullproof.model import Sfsm
from fullproof.pipeline.suites import GeneratedSuite, header_for
from fullproof.pipeline.symbolic_methods import answer
from fullproof.pipeline.symbolic_question import question_of


def symbolic_suite(model: Sfsm, request: SuiteRequest, *, sha256: str, at: Place) -> GeneratedSuite:
    """Generate for a model in memory, by the method asked for or the one whose suite is smallest."""
    begin = time.perf_counter()
    question = question_of(model, request, at=at)
    made = answer(question)
    return GeneratedSuite(
        header=replace(
            header_for(model, request, sha256=sha256, method=made.method, guarantee=made.guarantee), domain=made.domain
        ),
        model=model,
        alphabet=made.inputs,
        words=made.words,
        states=made.states,
        notes=(*question.notes, *made.notes),
        seconds=time.perf_counter() - begin,
        covered=requirements_along(model, properties=tuple(p.name for p in question.properties)),
        details={"io_classes": made.classes, "representatives": len(made.inputs)},
    )
