"""Symbolic machine against symbolic machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.kinds.comparison import Asked, Conformance, Difference, MachineComparison
from fullproof.kinds.sfsm.stated import stated_properties
from fullproof.language.printer import to_text
from fullproof.language.residual import residual
from fullproof.model import Sfsm
from fullproof.model.common import Property

if TYPE_CHECKING:
    from fullproof.analysis.symbolic.common_scope import Paired
    from fullproof.analysis.symbolic.conditions import OpenQuestion
    from fullproof.analysis.symbolic.product import Answered, Differing, TraceLetter

_SECONDS = 10.0
"""Seconds for one query to the solver."""


class SfsmConformance(Conformance[Sfsm]):
    """Decides exactly, by products, whether other machines conform to a model; outputs have no tolerance here.

    Inputs that the model leaves undefined are as for finite machines. For the relation ``property`` the other machine
    must satisfy the named properties of the model, or all where none is named. Where a solver could not decide, the
    answer is open unless a difference was found nevertheless.
    """

    def __init__(self, model: Sfsm, asked: Asked) -> None:
        from fullproof.analysis.symbolic.common_scope import Pairing

        self.model = model
        self.relation = asked.relation
        self.pairing = Pairing(model, timeout=_SECONDS if asked.timeout is None else asked.timeout)
        self.properties: tuple[Property, ...] = ()
        if asked.relation is Relation.PROPERTY:
            self.properties = stated_properties(model, asked.properties) or model.description.properties
            if not self.properties:
                raise UserError(f"{model.name} has no properties")

    def compare(self, other: Sfsm, *, at: Place = NOWHERE) -> MachineComparison:
        """Compare one machine, whose file is ``at``."""
        from fullproof.analysis.symbolic.product import counterexample

        paired = self.pairing.paired(other, at=at)
        if self.relation is Relation.PROPERTY:
            return self._judge(paired)
        return _comparison(counterexample(paired, self.relation), self.model, self.relation)

    def _judge(self, paired: Paired) -> MachineComparison:
        from fullproof.analysis.symbolic.properties import PropertyHolds, PropertyViolated, satisfies

        undecided = ""
        for one in self.properties:
            match satisfies(paired, one.formula):
                case PropertyViolated(trace=trace, loop=loop):
                    return MachineComparison(relation=self.relation, difference=_violation(one, trace, loop))
                case PropertyHolds():
                    pass
                case question:
                    undecided = undecided or f"{one.name}: {question_text(question)}"
        return MachineComparison(relation=self.relation, difference=None, undecided=undecided)


def _violation(violated: Property, trace: Sequence[TraceLetter], loop: int | None) -> Difference:
    again = "" if loop is None else f", where the steps from step {loop + 1} on repeat for ever"
    return Difference(
        inputs=tuple(letter.inputs for letter in trace),
        outputs=tuple(letter.outputs for letter in trace[:-1]),
        observed=trace[-1].outputs if trace else None,
        allowed=(),
        reason=f"it violates {violated.name}: {to_text(violated.formula)}{again}",
    )


def question_text(question: OpenQuestion) -> str:
    """An undecided query, in one line."""
    return f"the solver could not decide whether this can hold: {question.formula} ({question.reason})"


def _comparison(answer: Answered, model: Sfsm, relation: Relation) -> MachineComparison:
    from fullproof.analysis.symbolic.product import Differing, NoDifference, ProductUndecided

    match answer:
        case NoDifference():
            return MachineComparison(relation=relation, difference=None)
        case Differing():
            return MachineComparison(relation=relation, difference=_difference(answer, model))
        case ProductUndecided(question=question):
            return MachineComparison(relation=relation, difference=None, undecided=question_text(question))


def _difference(found: Differing, model: Sfsm) -> Difference:
    from fullproof.analysis.conformance import RelationViolation

    given = found.violation not in (RelationViolation.MISSING, RelationViolation.REFUSED)
    return Difference(
        inputs=(*(letter.inputs for letter in found.trace), found.last.inputs),
        outputs=tuple(letter.outputs for letter in found.trace),
        observed=found.last.outputs if given else None,
        allowed=_allowed(found, model),
        reason=found.violation.value,
        missing=found.last.outputs if found.violation is RelationViolation.MISSING else None,
    )


def _allowed(found: Differing, model: Sfsm) -> tuple[str, ...]:
    """The output expressions that the last input admits, with its values put in."""
    from fullproof.language.evaluate import evaluate

    scope = model.scope
    texts = [
        to_text(residual(t.output, scope, found.last.inputs))
        for t in model.transitions
        if t.source in found.states and evaluate(t.guard, scope, found.last.inputs)
    ]
    return tuple(dict.fromkeys(texts))
