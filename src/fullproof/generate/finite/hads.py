"""Hybrid adaptive distinguishing sequences (Smeenk, Moerman, Vaandrager, Jansen 2015): mostly one word for a state.

Where the machine has an adaptive distinguishing sequence, each state gets one word; where it has none, groups of states
that the sequence cannot distinguish get harmonised identifiers beside it.
"""

from __future__ import annotations

from dataclasses import replace

from fullproof.analysis.ads import adaptive_identifiers
from fullproof.analysis.identifiers import Identifiers, Taste, harmonised_identifiers, identifiers_of
from fullproof.analysis.splitting_tree import splitting_tree
from fullproof.analysis.table import Table
from fullproof.generate.finite.basis import Basis, basis_of
from fullproof.generate.finite.composition import Composition
from fullproof.generate.finite.hsi import smallest, telling_inputs, with_heirs

_EFFORT = 100_000
_TREE_LIMIT = 50_000


def hads(table: Table, *, extra_states: int) -> Composition:
    """Generate V.I^(<= extra + 1) with adaptive identifiers of the states reached, prefixes removed.

    Guarantee: complete for machines with at most ``extra_states`` more states than the model, and k-A-complete.
    Needs: deterministic, complete, connected and minimal.
    """
    place = basis_of(table, extra_states=extra_states)
    return place.composed(smallest(place, with_heirs(place, _families(place))))


def _families(place: Basis) -> list[Identifiers]:
    """One from a splitting tree, the others from experiments that avoid merging states at any price."""
    favourites = telling_inputs(place.table)[: place.tries(_EFFORT) // 2]
    tastes = [Taste(rate=0.6, fine=1000 * place.base, ahead=3, work=300_000)]
    tastes += [replace(tastes[0], favourite=favourite, discount=0.7) for favourite in favourites]
    families = [
        harmonised_identifiers(place.table, place.separation, weight=place.weight, taste=taste) for taste in tastes
    ]
    if place.table.states * place.table.inputs <= _TREE_LIMIT:
        families.append(identifiers_of(adaptive_identifiers(splitting_tree(place.table, place.separation))))
    return families
