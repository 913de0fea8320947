"""Symbolic model -> mutants -> kill matrix."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.artefacts.suite import SuiteDomain, SuiteHeader, Test
from fullproof.core.errors import NOWHERE, Place
from fullproof.kinds.comparison import Asked
from fullproof.kinds.sfsm.comparison import SfsmConformance, question_text
from fullproof.language.syntax import Binary, Comparison, Expression, Name
from fullproof.language.walking import free_names
from fullproof.model import Sfsm
from fullproof.pipeline.claimed import claimed_expressions
from fullproof.pipeline.comparison import require_same_kind
from fullproof.pipeline.mutation import MadeMutant, Score

if TYPE_CHECKING:
    from fullproof.analysis.symbolic.pairing import Paired


def made_symbolic(model: Sfsm, request: SuiteRequest, *, order: int, sample: int | None) -> list[MadeMutant]:
    """The mutants in the fault domain of the model, and with derived guards and outputs where they are asked for."""
    from fullproof.mutate.sfsm import fault_alphabet, sfsm_mutants
    from fullproof.pipeline.derived import derived_faults

    extra = request.extra_states if request.extra_states is not None else model.description.fault_domain.extra_states
    relation = request.relation or (Relation.PROPERTY if request.properties else Relation.EQUIVALENCE)
    conformance = SfsmConformance(model, Asked(relation=relation, properties=request.properties))
    derived = derived_faults(model, request)
    alphabet = fault_alphabet(model, guards=derived.guards, outputs=derived.outputs)
    made = sfsm_mutants(model, alphabet, extra_states=extra, order=order, sample=sample, seed=request.seed)
    return [
        MadeMutant(
            model=mutant.model,
            operator=mutant.operator,
            where=mutant.where,
            conforms=partial(_conforms, conformance, mutant.model),
        )
        for mutant in made
    ]


def _conforms(conformance: SfsmConformance, mutant: Sfsm) -> bool | None:
    return conformance.compare(mutant).conforms


def conformance_for(
    model: Sfsm, header: SuiteHeader, relation: Relation, properties: Sequence[str], *, timeout: float
) -> SfsmConformance:
    """What mutants are held against; by default the properties that the suite was generated for."""
    named = properties or (_claimed_properties(header) if relation is Relation.PROPERTY else ())
    return SfsmConformance(model, Asked(relation=relation, properties=tuple(named), timeout=timeout))


def score_symbolic(
    conformance: SfsmConformance, claim: SuiteHeader | None, tests: Sequence[Test], files: Sequence[Path]
) -> tuple[Score, ...]:
    """Judge every mutant exactly, over all its behaviours.

    Property suites are judged as their theory has it: a system passes that is equivalent as far as the tests can tell;
    a mutant conforms where it satisfies the properties.
    """
    domain = None if claim is None or claim.domain is None else _Domain(conformance, claim, claim.domain)
    return tuple(_score(conformance, domain, tests, file) for file in files)


def _claimed_properties(header: SuiteHeader) -> tuple[str, ...]:
    return () if header.domain is None else header.domain.properties


def _score(conformance: SfsmConformance, domain: _Domain | None, tests: Sequence[Test], file: Path) -> Score:
    from fullproof.analysis.symbolic.conditions import Open
    from fullproof.analysis.symbolic.passing import Failed, Passing
    from fullproof.formats import read_model

    mutant = read_model(file)
    require_same_kind(conformance.model, mutant, "scored", at=Place(file=str(file)))
    assert isinstance(mutant, Sfsm)
    comparison = conformance.compare(mutant, at=Place(file=str(file)))
    relation = Relation.EQUIVALENCE if conformance.relation is Relation.PROPERTY else conformance.relation
    paired = conformance.pairing.paired(mutant)
    passing = Passing(paired, relation)
    killer, doubt = None, None
    for test in tests:
        judged = passing.judge([symbol for symbol in test.inputs if not isinstance(symbol, str)])
        if isinstance(judged, Failed):
            killer = test.id
            break
        if isinstance(judged, Open):
            doubt = doubt or question_text(judged)
    undecided = "" if killer is not None else comparison.undecided or doubt or ""
    survives = killer is None and comparison.conforms is False and not undecided
    return Score(
        file=str(file),
        killed_by=killer,
        conforms=comparison.conforms,
        inside=survives and domain is not None and domain.holds(mutant),
        undecided=undecided,
    )


class _Domain:
    """The fault domain that a suite claims to cover, as its header says it."""

    def __init__(self, conformance: SfsmConformance, header: SuiteHeader, claimed: SuiteDomain) -> None:
        self._conformance = conformance
        self._header = header
        self._claimed = claimed
        self._named = {one.name for one in conformance.properties}
        self._guards, self._outputs = claimed_expressions(conformance.model, claimed, at=NOWHERE)

    def holds(self, mutant: Sfsm) -> bool:
        """Whether the suite's guarantee speaks of the mutant: relation, alphabet, number of states, and shape."""
        from fullproof.analysis.symbolic.pairing import Pairing
        from fullproof.analysis.symbolic.sizes import distinguishable_states

        model, header = self._conformance.model, self._header
        if header.relation != self._conformance.relation.value or self._claimed.undecided or self._claimed.never:
            return False
        if not self._named <= set(self._claimed.properties):
            return False
        if mutant.description.constants != model.description.constants or not self._uses_alphabet(mutant):
            return False
        alone = Pairing(mutant).paired(mutant)
        if self._claimed.single and not _has_one_answer(mutant, alone):
            return False
        if self._conformance.relation is Relation.REDUCTION and not _answers_always(alone):
            return False  # a machine that refuses inputs is a reduction of more than one that answers
        own, other = distinguishable_states(Pairing(model).paired(model)), distinguishable_states(alone)
        return own is not None and other is not None and other <= own + header.extra_states

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
    """Whether every state answers every input; may err on the side of False."""
    from fullproof.smt import Unsat

    answers = (frozenset(step.predicate for step in row) for row in paired.model.rows.values())
    lacking = (paired.conditions.ask_without(frozenset(), row, paired.outputs) for row in answers)
    return all(isinstance(answer, Unsat) for answer in lacking)


def _has_one_answer(machine: Sfsm, paired: Paired) -> bool:
    """Whether the guards of each state are a partition and outputs are equations; may err on the side of False."""
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
