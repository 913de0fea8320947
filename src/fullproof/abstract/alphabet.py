"""Sigma: the expressions by which a model and its possible faults distinguish inputs and outputs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fullproof.artefacts.abstraction import SymbolicAlphabet
from fullproof.language.propositions import atomic_propositions
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.model import Sfsm
from fullproof.model.common import Property


def alphabet_of(
    model: Sfsm,
    *,
    properties: Sequence[Property] = (),
    guards: Sequence[Expression] = (),
    outputs: Sequence[Expression] = (),
) -> SymbolicAlphabet:
    """The symbolic alphabet of paper 000, Table 2.1: Sigma_I, Sigma_O and AP.

    Guards and output expressions of the model come first, then those of its fault domain, then ``guards`` and
    ``outputs``; AP are the atomic propositions of ``properties``. Each expression stands once in its part; one that is
    a guard and an atomic proposition stands in both, so that a class determines the propositions that hold in it.
    """
    domain = model.description.fault_domain
    return SymbolicAlphabet(
        guards=_once([*(t.guard for t in model.transitions), *domain.guards, *guards]),
        outputs=_once([*(t.output for t in model.transitions), *domain.outputs, *outputs]),
        propositions=_once(atom for stated in properties for atom in atomic_propositions(stated.formula)),
    )


def scope_of(model: Sfsm) -> Scope:
    """Inputs, outputs and constants: what the expressions of an alphabet refer to."""
    return model.scope


def _once(expressions: Iterable[Expression]) -> tuple[Expression, ...]:
    return tuple(dict.fromkeys(expressions))
