"""Whether the suite of a symbolic machine is complete: what its header claims, decided by the independent checker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation
from fullproof.core.errors import NOWHERE, UserError
from fullproof.kinds.kind import CompletenessAsked
from fullproof.kinds.sfsm.claimed import with_domain
from fullproof.kinds.sfsm.local_domain import families_of, never_of
from fullproof.kinds.sfsm.stated import stated_properties
from fullproof.model import Sfsm
from fullproof.model.common import Property

if TYPE_CHECKING:
    from fullproof.artefacts.suite import TestInput
    from fullproof.certify.answers import Certificate

_DECIDED = (Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION, Relation.PROPERTY)


def certify_sfsm(model: Sfsm, tests: Sequence[tuple[TestInput, ...]], asked: CompletenessAsked) -> Certificate:
    """Decide for the fault domain that the suite carries, or for that of the model where it carries none.

    Pairs that a domain excludes are not: what is complete without the exclusion is complete with it.
    """
    from fullproof.certify.answers import Complete, Incomplete, Open, UndecidedCompleteness
    from fullproof.certify.symbolic_checker import SymbolicDomain, certify_symbolic

    header = asked.header
    claimed = None if header is None else header.domain
    if asked.relation not in _DECIDED:
        listed = " and ".join(relation.value for relation in _DECIDED)
        return UndecidedCompleteness(
            reason=f"suites of symbolic machines are decided for {listed}, not for {asked.relation.value}"
        )
    own = model.description.fault_domain
    families, never = (families_of(own), never_of(own)) if claimed is None else (claimed.families, claimed.never)
    if families:
        what = ", ".join(families)
        return UndecidedCompleteness(reason=f"a fault domain with more than guards and outputs is not decided ({what})")
    whole = model if header is None else with_domain(model, header, NOWHERE)
    domain = whole.description.fault_domain
    properties = _properties(model, asked) if asked.relation is Relation.PROPERTY else ()
    answer, questions = certify_symbolic(
        model,
        [[symbol for symbol in test if isinstance(symbol, Mapping)] for test in tests],
        SymbolicDomain(
            guards=domain.guards,
            outputs=domain.outputs,
            extra_states=asked.extra_states,
            single=claimed is not None and claimed.single,
        ),
        relation=asked.relation,
        properties=properties,
        timeout=asked.seconds,
    )
    if never and isinstance(answer, Incomplete):
        what = ", ".join(never)
        reason = f"a machine survives that perhaps does what the fault domain excludes, which is not decided ({what})"
        return UndecidedCompleteness(reason=reason)
    if asked.second_solver is None or not isinstance(answer, Complete):
        return answer
    from fullproof.certify.second_solver import ask_second_solver

    if asked.relation is Relation.QUASI_REDUCTION:
        reason = "for quasi-reduction the proof also asks which inputs an output expression has values for; these "
        return UndecidedCompleteness(
            reason=f"{reason}questions have quantifiers, and a second solver is not asked them"
        )

    said = ask_second_solver(questions, asked.second_solver)
    if isinstance(said, Open):
        return UndecidedCompleteness(reason=said.reason)
    return replace(answer, reason=f"{answer.reason}; {said}")


def _properties(model: Sfsm, asked: CompletenessAsked) -> tuple[Property, ...]:
    """Those asked about, else those that the suite claims, else all of the model."""
    claimed = None if asked.header is None else asked.header.domain
    names = asked.properties or (() if claimed is None else claimed.properties)
    found = stated_properties(model, names, at=NOWHERE) or model.description.properties
    if not found:
        raise UserError("there is no property to decide: the model has none")
    return found
