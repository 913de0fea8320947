"""The W-method (Chow 1978, Vasilevskii 1973): every state of the implementation answers a characterising set."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fullproof.analysis.characterising_sets import CharacterisingSearch
from fullproof.analysis.identifiers import Identifiers, Word, identifiers_of
from fullproof.analysis.inner_words import everywhere
from fullproof.analysis.table import Table
from fullproof.generate.finite.basis import Basis, basis_of
from fullproof.generate.finite.composition import Composition

_EFFORT = 300_000
_WIDTH = 8


def w(table: Table, *, extra_states: int) -> Composition:
    """Generate the suite V.I^(<= extra + 1).W, prefixes removed, for a state cover V and a characterising set W.

    Guarantee: complete for machines with at most ``extra_states`` more states than the model.
    Needs: deterministic, complete, connected and minimal.
    """
    place = basis_of(table, extra_states=extra_states)
    return _composed(place, characterising_set(place))


def characterising_set(place: Basis) -> tuple[Word, ...]:
    """Choose a characterising set that makes a small suite: several searches, the best one improved further."""
    sizes = {words: _size(place, words) for words in _candidates(place)}
    best = min(sizes, key=lambda words: (sizes[words], words))
    search = CharacterisingSearch(place.table, place.separation, base=place.base, width=_WIDTH)
    better = search.improve(best, rounds=place.tries(_EFFORT) // 4)
    return min((best, better), key=lambda words: (_size(place, words), words))


def _candidates(place: Basis) -> Iterator[tuple[Word, ...]]:
    tries = place.tries(_EFFORT)
    for factor in (1.0, 2.0, 4.0)[: max(1, tries // 2)]:
        search = CharacterisingSearch(place.table, place.separation, base=factor * place.base, width=_WIDTH)
        yield search.build()
        for favourite in range(min(place.table.inputs, tries // 3)):
            yield search.build(favourite=favourite, discount=10.0)


def _size(place: Basis, words: tuple[Word, ...]) -> int:
    """Inputs and resets of the suite without extra states: more of them change all sizes alike."""
    nodes = everywhere(shared(words, place.table.states), extra_states=0)
    return Composition(table=place.table, cover=place.cover, identifiers=nodes, extra_states=0).size().cost


def _composed(place: Basis, words: tuple[Word, ...]) -> Composition:
    return place.composed(everywhere(shared(words, place.table.states), extra_states=place.extra_states))


def shared(words: tuple[Word, ...], states: int) -> Identifiers:
    """The same words for every state."""
    tree = identifiers_of([words])
    return Identifiers(
        child=tree.child, sibling=tree.sibling, symbol=tree.symbol, root=np.zeros(states, dtype=np.int32)
    )
