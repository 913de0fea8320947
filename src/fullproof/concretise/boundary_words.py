"""Words with several inputs to choose from for each symbol: those beside boundaries first, different ones in different
places.

Every input of a symbol is as good for the guarantee. What is chosen decides which faults outside of the fault domain
are found: in each state, an input at which a typical mistake in a guard of that state would show, by the output or by
what the rest of the word observes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, TypeAlias

import numpy as np

from fullproof.artefacts.words import WordList, WordSource

States: TypeAlias = frozenset[int]
_MOST_NODES = 300_000
"""For how many beginnings of words the choice is kept, so that words with a common beginning keep it."""


class ShownMistake(NamedTuple):
    """How much a mistake counts, and the pairs of states that later inputs have to distinguish before it shows; none
    where the output shows it.
    """

    weight: int
    pairs: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundaryChoice:
    """``ways[i]`` is how many inputs there are for symbol ``i``.

    ``after`` gives the states that a symbol leads to, for all its inputs alike. ``shown`` gives the mistakes in guards
    of some states that input ``way`` of a symbol may show. ``answers_differ`` says whether two states answer a symbol
    in different ways.
    """

    ways: Sequence[int]
    initial: States
    after: Callable[[States, int], States]
    shown: Callable[[States, int, int], Mapping[object, ShownMistake]]
    answers_differ: Callable[[int, int, int], bool]


def boundary_words(words: WordSource, choice: BoundaryChoice) -> WordSource:
    """The same words with an input chosen for each position: its number is that of the symbol's first input plus the
    way.

    Words that begin alike begin alike afterwards, so there are as many of them, of the same lengths.
    """
    return _BoundaryWords(words, choice)


class _BoundaryWords:
    def __init__(self, words: WordSource, choice: BoundaryChoice) -> None:
        self._words, self._choice = words, choice

    def chunks(self) -> Iterator[WordList]:
        """The words in pieces, chosen anew in the same way each time."""
        chooser = _Chooser(self._choice)
        for piece in self._words.chunks():
            symbols = [symbol for word in piece for symbol in chooser.chosen(word.tolist())]
            yield WordList(np.array(symbols, dtype=np.int32), piece.offsets)


class _Chooser:
    def __init__(self, choice: BoundaryChoice) -> None:
        self._choice = choice
        self._first = list(accumulate(choice.ways, initial=0))
        self._nodes: dict[tuple[int, int], tuple[int, int]] = {}
        self._states: list[States] = [choice.initial]
        self._after: dict[tuple[States, int], States] = {}
        self._open: dict[tuple[States, int], list[dict[object, ShownMistake]]] = {}
        self._met: set[object] = set()
        self._used: dict[tuple[States, int], list[int]] = {}

    def chosen(self, word: Sequence[int]) -> list[int]:
        found, node, states = [], 0, self._choice.initial
        for place, symbol in enumerate(word):
            known = self._nodes.get((node, symbol)) if node >= 0 else None
            if known is None:
                way = self._way(states, symbol, word[place + 1 :])
                states = self._next(states, symbol)
                node = self._keep(node, symbol, way, states)
            else:
                node, way = known
                states = self._states[node]
            found.append(self._first[symbol] + way)
        return found

    def _keep(self, node: int, symbol: int, way: int, states: States) -> int:
        if node < 0 or len(self._states) >= _MOST_NODES:
            return -1
        self._states.append(states)
        self._nodes[node, symbol] = len(self._states) - 1, way
        return len(self._states) - 1

    def _next(self, states: States, symbol: int) -> States:
        key = states, symbol
        if key not in self._after:
            self._after[key] = self._choice.after(states, symbol)
        return self._after[key]

    def _way(self, states: States, symbol: int, rest: Sequence[int]) -> int:
        """The input that shows most mistakes not shown before, of these the one that was used least here."""
        count = self._choice.ways[symbol]
        if count == 1:
            return 0
        key = states, symbol
        if key not in self._open:
            self._open[key] = [dict(self._choice.shown(states, symbol, way)) for way in range(count)]
            self._used[key] = [0] * count
        used = self._used[key]
        told: dict[tuple[int, int], bool] = {}
        found = [self._found(mistakes, rest, told) for mistakes in self._open[key]]
        gains = [sum(self._open[key][k][mistake].weight for mistake in found[k]) for k in range(count)]
        way = min(range(count), key=lambda k: (-gains[k], used[k], k))
        used[way] += 1
        self._met.update(found[way])
        return way

    def _found(
        self, mistakes: dict[object, ShownMistake], rest: Sequence[int], told: dict[tuple[int, int], bool]
    ) -> list[object]:
        """The mistakes that have not been met before and that an input shows, given the inputs after it."""
        for mistake in [mistake for mistake in mistakes if mistake in self._met]:
            del mistakes[mistake]
        for pair in {pair for shown in mistakes.values() for pair in shown.pairs} - told.keys():
            told[pair] = self._told_apart(*pair, rest)
        return [mistake for mistake, shown in mistakes.items() if all(told[pair] for pair in shown.pairs)]

    def _told_apart(self, one: int, other: int, rest: Sequence[int]) -> bool:
        """Whether inputs observe a difference between two states; not where they lead to several states."""
        for symbol in rest:
            if one == other:
                return False
            if self._choice.answers_differ(one, other, symbol):
                return True
            ends = [self._next(frozenset({state}), symbol) for state in (one, other)]
            if any(len(end) != 1 for end in ends):
                return False
            (one,), (other,) = ends
        return False
