"""The SPY-method (Simao, Petrenko, Yevtushenko 2012): identifiers distributed over words known to converge.

V is a state cover; all words v.y, |y| <= extra, carry harmonised identifiers. A transition (s, x) -> t is *known* once
all words v.x.y, |y| <= extra, carry them as well, v being any words that are known to converge with the one in V for s:
then v.x converges with the word for t in every system that passes, and whatever is observed behind the one holds behind
the other. Tests may therefore go on wherever they have come to a known state, instead of starting from a reset.

Why v.x and the word u for t converge: let a system with at most |V| + extra states pass (its equivalent states merged),
and let v.x and u lead to different states, distinguished by a shortest word w. All of v.x.y and u.y, |y| <= extra, is
observed, so |w| > extra. For the prefixes y of w of length 0 to extra draw an edge between the states after v.x.y and
after u.y. Each edge joins states that are distinguished by a shortest word of another length, so the edges form no
cycle (two ends of a path of edges agree on all words shorter than the shortest of its edges). Each edge joins two
states that identify as the same state of the model, and so does a state after V: with k_q states of the system that
identify as q, at most sum (k_q - 1) <= extra edges fit, but there are extra + 1. The argument needs no more than: of
the words in V, v.x.y and u.y, y a prefix of w of length at most extra, any two with different states in the model do
not converge. When all transitions are known, the system behaves as the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from fullproof.analysis.defined_words import defined_words
from fullproof.analysis.identifiers import Identifiers, Word
from fullproof.analysis.table import IntArray, Table
from fullproof.artefacts.prefix_tree import PrefixTree
from fullproof.artefacts.words import WordList, word_list
from fullproof.generate.finite.basis import Basis, basis_of
from fullproof.generate.finite.hsi import finalists
from fullproof.generate.finite.kernels.spy.agenda import Agenda
from fullproof.generate.finite.kernels.spy.graph import Graph
from fullproof.generate.finite.kernels.spy.judge import Judge

_ORDERS = ((0.5, False), (0.0, True), (0.5, True), (1.0, False), (2.0, False))
_FEWEST = 2  # runs: machines with sinks need late transitions, others do not
_TIPS = 200_000  # words v.x.y, |y| = extra, over all runs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TransitionOrder:
    """In which order transitions become known.

    ``haste``: how much it counts that tests end behind a transition, which can go on once it is known; ``late``: those
    with smaller numbers come first.
    """

    haste: float
    late: IntArray


def spy(table: Table, *, extra_states: int) -> WordList:
    """Generate with several families of harmonised identifiers, as far as size allows, and keep the cheapest suite.

    Guarantee: complete for machines with at most ``extra_states`` more states than the model.
    Needs: deterministic, connected, pairwise separable states. Of a partial machine only defined words are tested, and
    a system that passes is quasi-equivalent (docs/proofs/partial.md).
    """
    place = basis_of(table, extra_states=extra_states)
    if table.states == 1:
        return word_list(defined_words(table, 0, extra_states + 1))
    runs = max(_FEWEST, _TIPS // (table.states * table.inputs ** (extra_states + 1)))
    suites = [_Run(place, family).suite(order) for family, order in islice(_variants(place), runs)]
    return min(suites, key=lambda words: len(words) + words.total)


def _variants(place: Basis) -> Iterator[tuple[Identifiers, TransitionOrder]]:
    """Every order with every family; the first family in two orders comes first."""
    families = finalists(place)
    pairs = [(family, order) for order in _ORDERS for family in families]
    pairs.sort(key=lambda pair: pair[0] is not families[0] or pair[1] not in _ORDERS[:_FEWEST])
    for family, (haste, patient) in pairs:
        counts = [len(family.words(state)) for state in range(place.table.states)]
        if not patient:
            yield family, order_of(place, haste)
        elif min(counts) < max(counts):
            yield family, order_of(place, haste, counts)


def order_of(place: Basis, haste: float, counts: Sequence[int] = ()) -> TransitionOrder:
    """Transitions into states with many identifiers come late, where ``counts`` says how many there are."""
    number = np.array(counts or [0] * place.table.states, dtype=np.int32)
    return TransitionOrder(haste=haste, late=number[place.table.target])


class _Run:
    """One suite in the making."""

    def __init__(self, place: Basis, family: Identifiers) -> None:
        table = place.table
        self._place = place
        self._words = [[list(word) for word in family.words(state)] for state in range(table.states)]
        self._graph = new_graph(place)
        self._judge = Judge((table.target, table.output), self._graph.tallies()[0], (table.states, place.extra_states))
        self._single = place.complete and all(len(words) == 1 for words in self._words)

    def suite(self, order: TransitionOrder) -> WordList:
        """Identify all words v.y, |y| <= extra, then whatever makes transitions known."""
        for length in range(self._place.extra_states + 1):
            for state in self._place.cover.order.tolist():
                for middle in defined_words(self._place.table, state, length):
                    for word in self._words[self._place.responses.after(state, middle)]:
                        self._graph.ensure(state, [*middle, *word])
        verify_all(self._place, self._graph, (self._identify, self._conclude), order)
        return maximal(self._graph)

    def _identify(self, cell: int, middle: Word) -> None:
        """Let the words after a transition and a middle part carry identifiers, as far as they tell anything new."""
        table = self._place.table
        source, symbol = divmod(cell, table.inputs)
        label = self._place.responses.after(int(table.target[cell]), middle)
        words = self._words[label]
        start = [symbol, *middle]
        if len(words) == 1:
            self._graph.ensure(source, start + words[0])
            return
        self._judge.look_at(self._graph.arrays())
        here = self._judge.at(source, start)
        rivals = self._judge.wrong_states(here) if here >= 0 else [q for q in range(table.states) if q != label]
        for word in words:
            left = self._place.responses.united(label, rivals, word)
            if len(left) < len(rivals):
                self._graph.ensure(source, start + word)
                rivals = left

    def _conclude(self, cell: int) -> None:
        """Where words carry only some of their identifiers, see whether they suffice before a transition is known.

        A state may lack an identifier that distinguishes it from another one beside the one they have in common: it
        gets it.
        """
        while not self._single:
            self._judge.look_at(self._graph.arrays())
            doubt = self._judge.doubt(cell)
            if not doubt:
                break
            one, other = (self._place.responses.after(word[0], word[1:]) for word in doubt)
            word = next(w for w in self._words[one] if not self._place.responses.united(one, [other], w))
            for place in doubt:
                self._graph.ensure(place[0], place[1:] + word)
        self._graph.verify(cell)


def new_graph(place: Basis) -> Graph:
    """No tests yet; the edges of the cover's tree are known."""
    entry = np.where(place.cover.parent >= 0, place.cover.parent * place.table.inputs + place.cover.symbol, -1)
    return Graph((place.table.target, place.table.output), (entry.astype(np.int32), place.cover.depth))


def maximal(graph: Graph) -> WordList:
    """The tests of a graph that are no prefixes of others, sorted."""
    return PrefixTree(WordList(*graph.suite())).maximal()


def verify_all(
    place: Basis,
    graph: Graph,
    work: tuple[Callable[[int, Word], None], Callable[[int], None]],
    order: TransitionOrder,
) -> None:
    """Identify all words v.x.y, |y| = extra, behind each transition, and conclude that it is known.

    ``work``: what identifies the word after a transition and some y, and what concludes that a transition is known.
    """
    table = place.table
    identify, conclude = work
    first = list(defined_words(table, 0, place.extra_states))
    middles = [
        first if place.complete else list(defined_words(table, state, place.extra_states))
        for state in range(table.states)
    ]
    words = np.array([len(middle) for middle in middles], dtype=np.int32)[table.target]
    agenda = Agenda((table.target, place.cover.depth), graph.tallies(), words, order.late, order.haste)
    cell, single = agenda.next(graph.news())
    while cell >= 0:
        left = 1
        while left:
            left = agenda.done(cell)
            identify(cell, middles[table.target[cell]][left])
            if single:
                break
        if left == 0:
            conclude(cell)
        cell, single = agenda.next(graph.news())
