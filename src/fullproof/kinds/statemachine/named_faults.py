"""Faults by name for state machines, charts included: those of the finite machine of all configurations and events.

Every event that there is belongs to the finite machine, so that nothing depends on a choice of values: what is proven
of the finite machine holds for the state machine.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from fullproof.artefacts.request import Relation
from fullproof.core.counted import counted
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.kinds.fsm.named_faults import ForAnother, named_faults_for, suite_for_faults
from fullproof.kinds.options import extra_states_of
from fullproof.kinds.statemachine.event_names import answer_name, event_name
from fullproof.kinds.statemachine.tolerances import outside_tolerances
from fullproof.kinds.suite import GeneratedSuite, header_for
from fullproof.language.printer import value_to_text
from fullproof.model import Fsm, Model, StateMachine
from fullproof.model.fsm import FsmTransition
from fullproof.model.inputs import SignalEvent

if TYPE_CHECKING:
    from fullproof.artefacts.request import SuiteRequest
    from fullproof.artefacts.suite import TestInput
    from fullproof.certify.answers import Certificate
    from fullproof.generate.statemachine.places import MachinePlace
    from fullproof.generate.statemachine.restriction import Restriction
    from fullproof.kinds.kind import CompletenessAsked
    from fullproof.language.types import Value
    from fullproof.model.named_faults import NamedFaults

_MOST_INPUTS, _MOST_CELLS = 60, 4_000
"""Combinations of input values, and configurations times events, up to which all are taken."""


def explored_machine(model: Model, at: Place = NOWHERE) -> Restriction:
    """All configurations and events, with what happens."""
    from fullproof.generate.statemachine.all_events import explored

    if not isinstance(model, StateMachine):
        raise UserError(f"this is a model of kind {model.kind}, and a state machine was expected", at=at)
    if model.timers:
        raise UserError("this state machine has timers, and one without was expected", at=at)
    few = explored(model, most_inputs=_MOST_INPUTS, most_cells=_MOST_CELLS)
    if few is None:
        message = "faults by name need all events and configurations, and this state machine has too many of them"
        raise UserError(message, at=at)
    return few[1]


def finite_machine(model: Model, at: Place = NOWHERE) -> tuple[Fsm, tuple[SignalEvent, ...]]:
    """The machine of all configurations and events, and the events in the order of its inputs."""
    machine = explored_machine(model, at)
    return _finite(machine, model.name), machine.events


def _finite(machine: Restriction, name: str) -> Fsm:
    states = _distinct([_place_text(place) for place in machine.places])
    inputs = _distinct([event_text(event) for event in machine.events])
    said = _distinct_outputs(machine.seen)
    rows = [
        FsmTransition(states[p], inputs[e], said[seen], states[target])
        for p, (targets, outputs) in enumerate(zip(machine.after, machine.seen, strict=True))
        for e, (target, seen) in enumerate(zip(targets, outputs, strict=True))
    ]
    return Fsm(
        name=name,
        initial=states[0],
        states=tuple(states),
        inputs=tuple(inputs),
        outputs=tuple(said.values()),
        transitions=tuple(rows),
    )


def asked_events(model: StateMachine, request: SuiteRequest, at: Place = NOWHERE) -> NamedFaults | None:
    """The faults that a request or the model names; None where neither does."""
    if request.faults is None and request.since is None and model.description.fault_domain.faults is None:
        return None
    machine, _ = finite_machine(model, at)
    description = dataclasses.replace(machine.description, fault_domain=model.description.fault_domain)
    named = dataclasses.replace(machine, description=description)
    found = named_faults_for(named, request, at, finite=lambda old, there: finite_machine(old, there)[0])
    if found is None:
        return None
    return dataclasses.replace(
        found, states=_meant(found.states, machine.states), inputs=_meant(found.inputs, machine.inputs)
    )


def _meant(names: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """The names of the finite machine: a control state or a signal stands for all that have other values beside it."""
    found = [[one for one in known if one == name or one.startswith(f"{name} ")] or [name] for name in names]
    return tuple(dict.fromkeys(one for listed in found for one in listed))


def suite_for_named(
    model: StateMachine, request: SuiteRequest, faults: NamedFaults, sha256: str, at: Place
) -> GeneratedSuite:
    """Generate by counterexamples for the finite machine; the tests are sequences of events."""
    machine, events = finite_machine(model, at)
    asked = dataclasses.replace(request, extra_states=extra_states_of(model, request))
    # A wrong target is another configuration of the model, not a control state with the data of this one.
    meant = f"the finite machine of the {counted(len(machine.states), 'configuration')} of the model"
    made = suite_for_faults(machine, asked, faults, sha256, at, stands_for=ForAnother(called=meant))
    proven = made.header.guarantee
    if not made.undecided:
        proven = outside_tolerances(proven, model.outputs)
    header = header_for(model, asked, sha256=sha256, method=made.header.method, guarantee=proven)
    return dataclasses.replace(
        made, header=dataclasses.replace(header, faults=made.header.faults), model=model, alphabet=events
    )


def certify_named_events(
    model: StateMachine, tests: Sequence[tuple[TestInput, ...]], asked: CompletenessAsked
) -> Certificate:
    """Whether a suite of events is complete for faults by name. Needs: some are named."""
    from fullproof.certify.answers import Incomplete, UndecidedCompleteness, up_to_tolerances
    from fullproof.certify.named_check import certify_named
    from fullproof.formats.document.named_faults import named_faults_of_text

    if asked.relation is not Relation.EQUIVALENCE:
        reason = f"faults by name are decided for equivalence, not for {asked.relation.value}"
        return UndecidedCompleteness(reason=reason)
    faults = named_faults_of_text(asked.faults or "", "the fault domain of the suite")
    explored = explored_machine(model)
    machine = _finite(explored, model.name)
    name: dict[TestInput, str] = dict(zip(explored.events, machine.inputs, strict=True))
    words = [tuple(name.get(event, str(event)) for event in test) for test in tests]
    answer = certify_named(machine, words, faults, extra_states=asked.extra_states, timeout=asked.seconds)
    if isinstance(answer, Incomplete) and isinstance(answer.survivor, Fsm):
        return dataclasses.replace(answer, survivor=_playable(answer.survivor, machine, explored, model))
    return up_to_tolerances(answer, model.outputs)


def _playable(survivor: Fsm, machine: Fsm, explored: Restriction, model: StateMachine) -> Fsm:
    """A survivor with events and answers called such that it can play the system."""
    event = dict(zip(machine.inputs, map(event_name, explored.events), strict=True))
    answer: dict[str, str] = {}
    for seen, text in _distinct_outputs(explored.seen).items():
        signals = len(seen) - len(model.outputs)
        values = {v.name: cast("Value", one) for v, one in zip(model.outputs, seen[signals:], strict=True)}
        answer[text] = answer_name(values, [str(signal) for signal in seen[:signals]])
    return dataclasses.replace(
        survivor,
        inputs=tuple(event.get(one, one) for one in survivor.inputs),
        outputs=tuple(answer.get(one, one) for one in survivor.outputs),
        transitions=tuple(
            FsmTransition(t.source, event.get(t.input, t.input), answer.get(t.output, t.output), t.target)
            for t in survivor.transitions
        ),
    )


def event_text(event: SignalEvent) -> str:
    """An event as an input of a finite machine: its signal, and the values that it brings."""
    values = [f"{name}={value_to_text(value)}" for name, value in event.inputs]
    return " ".join([event.signal or "none", *values])


def _place_text(place: MachinePlace) -> str:
    return " ".join([place.state, *map(value_to_text, place.memory)])


def _distinct_outputs(seen: Sequence[Sequence[tuple[object, ...]]]) -> dict[tuple[object, ...], str]:
    listed = list(dict.fromkeys(one for row in seen for one in row))
    return dict(zip(listed, _distinct([", ".join(map(str, one)) or "nothing" for one in listed]), strict=True))


def _distinct(names: Sequence[str]) -> list[str]:
    """The names; one that occurs again gets a number."""
    used: set[str] = set()
    found = []
    for name in names:
        text, number = name, 1
        while text in used:
            number += 1
            text = f"{name} ({number})"
        used.add(text)
        found.append(text)
    return found
