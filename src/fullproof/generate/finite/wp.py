"""The Wp-method (Fujiwara et al. 1991): leaves are identified by a few words, inner nodes answer more of them.

By the book, every inner node of the tree answers a whole characterising set W, and a leaf of state t words of W that
identify t. Here inner nodes answer the words that leaves need, which is what the proof uses; the identification sets
come from small characterising sets or from adaptive experiments, whichever makes the smaller suite.
"""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.analysis.characterising_sets import CharacterisingSearch
from fullproof.analysis.identifiers import Identifiers, Word, identifiers_of
from fullproof.analysis.inner_words import Agreement
from fullproof.analysis.subsets import identification_sets
from fullproof.analysis.table import Table
from fullproof.analysis.unique import unique_identifiers
from fullproof.generate.finite.basis import Basis, basis_of
from fullproof.generate.finite.composition import Composition
from fullproof.generate.finite.hsi import Family, finalists, loose_fits, smallest, with_heirs

_WIDTH = 8
_SMALL = 200
_UNIQUE = 100_000_000  # pairs of states times inputs that looking for unique sequences may take
_PAIRS = 40_000_000  # words times pairs of states that may be compared


def wp(table: Table, *, extra_states: int) -> Composition:
    """Generate V.I^(<= extra) with the words needed there and V.I^(extra + 1) with identification sets.

    Guarantee: complete for machines with at most ``extra_states`` more states than the model, and k-A-complete.
    Needs: deterministic, complete, connected and minimal.
    """
    place = basis_of(table, extra_states=extra_states)
    return place.composed(smallest(place, loose_families(place)))


def loose_families(place: Basis) -> Iterator[Family]:
    """All ways to identify states: harmonised, inherited, unique, and chosen from pools of words."""
    harmonised = finalists(place)
    yield from with_heirs(place, harmonised)
    if place.table.states**2 * place.table.inputs <= _UNIQUE:
        unique = identifiers_of(unique_identifiers(place.table, place.separation, base=place.base))
        yield unique, Agreement.LOOSE
    for pool in _pools(place, harmonised):
        if len(pool) * place.table.states**2 <= _PAIRS:
            chosen = identifiers_of(identification_sets(place.table, pool, base=place.base))
            if loose_fits(place, len(chosen.child)):
                yield chosen, Agreement.LOOSE


def _pools(place: Basis, harmonised: list[Identifiers]) -> Iterator[list[Word]]:
    """Sets of words to choose identification sets from."""
    letters: list[Word] = [(symbol,) for symbol in range(place.table.inputs)]
    for family in harmonised if place.table.states <= _SMALL else harmonised[:1]:
        words = sorted({word for state in range(place.table.states) for word in family.words(state)})
        yield words
        yield sorted({*words, *letters})
    for factor in (0.25, 1.0, 4.0):
        search = CharacterisingSearch(place.table, place.separation, base=factor * place.base, width=_WIDTH)
        words = list(search.build())
        yield words
        yield sorted({*words, *letters})
