"""Scoring mutants of symbolic machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import SuiteDomain, SuiteHeader, Test
from fullproof.core.errors import NOWHERE, Place
from fullproof.kinds.comparison import Asked
from fullproof.kinds.score import Conforming, ScoringBasis
from fullproof.kinds.sfsm.claimed import claimed_expressions
from fullproof.kinds.sfsm.comparison import SfsmConformance, question_text
from fullproof.language.syntax import Binary, Comparison, Expression, Name
from fullproof.language.traversal import free_names
from fullproof.model import Sfsm

if TYPE_CHECKING:
    from fullproof.analysis.symbolic.common_scope import Paired


class SfsmScorer:
    """Judges every mutant exactly, over all its behaviours.

    Property suites are judged as their theory requires: a system passes that is equivalent on all tests;
    a mutant conforms where it satisfies the properties, by default those that the suite was generated for.
    """

    def __init__(self, model: Sfsm, basis: ScoringBasis) -> None:
        named = basis.properties
        if basis.relation is Relation.PROPERTY and not named and basis.header.domain is not None:
            named = basis.header.domain.properties
        asked = Asked(relation=basis.relation, properties=named, timeout=basis.timeout)
        self.conformance = SfsmConformance(model, asked)
        self.claim = claim = basis.claim
        self.domain = None if claim is None or claim.domain is None else _Domain(self.conformance, claim, claim.domain)

    def __call__(self, mutant: Sfsm, at: Place) -> SfsmScoredMutant:
        """Prepare one machine for scoring."""
        return SfsmScoredMutant(self, mutant, at)


class SfsmScoredMutant:
    """A symbolic machine paired with the model."""

    def __init__(self, scorer: SfsmScorer, mutant: Sfsm, at: Place) -> None:
        from fullproof.analysis.symbolic.passes import Passing

        self._scorer, self._mutant = scorer, mutant
        asked = scorer.conformance.relation
        paired = scorer.conformance.pairing.paired(mutant, at=at)
        self._passing = Passing(paired, Relation.EQUIVALENCE if asked is Relation.PROPERTY else asked)

    def fails(self, test: Test, /) -> bool | str:
        """Whether some behaviour fails a test, as far as a solver can decide."""
        from fullproof.analysis.symbolic.conditions import OpenQuestion
        from fullproof.analysis.symbolic.passes import Failed

        judged = self._passing.judge([symbol for symbol in test.inputs if isinstance(symbol, Mapping)])
        return question_text(judged) if isinstance(judged, OpenQuestion) else isinstance(judged, Failed)

    def conforms(self, _killer: Test | None, /) -> Conforming:
        """Decided by products, as far as a solver can decide."""
        comparison = self._scorer.conformance.compare(self._mutant)
        return Conforming(comparison.conforms, comparison.undecided)

    def is_inside(self) -> bool:
        """Whether the mutant lies in the fault domain of the suite's header."""
        claim = self._scorer.claim
        if claim is not None and claim.faults is not None:
            from fullproof.kinds.sfsm.fault_members import is_named_member

            return is_named_member(self._scorer.conformance.model, self._mutant, claim.faults, claim.extra_states)
        return self._scorer.domain is not None and self._scorer.domain.holds(self._mutant)


class _Domain:
    """The fault domain that a suite claims to cover, as its header says it."""

    def __init__(self, conformance: SfsmConformance, header: SuiteHeader, claimed: SuiteDomain) -> None:
        self._conformance = conformance
        self._header = header
        self._claimed = claimed
        self._named = {one.name for one in conformance.properties}
        self._guards, self._outputs = claimed_expressions(conformance.model, claimed, at=NOWHERE)

    def holds(self, mutant: Sfsm) -> bool:
        """Whether the suite's guarantee covers the mutant: relation, alphabet, number of states, and shape."""
        from fullproof.analysis.symbolic.common_scope import Pairing
        from fullproof.analysis.symbolic.sizes import distinguishable_states

        model, header = self._conformance.model, self._header
        if header.relation != self._conformance.relation.value or self._claimed.undecided or self._claimed.never:
            return False
        if not self._named <= set(self._claimed.properties):
            return False
        if mutant.description.constants != model.description.constants or not self._uses_alphabet(mutant):
            return False
        alone = Pairing(replace(mutant, assumptions=model.assumptions)).paired(mutant)
        if self._claimed.single and not _has_one_answer(mutant, alone):
            return False
        if self._conformance.relation is Relation.REDUCTION and not _answers_always(alone):
            return False  # a machine that refuses inputs has fewer traces, so it is a reduction of more models
        states = distinguishable_states(alone)
        return states is not None and states <= self._claimed.states + header.extra_states

    def _uses_alphabet(self, mutant: Sfsm) -> bool:
        return all(
            _is_within(t.guard, self._guards) and _is_within(t.output, self._outputs) for t in mutant.transitions
        )


def _is_within(expression: Expression, alphabet: Sequence[Expression]) -> bool:
    """Whether it is one of the alphabet, or a disjunction of such: a fault domain admits those, too."""
    if expression in alphabet:
        return True
    if isinstance(expression, Binary) and expression.operator == "or":
        return _is_within(expression.left, alphabet) and _is_within(expression.right, alphabet)
    return False


def _answers_always(paired: Paired) -> bool:
    """Whether every state answers every input; False where that is unclear."""
    from fullproof.smt import Unsat

    answers = (frozenset(step.predicate for step in row) for row in paired.model.rows.values())
    lacking = (paired.conditions.ask_without(frozenset(), row, paired.outputs) for row in answers)
    return all(isinstance(answer, Unsat) for answer in lacking)


def _has_one_answer(machine: Sfsm, paired: Paired) -> bool:
    """Whether the guards of each state are a partition and outputs are equations; False where that is unclear."""
    from fullproof.smt import Unsat

    names = {variable.name for variable in machine.outputs}
    for row in paired.model.rows.values():
        guards = [step.guard for step in row]
        pairs = [frozenset(pair) for pair in combinations(guards, 2)]
        if any(len(pair) < 2 or not isinstance(paired.conditions.ask(pair, frozenset()), Unsat) for pair in pairs):
            return False
        if not isinstance(paired.conditions.ask(frozenset(), frozenset(guards)), Unsat):
            return False
    return all(names <= _given(t.output, names) for t in machine.transitions)


def _given(output: Expression, names: set[str]) -> set[str]:
    match output:
        case Binary(operator="and", left=left, right=right):
            return _given(left, names) | _given(right, names)
        case Comparison(operands=(Name(name=name), term), operators=("==",)) if not free_names(term) & names:
            return {name}
        case _:
            return set()
