"""Words over refined guards -> words over inputs, by a distinguishing function (paper 000, Part II, Algorithm 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from fullproof.artefacts.prefix_tree import PrefixTree
from fullproof.artefacts.words import WordList, WordSource


def concrete_words(
    words: WordSource, *, guards: Sequence[Sequence[int]], chosen: Sequence[int], after: Sequence[Mapping[int, int]]
) -> WordSource:
    """T(TS): replace each refined guard by the inputs at which its pairs are recognised.

    ``guards[g]`` are the letters of a guard, ``chosen[a]`` is the input that letter ``a`` is recognised at and
    ``after[s][a]`` the state that it leads to. A symbolic test is decided by its first letter that the model lacks, so
    a word goes on only behind inputs that recognise a letter which the model may show there.

    Guarantee: for every trace of letters of the words whose proper prefixes the model has, the result has a prefix that
    recognises its letters one by one (Theorem 6).
    """
    places = [sorted({chosen[letter] for letter in letters}) for letters in guards]
    if all(len(place) == 1 for place in places):
        return _Renamed(words, [place[0] for place in places])
    tree = PrefixTree()
    for piece in words.chunks():
        for word in piece:
            _expand(tree, word.tolist(), guards=guards, chosen=chosen, after=after)
    return tree.maximal()


def _expand(
    tree: PrefixTree,
    word: list[int],
    *,
    guards: Sequence[Sequence[int]],
    chosen: Sequence[int],
    after: Sequence[Mapping[int, int]],
) -> None:
    level: list[tuple[tuple[int, ...], frozenset[int]]] = [((), frozenset({0}))]
    for guard in word:
        longer = []
        for prefix, states in level:
            reached: dict[int, set[int]] = {chosen[letter]: set() for letter in guards[guard]}
            for letter in guards[guard]:
                reached[chosen[letter]] |= {after[s][letter] for s in states if letter in after[s]}
            for symbol, targets in sorted(reached.items()):
                if targets:
                    longer.append(((*prefix, symbol), frozenset(targets)))
                else:
                    tree.insert((*prefix, symbol))
        level = longer
    for prefix, _ in level:
        tree.insert(prefix)


class _Renamed:
    """A stream of words with other numbers for their symbols."""

    def __init__(self, words: WordSource, names: Sequence[int]) -> None:
        self._words = words
        self._names = np.array(names, dtype=np.int32)

    def chunks(self) -> Iterator[WordList]:
        """The words in pieces."""
        for piece in self._words.chunks():
            yield WordList(self._names[piece.symbols], piece.offsets)
