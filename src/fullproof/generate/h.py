"""The H-method (Dorofeeva, El-Fakih, Yevtushenko 2005): nodes are apart where the proof needs it, by any words.

The tree is V.I^(<= extra + 1). Leaves are identified by whatever words are cheapest, unique input/output sequences
where there are any; inner nodes answer only what makes them apart from the cover and from the nodes on their own paths.
All nodes of a state and level need the same, so the suite streams like the others.
"""

from __future__ import annotations

from fullproof.analysis.inner_words import NodeIdentifiers, where_paths_need
from fullproof.analysis.table import Table
from fullproof.artefacts.words import WordList
from fullproof.generate.composition import Composition
from fullproof.generate.hsi import Family, best_placed
from fullproof.generate.setting import setting
from fullproof.generate.wp import loose_families


def h(table: Table, *, extra_states: int) -> WordList:
    """Generate V.I^(<= extra + 1) with the words that make the nodes apart, prefixes removed.

    Guarantee: complete for machines with at most ``extra_states`` more states than the model.
    Needs: deterministic, complete, connected and minimal.
    """
    return h_source(table, extra_states=extra_states).words()


def h_source(table: Table, *, extra_states: int) -> Composition:
    """Like ``h``, as a stream."""
    place = setting(table, extra_states=extra_states)

    def placed(family: Family, extra: int) -> NodeIdentifiers:
        return where_paths_need(table, place.cover, family[0], place.separation, extra_states=extra)

    return place.composed(best_placed(place, loose_families(place), placed))
