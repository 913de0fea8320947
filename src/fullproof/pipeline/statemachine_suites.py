"""statemachine -> suite: partition, justification, abstract machine, concrete events."""

from __future__ import annotations

import dataclasses
import time
from math import comb

from fullproof.artefacts.partition import Justification, Partition
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.core.errors import NothingToDo, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.generate.statemachine.suite import EventQuestion, EventSuite, exhaustive_events, relaxed_events
from fullproof.generate.statemachine.telling import DEPTH
from fullproof.model import StateMachine
from fullproof.pipeline.suites import GeneratedSuite, extra_states_of, header_for

METHODS = ("partition", "relaxed")
_SECONDS = 60.0


def statemachine_suite(model: StateMachine, request: SuiteRequest, *, sha256: str, at: Place) -> GeneratedSuite:
    """Generate by ``partition`` (paper 003, section 7), which ``auto`` means, or ``relaxed`` (its section 8)."""
    from fullproof.abstract.partition.computing import partition_of
    from fullproof.abstract.partition.justifying import justified
    from fullproof.artefacts.words import word_list

    method = _checked(model, request, at)
    begin = time.perf_counter()
    seconds = request.timeout or _SECONDS
    partition = partition_of(model, timeout=seconds)
    found = justified(model, partition, timeout=seconds)
    extra = extra_states_of(model, request)
    question = EventQuestion(
        model=model,
        partition=partition,
        justification=found,
        domain=model.description.fault_domain,
        seconds=seconds,
    )
    relaxed = method == "relaxed"
    suite = relaxed_events(question, seed=request.seed) if relaxed else exhaustive_events(question, extra_states=extra)
    if not suite.words:
        raise NothingToDo("no event does anything that could be tested", at=at)
    events = list(dict.fromkeys(event for word in suite.words for event in word))
    number = {event: k for k, event in enumerate(events)}
    doubt = _unjustified(partition, found)
    guarantee = doubt or (_RELAXED if relaxed else _guarantee(model, suite, extra))
    header = header_for(model, request, sha256=sha256, method=method, guarantee=guarantee)
    return GeneratedSuite(
        header=dataclasses.replace(header, extra_states=0) if relaxed else header,
        model=model,
        alphabet=tuple(event.as_input() for event in events),
        words=word_list([number[event] for event in word] for word in suite.words),
        states=len(partition.states),
        notes=_notes(suite, partition, relaxed=relaxed),
        seconds=time.perf_counter() - begin,
        details={
            "state_classes": len(partition.states),
            "trigger_classes": len(partition.triggers) * len(partition.signals),
            "letters": suite.letters,
            "covered": suite.wanted - len(suite.cover.missing),
            "not_reached": len(suite.cover.missing),
            "solver_calls": found.calls + suite.calls,
        },
    )


def _checked(model: StateMachine, request: SuiteRequest, at: Place) -> str:
    if request.relation not in (None, Relation.EQUIVALENCE) or request.properties:
        raise UserError("suites for a statemachine are for equivalence", at=at)
    if request.fsm_method not in (None, "w"):
        raise UserError(f"--fsm-method {request.fsm_method}: below partition there is w in this version", at=at)
    if request.method not in ("auto", *METHODS):
        hint = did_you_mean(request.method, METHODS)
        raise UserError(f"unknown method {request.method!r} for a statemachine{hint}", at=at)
    if not model.transitions:
        raise NothingToDo("there is no transition, so there is nothing to test", at=at)
    return METHODS[0] if request.method == "auto" else request.method


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


def _guarantee(model: StateMachine, suite: EventSuite, extra: int) -> str:
    domain = model.description.fault_domain
    if domain.degree is None:
        third = "one data point of each class shows a wrong transformation"
    else:
        count = len(model.inputs) + len(model.outputs) + len(model.variables)
        points = comb(domain.degree + count, domain.degree)
        third = f"transformations are polynomials of degree {domain.degree} ({points} independent points each)"
    widths = ", ".join(f"{p.variable} by {float(p.width):g}" for p in domain.paving)
    fourth = f"within intervals ({widths})" if widths else "within a trigger class"
    return (
        "Not proven yet: a system that passes should be equivalent to the model, if "
        "(FH1) it is a deterministic state machine over the same"
        f" attributes, (FH2) its abstraction has at most {extra} more state classes than the model's"
        f", (FH3) {third}, also through the outputs that depend on it later, and (FH4) a fault shows everywhere"
        f" {fourth}, or on a facet of its boundary{_reservations(suite)}."
    )


def _reservations(suite: EventSuite) -> str:
    """What the proof does not cover, since the search for concrete events did not find it."""
    cover, found = suite.cover, list[str]()
    if cover.missing:
        found.append(
            f"{len(cover.missing):,} of {suite.wanted:,} pairs of a state class and a letter, to which no concrete path"
            " was found"
        )
    if cover.thin:
        found.append(f"{cover.thin:,} steps with too few independent data points")
    if suite.untold:
        found.append(f"{len(suite.untold)} pairs of control states that no word told apart in some place")
    claims = f"; nothing is claimed for {', nor for '.join(found)}" if found else ""
    return f"{claims}; words that identify places are searched up to {DEPTH} events, not proven to suffice"


def _notes(suite: EventSuite, partition: Partition, *, relaxed: bool) -> tuple[str, ...]:
    cover, notes = suite.cover, list[str]()
    never = [c for k, c in enumerate(partition.states) if k not in cover.classes]
    if never:
        names = ", ".join(sorted({c.state for c in never}))
        notes.append(
            f"no concrete path was found to {len(never)} of {len(partition.states)} state classes (of {names})"
        )
    if not cover.in_time:
        notes.append("the time for the transition cover was over before all places had been tried (--timeout)")
    if suite.untold and not relaxed:
        listed = ", ".join(f"{one} from {other}" for one, other in suite.untold[:5])
        notes.append(f"no short word tells some places apart: {listed}{' ...' if len(suite.untold) > 5 else ''}")
    if cover.thin and not relaxed:
        notes.append(f"{cover.thin:,} steps have fewer independent data points than FH3 asks for: no more were found")
    if suite.open:
        notes.append(f"the solver left {suite.open:,} questions for inputs open; they count as not reached")
    return tuple(notes)
