"""The H-method (Dorofeeva, El-Fakih, Yevtushenko 2005; with extra states Dorofeeva et al. 2010).

The suite's tree contains V.I^(<= extra + 1), V a state cover. Two nodes are apart if a word that lies below both is
answered differently. Nodes of different states are apart where the proof needs it: any two nodes of V; a node of V and
any other node v.x; two nodes v.x and v.y, x a prefix of y.

Why that is enough: let a system with at most |V| + extra states pass and answer some v.z wrongly, v in V, z as short as
possible. Then |z| > extra + 1. Among the nodes of V and the extra + 1 nodes v.x, x a prefix of z that is not empty, two
lead the system to the same state. They are not apart, so they have the same state in the model, and what follows the
longer one shows the fault after the shorter one: a shorter z.

Words are chosen for the least cost of the whole suite: each leaf v.x carries words that identify its state, often a
single unique input/output sequence, and nodes of V carry as much of these words as the comparison takes. The choice
starts from good families of identifiers and is improved leaf by leaf, while all others keep their words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from fullproof.analysis.identifiers import Word
from fullproof.analysis.inner_words import NodeIdentifiers, cover_edges, where_paths_need
from fullproof.analysis.kernels.responses import ResponseTable
from fullproof.analysis.table import IntArray, Table
from fullproof.artefacts.kernels.forest import leaf_words
from fullproof.artefacts.words import WordList, word_list
from fullproof.generate.finite.basis import Basis, basis_of
from fullproof.generate.finite.composition import Composition
from fullproof.generate.finite.hsi import Family, best_placed
from fullproof.generate.finite.kernels.h.layout import plant, planted
from fullproof.generate.finite.kernels.h.mender import Mender
from fullproof.generate.finite.kernels.h.tree import Tree
from fullproof.generate.finite.kernels.h.words import WordSearch
from fullproof.generate.finite.wp import loose_families

Choice = tuple[Word, ...]
"""A set of words that identifies a state, sorted."""

_ROOM = 4_000_000  # nodes v.x that are laid out; larger suites stream
_WIDTH = 24
_SEARCH = 400_000_000  # pairs of states times inputs times width that looking for words may take
_SETS = 64
_PASSES = 12
_STARTS = 8
_TIPS = 400_000  # leaves that may be improved, over all starts


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Offer:
    """Sets of words that identify states, flat.

    ``letters``: all words end to end, ``replies`` the model's answers to them; word, set and state k begin at
    ``words[k]``, ``sets[k]`` and ``choices[k]``.
    """

    letters: IntArray
    replies: IntArray
    words: IntArray
    sets: IntArray
    choices: IntArray


def h(table: Table, *, extra_states: int) -> WordList:
    """Generate a small suite that satisfies the conditions of the H-method.

    Guarantee: complete for machines with at most ``extra_states`` more states than the model.
    Needs: deterministic, complete, connected and minimal.
    """
    place = basis_of(table, extra_states=extra_states)
    if table.states == 1:
        return word_list(product(range(table.inputs), repeat=extra_states + 1))
    if planted(table.states, table.inputs, extra_states) > _ROOM:
        return h_source(table, extra_states=extra_states).words()
    return h_from(place, identifying_sets(place))


def h_beside(table: Table, known: Iterable[Word], *, extra_states: int) -> WordList | None:
    """Generate a suite that contains the known words, such that few further ones are needed; None where it is large.

    For learning: words that a system has answered cost nothing. Guarantee and needs are those of ``h``: they rest on
    the tree of all words, whatever these are for.
    """
    place = basis_of(table, extra_states=extra_states)
    if table.states == 1:
        return word_list(product(range(table.inputs), repeat=extra_states + 1))
    if planted(table.states, table.inputs, extra_states) > _ROOM:
        return None
    return h_from(place, identifying_sets(place), known)


def h_from(place: Basis, listed: IdentifyingSets, known: Iterable[Word] = ()) -> WordList:
    """Generate with the sets of words that were found for the machine."""
    offer = offer_of(place.responses, listed.choices)
    number = [{chosen: k for k, chosen in enumerate(own)} for own in listed.choices]
    starts = [
        offer.choices[:-1] + np.array([number[state][chosen] for state, chosen in enumerate(family)], dtype=np.int32)
        for family in listed.families
    ]
    best: _Garden | None = None
    for garden in _by_state(place, offer, starts, [np.array(word, dtype=np.int32) for word in known if word]):
        garden.by_tip()
        garden.mend()
        if best is None or garden.cost < best.cost:
            best = garden
    assert best is not None
    return best.words()


def h_source(table: Table, *, extra_states: int) -> Composition:
    """Larger suites, as a stream: all nodes of a state and level carry the same words."""
    place = basis_of(table, extra_states=extra_states)

    def placed(family: Family, extra: int) -> NodeIdentifiers:
        return where_paths_need(table, place.cover, family[0], place.separation, extra_states=extra)

    return place.composed(best_placed(place, loose_families(place), placed))


# Words to choose from


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IdentifyingSets:
    """For each state, sets of words that identify it; and families that take one of them for each state."""

    choices: list[list[Choice]]
    families: list[list[Choice]]


def identifying_sets(place: Basis) -> IdentifyingSets:
    """Collect the sets of many families of identifiers, and those of a search for short words."""
    families: list[list[Choice]] = []
    for identifiers, _ in loose_families(place):
        family = [tuple(sorted(identifiers.words(state))) for state in range(place.table.states)]
        if family not in families:
            families.append(family)
    choices = [
        list(dict.fromkeys([*found, *(family[state] for family in families)]))
        for state, found in enumerate(_found(place))
    ]
    return IdentifyingSets(choices=choices, families=families)


def offer_of(responses: ResponseTable, choices: Iterable[Iterable[Choice]]) -> Offer:
    """Lay the sets of states 0, 1, ... out flat."""
    letters: list[int] = []
    replies: list[int] = []
    words, sets, starts = [0], [0], [0]
    for state, own in enumerate(choices):
        for chosen in own:
            for word in chosen:
                letters += word
                replies += responses.replies(state, word)
                words.append(len(letters))
            sets.append(len(words) - 1)
        starts.append(len(sets) - 1)
    flat = [np.array(values, dtype=np.int32) for values in (letters, replies, words, sets, starts)]
    return Offer(letters=flat[0], replies=flat[1], words=flat[2], sets=flat[3], choices=flat[4])


def _found(place: Basis) -> Iterator[Iterable[Choice]]:
    """For each state, sets of few short words that identify it."""
    table = place.table
    width = min(_WIDTH, _SEARCH // (table.states**2 * table.inputs))
    longest = 3 * int(place.separation.lengths.max()) + 3
    search = WordSearch(table.target, table.output, table.states, (max(width, 1), place.base, 0.6))
    for state in range(table.states):
        yield _identifying(place, search, state, longest) if width > 0 else ()


def _identifying(place: Basis, search: WordSearch, state: int, longest: int) -> Iterator[Choice]:
    rivals = [other for other in range(place.table.states) if other != state]
    for word in search.finished(state, rivals, _SETS, longest):
        words = [tuple(word)]
        left = place.responses.united(state, rivals, word)
        while left:
            more = search.finished(state, left, 1, longest) or [list(place.separation.word(state, left[0]))]
            words.append(tuple(more[0]))
            left = place.responses.united(state, left, more[0])
        yield tuple(sorted(words))


# The suite


class _Garden:
    """One suite under construction."""

    def __init__(self, place: Basis, offer: Offer, start: IntArray, known: Iterable[IntArray]) -> None:
        table, extra = place.table, place.extra_states
        sizes = (table.states, table.inputs, extra)
        arrays = plant(table.target, cover_edges(table, place.cover), sizes, 2 * planted(*sizes) + 64)
        cells = (table.target, table.output)
        self._tree = Tree(cells, arrays, extra)
        self._mender = Mender(cells, (place.separation.first, place.separation.lengths), arrays[5:], extra)
        self._tree.offer((offer.letters, offer.replies, offer.words), offer.sets, offer.choices)
        for word in known:
            self._tree.add(0, word)
        tips = np.flatnonzero(arrays[5] == extra + 1).astype(np.int32)
        self._tips = tips[np.argsort(arrays[3][tips], kind="stable")]
        states, self._counts = np.unique(arrays[3][tips], return_counts=True)
        begins = np.concatenate(([0], np.cumsum(self._counts))).astype(np.int32)
        self._tree.group(self._tips, begins, start[states])
        self._settle()

    @property
    def cost(self) -> int:
        """Inputs and resets."""
        tests, inputs = self._tree.size()
        return int(tests + inputs)

    def _settle(self) -> None:
        for _ in range(_PASSES):
            if not self._tree.settle():
                return

    def by_tip(self) -> None:
        """Let each leaf choose for itself."""
        chosen = np.repeat(self._tree.carried(), self._counts).astype(np.int32)
        self._tree.group(self._tips, np.arange(len(self._tips) + 1, dtype=np.int32), chosen)
        self._settle()

    def mend(self) -> None:
        """Add words until all required pairs are apart: afterwards the conditions of the method hold for every earlier
        choice.
        """
        self._mender.look_at(self._tree.arrays())
        node, other = self._mender.confused(0)
        while node >= 0:
            word = self._mender.cheapest(node, other)
            self._tree.add(node, word)
            self._tree.add(other, word)
            self._mender.look_at(self._tree.arrays())
            node, other = self._mender.confused(node)

    def words(self) -> WordList:
        """The maximal tests."""
        child, sibling, symbol = self._tree.arrays()[:3]
        return WordList(*leaf_words(child, sibling, symbol, 0))


def _by_state(place: Basis, offer: Offer, starts: list[IntArray], known: list[IntArray]) -> list[_Garden]:
    """The most promising starts, after all leaves of a state have chosen together."""
    tips = place.table.states * place.table.inputs ** (place.extra_states + 1)
    afford = max(1, min(_STARTS, _TIPS // tips))
    best: list[_Garden] = []
    for start in starts[: 4 * afford]:
        best = sorted([*best, _Garden(place, offer, start, known)], key=lambda garden: garden.cost)[:afford]
    return best
