"""statemachine -> suite: partition, justification, concrete events, a finite method on the model restricted to them."""

from __future__ import annotations

import dataclasses
import time
from functools import partial
from math import comb

from fullproof.artefacts.partition import Justification, Partition
from fullproof.artefacts.request import Domain, Relation, SuiteRequest
from fullproof.core.errors import NothingToDo, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.generate.catalogue import EQUIVALENCE_METHODS
from fullproof.generate.statemachine.claims import guarantee, hypotheses, notes
from fullproof.generate.statemachine.suite import EventQuestion, exhaustive_events, relaxed_events
from fullproof.model import StateMachine
from fullproof.model.common import FaultDomain
from fullproof.pipeline.suites import GeneratedSuite, extra_states_of, header_for

METHODS = ("partition", "relaxed", *EQUIVALENCE_METHODS)
MOST_POINTS = 2_000
_SECONDS = 60.0


def statemachine_suite(model: StateMachine, request: SuiteRequest, *, sha256: str, at: Place) -> GeneratedSuite:
    """Generate by ``partition``, which ``auto`` means: the cheapest finite method on chosen events; by a finite method
    of that name; or by ``relaxed`` (paper 003, section 8).
    """
    from fullproof.abstract.partition.computing import partition_of
    from fullproof.abstract.partition.justifying import justified

    method = _checked(model, request, at)
    begin = time.perf_counter()
    seconds = request.timeout or _SECONDS
    partition = partition_of(model, timeout=seconds)
    found = justified(model, partition, timeout=seconds)
    extra = extra_states_of(model, request)
    domain = _domain(model, request, at)
    question = EventQuestion(model=model, partition=partition, justification=found, domain=domain, seconds=seconds)
    relaxed = method == "relaxed"
    make = partial(relaxed_events, seed=request.seed) if relaxed else partial(exhaustive_events, extra_states=extra)
    suite = make(question, request)
    if not suite.events:
        raise NothingToDo("no event does anything that could be tested", at=at)
    doubt = _unjustified(partition, found)
    sentence = doubt or (_RELAXED if relaxed else guarantee(model, domain, suite, extra_states=extra))
    header = header_for(model, request, sha256=sha256, method=method, guarantee=sentence)
    return GeneratedSuite(
        header=dataclasses.replace(header, extra_states=0) if relaxed else header,
        model=model,
        alphabet=tuple(event.as_input() for event in suite.events),
        words=suite.words,
        states=len(partition.states) if suite.finite is None else suite.finite.states,
        notes=notes(suite, partition),
        seconds=time.perf_counter() - begin,
        details={
            "state_classes": len(partition.states),
            "trigger_classes": len(partition.triggers) * len(partition.signals),
            "letters": suite.letters,
            "covered": suite.wanted - suite.missing,
            "not_reached": suite.missing,
            "events": len(suite.events),
            "configurations": None if suite.machine is None else len(suite.machine.places),
            "fsm_method": None if suite.finite is None else suite.finite.method.name,
            "fault_hypotheses": {} if relaxed or doubt else hypotheses(model, domain, suite, extra_states=extra),
            "solver_calls": found.calls + suite.calls,
        },
    )


def _checked(model: StateMachine, request: SuiteRequest, at: Place) -> str:
    if request.relation not in (None, Relation.EQUIVALENCE) or request.properties:
        raise UserError("suites for a statemachine are for equivalence", at=at)
    if request.domain is not Domain.STATES:
        raise UserError("suites for a statemachine are for --domain states", at=at)
    if request.fsm_method is not None and request.fsm_method not in ("auto", *EQUIVALENCE_METHODS):
        hint = did_you_mean(request.fsm_method, EQUIVALENCE_METHODS)
        raise UserError(f"unknown finite method {request.fsm_method!r}{hint}", at=at)
    if request.method not in ("auto", *METHODS):
        hint = did_you_mean(request.method, METHODS)
        raise UserError(f"unknown method {request.method!r} for a statemachine{hint}", at=at)
    if not model.transitions:
        raise NothingToDo("there is no transition, so there is nothing to test", at=at)
    return METHODS[0] if request.method == "auto" else request.method


def _domain(model: StateMachine, request: SuiteRequest, at: Place) -> FaultDomain:
    """The model's fault domain, with the degree and the paving that were asked for instead."""
    from fullproof.formats.paving import paving_of

    domain = model.description.fault_domain
    if request.degree is not None:
        domain = dataclasses.replace(domain, degree=request.degree)
    if domain.degree:
        attributes = len(model.inputs) + len(model.outputs) + len(model.variables)
        points = comb(domain.degree + attributes, domain.degree)
        if points > MOST_POINTS:
            message = f"degree {domain.degree} asks for {points:,} data points of each step, more than {MOST_POINTS:,}"
            raise UserError(message, at=at)
    asked = paving_of(request.paving, (*model.inputs, *model.outputs, *model.variables), at=at)
    names = {one.variable for one in asked}
    kept = tuple(one for one in domain.paving if one.variable not in names)
    return dataclasses.replace(domain, paving=(*kept, *asked))


def _unjustified(partition: Partition, found: Justification) -> str:
    if partition.doubts:
        return f"No guarantee: {'; '.join(partition.doubts)}."
    if found.holds is not True:
        what = "does not hold" if found.holds is False else "could not be decided"
        return f"No guarantee: Definition 1 of the partition {what} (see fullproof classes)."
    return ""


_RELAXED = (
    "No proof (the relaxed strategy of Huang and Peleska, section 8): every transition of the justified partition that"
    " was reached is exercised with random values, and random walks follow."
)
