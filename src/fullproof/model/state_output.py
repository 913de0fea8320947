"""Models whose active state is an output: for systems that can show it (``--observe state``)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.language.declarations import check_name
from fullproof.language.syntax import TRUE, Binary, Comparison, Name
from fullproof.language.types import EnumType, Variable
from fullproof.model.common import Description
from fullproof.model.fsm import Fsm
from fullproof.model.inputs import SENDS, TRIGGER
from fullproof.model.sfsm import Sfsm
from fullproof.model.statemachine import StateMachine
from fullproof.model.sts import Assignment, Sts

Observable: TypeAlias = Fsm | Sfsm | StateMachine

_NO_STATE = (
    "--observe state is for systems that answer each input: an sts may take steps between two outputs, so that no "
    "output belongs to one location"
)
_PLAIN = re.compile(r"[\w.-]+")
_NOT_IN_NAMES = re.compile(r"\W")


def observing_state(model: Fsm | Sfsm | StateMachine | Sts, *, at: Place = NOWHERE) -> Observable:
    """The same model with the state that a step leads to as a further output; one that has it already is returned.

    An fsm answers with symbols such as ``ok @ idle``; an sfsm and a statemachine have one more output, an enum of
    their states.
    """
    require_state(model, at=at)
    assert not isinstance(model, Sts)
    if model.description.unobserved is not None:
        return model
    match model:
        case Fsm():
            return _observing_fsm(model)
        case Sfsm():
            return _observing_sfsm(model)
        case StateMachine():
            return _observing_statemachine(model)


def require_state(model: Fsm | Sfsm | StateMachine | Sts, *, at: Place = NOWHERE) -> None:
    """UserError where a step of the model does not lead to one state."""
    if isinstance(model, Sts):
        raise UserError(_NO_STATE, at=at)


def unobserved(model: Observable) -> Observable:
    """The model as it was before its state became an output."""
    plain = model.description.unobserved
    return plain if isinstance(plain, Fsm | Sfsm | StateMachine) else model


def plain(model: Fsm | Sfsm | StateMachine | Sts) -> Fsm | Sfsm | StateMachine | Sts:
    """The model of any kind as its file defines it, without an observed state."""
    return model if isinstance(model, Sts) else unobserved(model)


def symbol_with_state(output: str, state: str) -> str:
    """The output symbol of an fsm whose state is observed. Different pairs give different symbols, whatever they
    contain.
    """
    return f"{output} @ {state if _PLAIN.fullmatch(state) else json.dumps(state, ensure_ascii=False)}"


def state_output(model: Sfsm | StateMachine) -> tuple[str, Mapping[str, str]]:
    """The name of the output that holds the state, and its value for each state.

    They are ``state`` and the names of the states, unless a name is taken or no name of the expression language.
    """
    variables = (*model.inputs, *model.outputs, *(model.variables if isinstance(model, StateMachine) else ()))
    taken = {v.name for v in variables} | {c.name for c in model.description.constants} | {SENDS, TRIGGER}
    name = _free("state", taken)
    taken.add(name)
    values: dict[str, str] = {}
    for state in model.states:
        values[state] = _free(_NOT_IN_NAMES.sub("_", state), taken)
        taken.add(values[state])
    return name, values


def joined(model: Fsm | Sfsm | StateMachine | Sts) -> Callable[[object, str], object]:
    """How an output of a system and the name of its state make one answer. ``model`` is the one without the state."""
    if isinstance(model, Sts):
        raise UserError(_NO_STATE)
    if isinstance(model, Fsm):
        return lambda output, state: symbol_with_state(str(output), state)
    name, values = state_output(model)
    codes = frozenset(values.values())

    def both(output: object, state: str) -> object:
        assert isinstance(output, Mapping)
        # A state that the model does not know stays as it is: no value of the output, and found wrong.
        known = values.get(state, f"(unknown) {state}" if state in codes else state)
        given = {key: value for key, value in output.items() if key != SENDS}
        sent = {SENDS: output[SENDS]} if SENDS in output else {}
        return {**given, name: known, **sent}

    return both


def _free(wanted: str, taken: set[str]) -> str:
    candidate, number = wanted, 1
    while candidate in taken or not _is_name(candidate):
        number += 1
        candidate = f"state_{wanted}" if number == 2 else f"state_{wanted}_{number}"
    return candidate


def _is_name(text: str) -> bool:
    try:
        check_name(text, at=NOWHERE)
    except UserError:
        return False
    return True


def _described(model: Observable) -> Description:
    return replace(model.description, unobserved=model)


def _observing_fsm(model: Fsm) -> Fsm:
    transitions = tuple(t._replace(output=symbol_with_state(t.output, t.target)) for t in model.transitions)
    return replace(
        model,
        outputs=tuple(dict.fromkeys(t.output for t in transitions)),
        transitions=transitions,
        description=_described(model),
    )


def _observing_sfsm(model: Sfsm) -> Sfsm:
    name, values = state_output(model)
    transitions = []
    for t in model.transitions:
        shown = Comparison((Name(name), Name(values[t.target])), ("==",))
        transitions.append(replace(t, output=shown if t.output == TRUE else Binary("and", t.output, shown)))
    state = Variable(name=name, type=EnumType(tuple(values.values())))
    return replace(
        model,
        outputs=(*model.outputs, state),
        transitions=tuple(transitions),
        description=_described(model),
    )


def _observing_statemachine(model: StateMachine) -> StateMachine:
    name, values = state_output(model)
    state = Variable(name=name, type=EnumType(tuple(values.values())), initial=values[model.initial])
    return replace(
        model,
        outputs=(*model.outputs, state),
        transitions=tuple(
            replace(t, actions=(*t.actions, Assignment(variable=name, expression=Name(values[t.target]))))
            for t in model.transitions
        ),
        description=_described(model),
    )
