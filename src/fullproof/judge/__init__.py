"""Stage 6, judge: model and trace -> verdict; pure, so that old logs can be judged again."""

from __future__ import annotations

from collections.abc import Sequence

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import GREY_BOX, Relation
from fullproof.artefacts.verdict import Judgement
from fullproof.core.errors import UserError
from fullproof.judge.fsm import FsmSemantics
from fullproof.judge.oracle import Oracle
from fullproof.judge.summary import Summary
from fullproof.model import Fsm, Model, Sfsm, StateMachine
from fullproof.model.common import Property

_TRACES = (Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION, *sorted(GREY_BOX, key=str))


def oracle_for(
    model: Model, relation: Relation = Relation.EQUIVALENCE, *, properties: Sequence[Property] = ()
) -> Oracle:
    """Prepare to judge many traces of one model; ``properties`` are those that a property run asks for."""
    if isinstance(model, Sfsm) and (relation is Relation.PROPERTY or properties):
        from fullproof.judge.properties import PropertyOracle

        return PropertyOracle(model, properties, Relation.EQUIVALENCE if relation is Relation.PROPERTY else relation)
    strong = relation in GREY_BOX
    if relation not in _TRACES or (isinstance(model, Sfsm | StateMachine) and strong):
        raise UserError(f"runs cannot be judged for {relation.value} of a model of kind {model.kind} in this version")
    match model:
        case Fsm():
            return Oracle(FsmSemantics(model, relation), relation)
        case Sfsm():
            from fullproof.judge.sfsm import SfsmSemantics

            return Oracle(SfsmSemantics(model, relation), relation)
        case StateMachine():
            from fullproof.judge.statemachine import StateMachineSemantics

            return Oracle(StateMachineSemantics(model), relation)
        case _:
            raise UserError(f"runs of a model of kind {model.kind} cannot be judged in this version")


def judge(model: Model, trace: Execution, relation: Relation = Relation.EQUIVALENCE) -> Judgement:
    """Judge one trace by itself: is every observed step one that the model allows?"""
    return oracle_for(model, relation).judge(trace)


__all__ = ["Oracle", "Summary", "judge", "oracle_for"]
