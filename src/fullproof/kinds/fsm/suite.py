"""fsm -> suite, by a finite method."""

from __future__ import annotations

import time

from fullproof.artefacts.request import SuiteRequest
from fullproof.core.deadline import Deadline
from fullproof.core.errors import NothingToDo, Place
from fullproof.kinds.fsm.named_faults import named_faults_for, suite_for_faults
from fullproof.kinds.fsm.smallest import smallest_suite
from fullproof.kinds.options import extra_states_of
from fullproof.kinds.suite import GeneratedSuite, header_for
from fullproof.model import Fsm


def suite_for(model: Fsm, request: SuiteRequest, sha256: str, at: Place) -> GeneratedSuite:
    """Generate for a model in memory."""
    if not model.inputs:
        raise NothingToDo("the machine has no inputs, so there is nothing to test", at=at)
    faults = named_faults_for(model, request, at)
    if faults is not None:
        return suite_for_faults(model, request, faults, sha256, at)
    begin = time.perf_counter()
    clock = Deadline(request.timeout)
    suite = smallest_suite(model, request, extra_states=extra_states_of(model, request), at=at, clock=clock)
    return GeneratedSuite(
        header=header_for(model, request, sha256=sha256, method=suite.method, guarantee=suite.guarantee),
        model=model,
        alphabet=model.inputs,
        words=suite.words,
        states=suite.states,
        notes=suite.notes,
        seconds=time.perf_counter() - begin,
    )
