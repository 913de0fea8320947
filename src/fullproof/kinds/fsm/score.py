"""Scoring mutants of finite machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import Test
from fullproof.core.errors import Place
from fullproof.kinds.score import Conforming, ScoringBasis
from fullproof.model import Fsm

if TYPE_CHECKING:
    from fullproof.analysis.responses import Responses


class FsmScorer:
    """Runs tests over all behaviours of finite machines."""

    def __init__(self, model: Fsm, basis: ScoringBasis) -> None:
        self.model = model
        self.basis = basis

    def __call__(self, mutant: Fsm, _at: Place) -> FsmScoredMutant:
        """Prepare one machine for scoring."""
        return FsmScoredMutant(self.model, mutant, self.basis)


class FsmScoredMutant:
    """A finite machine whose states and symbols are numbered as those of the model."""

    def __init__(self, model: Fsm, mutant: Fsm, basis: ScoringBasis) -> None:
        from fullproof.analysis.alignment import align

        self._model, self._mutant, self._basis = model, mutant, basis
        self._aligned = align(model, mutant)
        self._number = {name: k for k, name in enumerate(self._aligned.inputs)}

    def fails(self, test: Test, /) -> bool:
        """Whether some behaviour fails a test."""
        from fullproof.analysis.passes import fails_at

        word = [self._number[symbol] for symbol in test.inputs if isinstance(symbol, str)]
        return fails_at(self._aligned.model, self._aligned.other, word, self._basis.relation) is not None

    def conforms(self, _killer: Test | None, /) -> Conforming:
        """Decided exactly."""
        from fullproof.analysis.conformance import counterexample

        return Conforming(counterexample(self._aligned.model, self._aligned.other, self._basis.relation) is None)

    def is_inside(self) -> bool:
        """Whether the suite's guarantee covers the mutant: its relation, alphabet, number of states, and shape."""
        from fullproof.analysis.alignment import observed

        claim, relation = self._basis.claim, self._basis.relation
        model, mutant = self._model, self._mutant
        if claim is None or claim.relation != relation.value or set(mutant.inputs) != set(model.inputs):
            return False
        if claim.faults is not None:
            from fullproof.kinds.fsm.named_faults import is_member

            return is_member(model, mutant, claim.faults, claim.extra_states)
        own = observed(model, inputs=model.inputs, outputs=model.outputs)
        other = observed(mutant, inputs=mutant.inputs, outputs=mutant.outputs)
        if other.states > own.states + claim.extra_states:
            return False
        if relation is Relation.EQUIVALENCE and _is_deterministic(own) and not _is_deterministic(other):
            return False
        must_be_complete = relation is Relation.REDUCTION or (relation is Relation.EQUIVALENCE and _is_complete(own))
        return _is_complete(other) or not must_be_complete


def _is_deterministic(machine: Responses) -> bool:
    return all(len(answers) == 1 for row in machine.after for answers in row.values())


def _is_complete(machine: Responses) -> bool:
    return all(len(row) == machine.inputs for row in machine.after)
