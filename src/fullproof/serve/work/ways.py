"""Ways on from a state: each transition with an input that may take it, found by the solver where data is involved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fullproof.formats.labels import AnyTransition, transition_label
from fullproof.language.printing import value_to_text
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import Comparison, Expression, Name
from fullproof.language.types import Value, Variable
from fullproof.model import Fsm, Model, Sfsm, StateMachine, Sts
from fullproof.model.fsm import FsmTransition
from fullproof.model.sfsm import SfsmTransition
from fullproof.model.statemachine import SmTransition
from fullproof.model.sts import Switch

_MOST = 40
_SOLVED = 12
_SECONDS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """Values of ``free`` such that ``conditions`` hold, the other variables being as they are."""

    name: str
    free: Sequence[Variable]
    known: Sequence[Variable] = ()
    conditions: tuple[Expression, ...] = ()


def ways(model: Model, state: str, values: Mapping[str, Value]) -> Iterator[dict[str, object]]:
    """The transitions that leave a state; ``try`` is a move that may take one, where there is such a move."""
    leaving: list[AnyTransition] = [t for t in model.transitions if t.source == state]
    for number, transition in enumerate(leaving[:_MOST]):
        question = _question(model, transition)
        move = None
        if question is not None and (not question.conditions or number < _SOLVED):
            move = _move(model, question, values)
        yield {"label": transition_label(model, transition), "to": transition.target, "try": move}


def _question(model: Model, transition: AnyTransition) -> _Question | None:
    match model, transition:
        case Fsm(), FsmTransition():
            return _Question(name=transition.input, free=())
        case Sfsm(), SfsmTransition():
            conditions = (transition.guard, transition.output)
            return _Question(name="", free=model.inputs, known=model.outputs, conditions=conditions)
        case Sts(), Switch():
            gate = next((gate for gate in model.inputs if gate.name == transition.gate), None)
            if gate is None:
                return _Question(name="", free=())  # an output: it comes when it likes
            return _Question(
                name=gate.name, free=gate.parameters, known=model.variables, conditions=(transition.guard,)
            )
        case StateMachine(), SmTransition():
            known = (*model.outputs, *model.variables)
            name = transition.trigger or ""
            return _Question(name=name, free=model.inputs, known=known, conditions=(transition.guard,))
    return None


def _move(model: Model, question: _Question, values: Mapping[str, Value]) -> dict[str, object] | None:
    if not question.conditions:
        return {"name": question.name, "values": {}}
    from fullproof.smt import Sat, open_solver

    constants = {c.name: c.value for c in model.description.constants}
    solver = open_solver(Scope((*question.known, *question.free), constants), timeout=_SECONDS)
    fixed = [Comparison((Name(v.name), literal(values[v.name])), ("==",)) for v in question.known if v.name in values]
    answer = solver.check_assuming(*question.conditions, *fixed)
    if not isinstance(answer, Sat):
        return None
    found = {v.name: value_to_text(answer.model[v.name]) for v in question.free}
    return {"name": question.name, "values": found}
