"""Symbolic machine against symbolic machine: is the other one conforming?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation
from fullproof.core.errors import UserError
from fullproof.language.printing import to_text
from fullproof.language.residual import residual
from fullproof.language.scope import Scope
from fullproof.model import Sfsm
from fullproof.pipeline.comparison import Comparison, Difference

if TYPE_CHECKING:
    from fullproof.analysis.symbolic.conditions import Open
    from fullproof.analysis.symbolic.pairing import Pairing
    from fullproof.analysis.symbolic.product import Answered, Differing

COMPARED = (Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION, Relation.STRONG_REDUCTION)


def compare_symbolic(model: Sfsm, other: Sfsm, relation: Relation, *, timeout: float = 10.0) -> Comparison:
    """Decide conformance exactly, by a product of the two machines; outputs have no tolerance here.

    Inputs that the model leaves undefined are as for finite machines. Where a solver could not tell, the answer is
    open unless a difference was found nevertheless.
    """
    from fullproof.analysis.symbolic.pairing import Pairing

    return compare_paired(Pairing(model, timeout=timeout), model, other, relation)


def compare_paired(pairing: Pairing, model: Sfsm, other: Sfsm, relation: Relation) -> Comparison:
    """The same with a pairing that may have seen other machines already."""
    from fullproof.analysis.symbolic.product import counterexample

    if relation not in COMPARED:
        raise UserError(f"symbolic machines are not compared for {relation.value}")
    return _comparison(counterexample(pairing.paired(other), relation), model, relation)


def question_text(question: Open) -> str:
    """What a solver could not tell, in one line."""
    return f"the solver could not tell whether this can hold: {question.formula} ({question.reason})"


def _comparison(answer: Answered, model: Sfsm, relation: Relation) -> Comparison:
    from fullproof.analysis.symbolic.product import Conforming, Differing, Undecided

    match answer:
        case Conforming():
            return Comparison(relation=relation, difference=None)
        case Differing():
            return Comparison(relation=relation, difference=_difference(answer, model))
        case Undecided(question=question):
            return Comparison(relation=relation, difference=None, undecided=question_text(question))


def _difference(found: Differing, model: Sfsm) -> Difference:
    from fullproof.analysis.conformance import Violation

    given = found.violation not in (Violation.MISSING, Violation.REFUSED)
    return Difference(
        inputs=(*(letter.inputs for letter in found.trace), found.last.inputs),
        outputs=tuple(letter.outputs for letter in found.trace),
        observed=found.last.outputs if given else None,
        allowed=_allowed(found, model),
        reason=found.violation.value,
        missing=found.last.outputs if found.violation is Violation.MISSING else None,
    )


def _allowed(found: Differing, model: Sfsm) -> tuple[str, ...]:
    """The output expressions that the last input admits, with its values put in."""
    from fullproof.language.evaluate import evaluate

    scope = Scope(model.inputs + model.outputs, {c.name: c.value for c in model.description.constants})
    texts = [
        to_text(residual(t.output, scope, found.last.inputs))
        for t in model.transitions
        if t.source in found.states and evaluate(t.guard, scope, found.last.inputs)
    ]
    return tuple(dict.fromkeys(texts))
