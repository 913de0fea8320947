"""statemachine -> suite: partition, justification, concrete events, a finite method on the model restricted to them."""

from __future__ import annotations

import dataclasses
import time
from math import comb

from fullproof.artefacts.guarantee import Guarantee, Strength, Theorem, no_guarantee
from fullproof.artefacts.partition import is_endless
from fullproof.artefacts.request import Relation, StateDomain, SuiteRequest
from fullproof.core.errors import NothingToDo, Place, UserError
from fullproof.core.suggest import all_of
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS
from fullproof.generate.statemachine.all_events import FEW_CELLS, FEW_INPUTS, explored
from fullproof.generate.statemachine.claims import finite_part, guarantee, notes
from fullproof.generate.statemachine.identified_suite import identified_events
from fullproof.generate.statemachine.paper import paper_events, paper_guarantee
from fullproof.generate.statemachine.restriction import MOST_CELLS
from fullproof.generate.statemachine.suite import EventQuestion, EventSuite, exhaustive_events, relaxed_events
from fullproof.generate.statemachine.undetected import LISTED, merged_classes, undetected_slips
from fullproof.kinds.options import extra_states_of
from fullproof.kinds.statemachine.named_faults import asked_events, suite_for_named
from fullproof.kinds.statemachine.regions import MadeEvents, regions_asked, suite_by_regions, whole_region
from fullproof.kinds.suite import GeneratedSuite, header_for
from fullproof.model import StateMachine
from fullproof.model.common import FaultDomain

METHODS = ("identify", "partition", "paper", "relaxed", *EQUIVALENCE_METHODS)
MOST_POINTS = 2_000
_SECONDS = 60.0


def suite_for(model: StateMachine, request: SuiteRequest, sha256: str, at: Place) -> GeneratedSuite:
    """Generate by ``identify``, which ``auto`` means: complete on chosen events, and the class after each step
    distinguished from all others; by ``partition``, the first of the two alone; by a finite method of that name;
    by ``paper``, the suite of paper 003, section 7, or ``relaxed``, that of its section 8; or for faults by name.
    """
    begin = time.perf_counter()
    faults = asked_events(model, request, at)
    if faults is not None:
        return suite_for_named(model, request, faults, sha256, at)
    size = regions_asked(model, request, at)
    if size is not None:
        return suite_by_regions(model, size, request, sha256, at, make=events_for)
    made = events_for(model, request, at)
    header = header_for(model, request, sha256=sha256, method=made.method, guarantee=made.guarantee)
    suite, question = made.suite, made.question
    header = dataclasses.replace(header, events=None if suite.machine is None else (made.events,))
    return GeneratedSuite(
        header=dataclasses.replace(header, extra_states=0) if made.method == "relaxed" else header,
        model=model,
        alphabet=suite.events,
        words=suite.words,
        states=made.states,
        notes=notes(suite, question.partition, model),
        seconds=time.perf_counter() - begin,
        details={
            **_figures(question, suite),
            "fault_hypotheses": made.hypotheses,
            "solver_calls": made.calls,
            **whole_region(model, made, header.extra_states),
        },
    )


def events_for(
    model: StateMachine, request: SuiteRequest, at: Place, question: EventQuestion | None = None
) -> MadeEvents:
    """The suite of a model, or of a projection of it, with what it guarantees; perhaps for a question asked before."""
    method = _checked(model, request, at)
    extra = extra_states_of(model, request)
    if question is None:
        question = _question(model, request, _domain(model, request, at), by_classes=method in ("paper", "relaxed"))
    suite, proven = _made(method, question, request, extra_states=extra)
    if not suite.events:
        raise NothingToDo("no event does anything that could be tested", at=at)
    if is_endless(question.partition) and suite.finite is not None:
        proven = finite_part(proven, suite, question.partition.doubts)
    else:
        proven = proven.refused(_unjustified(question))
    return MadeEvents(method=method, question=question, suite=suite, guarantee=proven, extra=extra)


def _made(
    method: str, question: EventQuestion, request: SuiteRequest, *, extra_states: int
) -> tuple[EventSuite, Guarantee]:
    """The suite of a method, and its guarantee as far as the classes are justified."""
    if method == "relaxed":
        return relaxed_events(question, request, seed=request.seed), _RELAXED
    if method == "paper":
        found, facts = paper_events(question, extra_states=extra_states)
        return found, paper_guarantee(found, facts, extra_states=extra_states)
    make = identified_events if method == "identify" else exhaustive_events
    suite = make(question, request, extra_states=extra_states)
    if not suite.events:
        return suite, no_guarantee()
    return suite, guarantee(question.model, question.domain, suite, extra_states=extra_states)


