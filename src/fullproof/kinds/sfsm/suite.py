"""sfsm -> suite: classes, a finite abstraction, a method, concrete inputs."""

from __future__ import annotations

import time
from dataclasses import replace

from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import Place
from fullproof.kinds.sfsm.boundary_values import guards_outside, with_boundary_values
from fullproof.kinds.sfsm.methods import answer
from fullproof.kinds.sfsm.named_faults import faults_asked, suite_for_named
from fullproof.kinds.sfsm.question import question_of
from fullproof.kinds.suite import GeneratedSuite, header_for
from fullproof.model import Sfsm


def suite_for(model: Sfsm, request: SuiteRequest, sha256: str, at: Place) -> GeneratedSuite:
    """Generate for a model in memory, by the method asked for or the one whose suite is smallest; or for faults."""
    begin = time.perf_counter()
    faults = faults_asked(model, request, at)
    if faults is not None:
        return suite_for_named(model, request, faults, sha256, at)
    question = question_of(model, request, at=at)
    made = answer(question)
    representatives = len(made.inputs)
    made = with_boundary_values(model, made)
    return GeneratedSuite(
        header=replace(
            header_for(model, request, sha256=sha256, method=made.method, guarantee=made.guarantee), domain=made.domain
        ),
        model=model,
        alphabet=made.inputs,
        words=made.words,
        states=made.states,
        notes=(*question.notes, *guards_outside(model, question), *made.notes),
        seconds=time.perf_counter() - begin,
        details={"io_classes": made.classes, "representatives": representatives},
    )
