"""Finite machine against finite machine."""

from __future__ import annotations

from fullproof.core.errors import NOWHERE, Place
from fullproof.kinds.comparison import Asked, Conformance, Difference, MachineComparison
from fullproof.model import Fsm


class FsmConformance(Conformance[Fsm]):
    """Decides conformance exactly.

    Any reaction is allowed to an input that the model leaves undefined, for equivalence (then quasi-equivalence) and
    quasi-reduction; it must be undefined in the other machine for reduction and strong reduction.
    """

    def __init__(self, model: Fsm, asked: Asked) -> None:
        self.model = model
        self.relation = asked.relation

    def compare(self, other: Fsm, *, at: Place = NOWHERE) -> MachineComparison:  # noqa: ARG002  # any two can be compared
        """Compare one machine."""
        from fullproof.analysis.alignment import align
        from fullproof.analysis.conformance import RelationViolation, counterexample

        aligned = align(self.model, other)
        found = counterexample(aligned.model, aligned.other, self.relation)
        if found is None:
            return MachineComparison(relation=self.relation, difference=None)
        state = 0
        for symbol, output in found.trace:
            state = aligned.model.after[state][symbol][output]
        given = found.output is not None and found.violation is not RelationViolation.MISSING
        names = [*(symbol for symbol, _ in found.trace), found.input]
        return MachineComparison(
            relation=self.relation,
            difference=Difference(
                inputs=tuple(aligned.inputs[symbol] for symbol in names),
                outputs=tuple(aligned.outputs[output] for _, output in found.trace),
                observed=aligned.outputs[found.output] if given and found.output is not None else None,
                allowed=tuple(aligned.outputs[y] for y in sorted(aligned.model.after[state].get(found.input, {}))),
                reason=found.violation.value,
            ),
        )