def _question(model: StateMachine, request: SuiteRequest, domain: FaultDomain, *, by_classes: bool) -> EventQuestion:
    """The partition and its check; or all events, where these are few or the classes are uncertain."""
    from fullproof.abstract.partition.definition_check import justified
    from fullproof.abstract.partition.fixpoint import partition_of

    seconds = request.timeout or _SECONDS
    few = None if by_classes else explored(model, most_inputs=FEW_INPUTS, most_cells=FEW_CELLS)
    if few is not None:
        whole = few[0].partition
        return EventQuestion(model=model, partition=whole, justification=None, domain=domain, whole=few)
    partition = partition_of(model, timeout=seconds)
    found = justified(model, partition, timeout=seconds)
    question = EventQuestion(model=model, partition=partition, justification=found, domain=domain, seconds=seconds)
    if by_classes or not _unjustified(question) or is_endless(partition):
        return question
    all_there_are = explored(model, most_inputs=MOST_CELLS, most_cells=MOST_CELLS)
    if all_there_are is None:
        return question
    return dataclasses.replace(question, whole=all_there_are, partition=all_there_are[0].partition, justification=None)


def _figures(question: EventQuestion, suite: EventSuite) -> dict[str, object]:
    """The fields of ``generate --json``; None for classes where none were needed."""
    partition, identified = question.partition, suite.identified
    classes = question.whole is None
    return {
        "state_classes": len(partition.states) if classes else None,
        "trigger_classes": len(partition.triggers) * len(partition.signals) if classes else None,
        "letters": suite.letters if classes else None,
        "covered": suite.wanted - suite.missing,
        "not_reached": suite.missing,
        "events": len(suite.events),
        "configurations": None if suite.machine is None else len(suite.machine.places),
        "fsm_method": None if suite.finite is None else suite.finite.method.name,
        "steps_followed": None if identified is None else identified.steps,
        "not_told_apart": [] if identified is None else merged_classes(identified, partition),
        "not_detected": [] if identified is None else undetected_slips(identified, question.model)[:LISTED],
    }


def _checked(model: StateMachine, request: SuiteRequest, at: Place) -> str:
    if request.relation not in (None, Relation.EQUIVALENCE):
        raise UserError("suites for a statemachine are for equivalence", at=at)
    if request.domain is not StateDomain.STATES:
        raise UserError("suites for a statemachine are for --domain states", at=at)
    if request.fsm_method is not None and request.fsm_method not in ("auto", *EQUIVALENCE_METHODS):
        hint = all_of(request.fsm_method, EQUIVALENCE_METHODS)
        raise UserError(f"unknown finite method {request.fsm_method!r}{hint}", at=at)
    if request.method not in ("auto", *METHODS):
        hint = all_of(request.method, (*METHODS, "auto"))
        raise UserError(f"unknown method {request.method!r} for a statemachine{hint}", at=at)
    if not model.transitions:
        raise NothingToDo("there is no transition, so there is nothing to test", at=at)
    return METHODS[0] if request.method == "auto" else request.method


def _domain(model: StateMachine, request: SuiteRequest, at: Place) -> FaultDomain:
    """The model's fault domain, with the degree and the paving from the request."""
    from fullproof.formats.document.fault_domain import PAVING

    domain = model.description.fault_domain
    if request.degree is not None:
        domain = dataclasses.replace(domain, degree=request.degree)
    if domain.degree:
        attributes = len(model.inputs) + len(model.outputs) + len(model.variables)
        points = comb(domain.degree + attributes, domain.degree)
        if points > MOST_POINTS:
            message = f"degree {domain.degree} asks for {points:,} data points of each step, more than {MOST_POINTS:,}"
            raise UserError(message, at=at)
    asked = PAVING.of_options(request.paving, (*model.inputs, *model.outputs, *model.variables), at=at)
    names = {one.variable for one in asked}
    kept = tuple(one for one in domain.paving if one.variable not in names)
    return dataclasses.replace(domain, paving=(*kept, *asked))


def _unjustified(question: EventQuestion) -> tuple[str, ...]:
    """Why there is no guarantee, where there is none; where all events are taken, nothing depends on classes."""
    partition, found = question.partition, question.justification
    if found is None:
        return ()
    if partition.doubts:
        return tuple(partition.doubts)
    if found.holds is not True:
        what = "does not hold" if found.holds is False else "could not be decided"
        return (f"Definition 1 of the partition {what} (see fullproof classes)",)
    return ()


_RELAXED = Guarantee(
    strength=Strength.EXERCISED,
    says="every transition of the justified partition that was reached is exercised with random values, and random "
    "walks follow",
    theorem=Theorem("the relaxed strategy of Huang and Peleska, section 8"),
)
