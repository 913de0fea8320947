"""The SPYH-method (Soucha, Bogdanov 2018): SPY with words chosen as in the H-method.

Like SPY, tests go on wherever they have come to a known state. But what lies behind a transition is identified by
whatever words cost least, given all that was observed; a word that identifies a later transition by the way is worth
more. A transition is taken for known when the conditions of the proof (``spy.py``) hold, which ``Judge.doubt`` checks
one by one: how words are chosen matters for the size of a suite, not for its guarantee. The suite begins with an H
suite for one extra state less, so that the words v.y, |y| <= extra, are apart from the states of V.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

import numpy as np

from fullproof.analysis.identifiers import Identifiers, Word
from fullproof.analysis.table import Table
from fullproof.artefacts.words import WordList, word_list
from fullproof.generate.finite.basis import Basis, basis_of
from fullproof.generate.finite.h import Choice, IdentifyingSets, h_from, identifying_sets, offer_of
from fullproof.generate.finite.hsi import finalists
from fullproof.generate.finite.kernels.spy.chooser import SpyChooser
from fullproof.generate.finite.kernels.spy.graph import Graph
from fullproof.generate.finite.kernels.spy.judge import Judge
from fullproof.generate.finite.spy import TransitionOrder, maximal, new_graph, order_of, verify_all

_CHEAPEST = 40
_HEIRS = 3
_TIPS = 60_000  # words v.x.y, |y| = extra, over all runs


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taste:
    """``credit``: what it is worth to identify a later transition by the way; ``share``: how much of the inputs that
    rivals need for comparison counts, since they serve later transitions, too; ``haste`` as in ``TransitionOrder``.
    """

    credit: float
    share: float
    haste: float
    patient: bool = False


_WITHOUT_EXTRA = (
    _Taste(credit=0.0, share=0.1, haste=5.0),
    _Taste(credit=0.0, share=0.3, haste=2.0),
    _Taste(credit=1.0, share=0.1, haste=1.0),
    _Taste(credit=0.0, share=0.1, haste=1.0, patient=True),
    _Taste(credit=0.0, share=0.03, haste=1.0),
    _Taste(credit=2.0, share=0.3, haste=1.0),
    _Taste(credit=1.0, share=0.3, haste=5.0),
    _Taste(credit=3.0, share=1.0, haste=2.0),
)
_WITH_EXTRA = (
    _Taste(credit=4.0, share=0.1, haste=1.0),
    _Taste(credit=4.0, share=0.1, haste=1.0, patient=True),
    _Taste(credit=4.0, share=0.03, haste=1.0),
    _Taste(credit=4.0, share=0.3, haste=1.0),
    _Taste(credit=2.0, share=0.1, haste=3.0),
    _Taste(credit=3.0, share=0.03, haste=0.5),
    _Taste(credit=1.0, share=0.1, haste=1.0),
)


def spyh(table: Table, *, extra_states: int) -> WordList:
    """Generate with several tastes, as far as size allows, and keep the cheapest suite.

    Guarantee: complete for machines with at most ``extra_states`` more states than the model.
    Needs: deterministic, complete, connected and minimal.
    """
    place = basis_of(table, extra_states=extra_states)
    if table.states == 1:
        return word_list(product(range(table.inputs), repeat=extra_states + 1))
    runs = max(1, _TIPS // (table.states * table.inputs ** (extra_states + 1)))
    listed = identifying_sets(place)
    menu = _menu(place, listed)
    suites = []
    for taste, base in islice(_variants(place, listed), runs):
        counts = [min(map(len, own)) for own in listed.choices] if taste.patient else ()
        run = _Run(place, menu, base, taste)
        suites.append(run.suite(order_of(place, taste.haste, counts)))
    return min(suites, key=lambda words: len(words) + words.total)


def _variants(place: Basis, listed: IdentifyingSets) -> Iterator[tuple[_Taste, WordList]]:
    if place.extra_states > 0:
        bases = [h_from(basis_of(place.table, extra_states=place.extra_states - 1), listed)]
    else:
        bases = [_cover_suite(place, family) for family in finalists(place)]
    few, many = min(map(_fewest, listed.choices)), max(map(_fewest, listed.choices))
    for taste in _WITH_EXTRA if place.extra_states > 0 else _WITHOUT_EXTRA:
        if few < many or not taste.patient:
            for base in bases:
                yield taste, base


def _fewest(choices: list[Choice]) -> int:
    return min(map(len, choices))


def _cover_suite(place: Basis, family: Identifiers) -> WordList:
    """Tests that set the states of the cover apart."""
    graph = new_graph(place)
    for state in place.cover.order.tolist():
        for word in family.words(state):
            graph.ensure(state, list(word))
    return maximal(graph)


def _menu(place: Basis, listed: IdentifyingSets) -> tuple[Any, ...]:
    """Sets of words for each state: the cheapest ones, and those that begin with a letter and identify what follows.

    The last array marks the latter.
    """
    table = place.table
    others = [[other for other in range(table.states) if other != state] for state in range(table.states)]
    cheap = [
        sorted(own, key=lambda chosen: (sum(place.base + len(word) for word in chosen), chosen))[:_CHEAPEST]
        for own in listed.choices
    ]
    single = [[chosen[0] for chosen in own if len(chosen) == 1][:_HEIRS] for own in cheap]

    def identifies(state: int, word: Word) -> bool:
        return not place.responses.united(state, others[state], word)

    choices: list[list[Choice]] = []
    heirs: list[bool] = []
    for state in range(table.states):
        following = [int(target) for target in table.target[state * table.inputs :][: table.inputs]]
        longer = [(symbol, *word) for symbol, there in enumerate(following) for word in single[there]]
        own = dict.fromkeys([*cheap[state], *((word,) for word in longer if identifies(state, word))])
        choices.append(list(own))
        heirs += [len(chosen) == 1 and identifies(following[chosen[0][0]], chosen[0][1:]) for chosen in own]
    offer = offer_of(place.responses, choices)
    marks = np.array(heirs, dtype=np.uint8)
    return offer.letters, offer.replies, offer.words, offer.sets, offer.choices, marks


class _Run:
    """One suite in the making."""

    def __init__(self, place: Basis, menu: tuple[Any, ...], base: WordList, taste: _Taste) -> None:
        table = place.table
        self._place = place
        self._graph: Graph = new_graph(place)
        self._room = 0
        verified = self._graph.tallies()[0]
        self._judge = Judge((table.target, table.output), verified, (table.states, place.extra_states))
        machine = (table.target, table.output, place.cover.depth, verified)
        self._chooser = SpyChooser(machine, menu, place.extra_states, (taste.credit, taste.share))
        for word in base:
            self._graph.begin(word.tolist())

    def suite(self, order: TransitionOrder) -> WordList:
        """Make all transitions known."""
        verify_all(self._place, self._graph, (self._identify, self._conclude), order)
        return maximal(self._graph)

    def _look(self) -> None:
        if self._graph.room() != self._room:
            self._room = self._graph.room()
            arrays = self._graph.arrays()
            self._judge.look_at(arrays)
            self._chooser.look_at(arrays)

    def _identify(self, cell: int, middle: Word) -> None:
        """Set the word after a transition and a middle part apart from wrong states and from places on its way."""
        table = self._place.table
        source, symbol = divmod(cell, table.inputs)
        start = [symbol, *middle]
        self._look()
        here = self._judge.at(source, start)
        if here >= 0:
            rivals = self._judge.wrong_states(here)
        else:
            label = self._place.responses.after(source, start)
            rivals = [state for state in range(table.states) if state != label]
        links = self._judge.links(source, start)
        if not rivals and not links:
            return
        chosen = self._chooser.choose(cell, list(middle), self._graph.reach(source), rivals, links)
        own, compared, shorter = self._chooser.take(chosen)
        for word in own:
            self._graph.ensure(source, start + word)
        for state, word in compared:
            self._graph.ensure(state, word)
        for number, word in shorter:
            self._graph.ensure(source, start[: links[number]] + word)

    def _conclude(self, cell: int) -> None:
        """A transition is known once there is no doubt left."""
        self._look()
        doubt = self._judge.doubt(cell)
        while doubt:
            one, other = (self._place.responses.after(word[0], word[1:]) for word in doubt)
            word = list(self._place.separation.word(one, other)) if one != other else []
            for state, *way in doubt:
                self._graph.ensure(state, way + word)
            self._look()
            doubt = self._judge.doubt(cell)
        self._graph.verify(cell)
