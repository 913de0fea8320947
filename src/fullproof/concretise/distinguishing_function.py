"""Words over refined guards -> words over inputs, by a distinguishing function (paper 000, Part II, Algorithm 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

import numpy as np

from fullproof.artefacts.prefix_tree import PrefixTree
from fullproof.artefacts.words import WordList, WordSource

_MASK = (1 << 64) - 1


def concrete_words(
    words: WordSource, *, guards: Sequence[Sequence[int]], chosen: Sequence[int], after: Sequence[Mapping[int, int]]
) -> WordSource:
    """T(TS): replace each refined guard by the inputs at which its pairs are recognised.

    ``guards[g]`` are the letters of a guard, ``chosen[a]`` is the input that letter ``a`` is recognised at and
    ``after[s][a]`` the state that it leads to. The first letter that the model lacks decides a symbolic test, so a word
    continues only after inputs that recognise a letter which the model may show there.

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


def varied_words(words: WordSource, *, ways: Sequence[int], seed: int) -> WordSource:
    """Draw an input for every position of every word: ``ways[i]`` is how many there are for input ``i``.

    Paper 000, Definition 6: a distinguishing function is applied anew at every position. The number of a way is that
    of the input's first one, which is the sum of the ways of the inputs before it, plus the draw. A draw depends on the
    seed and the word up to its position, so that words with a common beginning have one afterwards.
    """
    return _Varied(words, ways, seed)


class _Varied:
    """A stream of words with pseudo-random variants of their symbols, reproducible for each iteration."""

    def __init__(self, words: WordSource, ways: Sequence[int], seed: int) -> None:
        self._words, self._ways, self._seed = words, list(ways), seed
        self._first = list(accumulate(self._ways, initial=0))

    def chunks(self) -> Iterator[WordList]:
        """The words in pieces."""
        for piece in self._words.chunks():
            drawn = np.fromiter(
                (symbol for word in piece for symbol in self._drawn(word.tolist())),
                dtype=np.int32,
                count=len(piece.symbols),
            )
            yield WordList(drawn, piece.offsets)

    def _drawn(self, word: list[int]) -> Iterator[int]:
        node = _mixed(self._seed)
        for symbol in word:
            node = _mixed(node + symbol + 1)
            yield self._first[symbol] + (node >> 32) % self._ways[symbol]


def _mixed(number: int) -> int:
    """The numbers of the generator splitmix64: equal on every machine, unlike Python's hashes."""
    number = (number + 0x9E3779B97F4A7C15) & _MASK
    number = ((number ^ number >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    number = ((number ^ number >> 27) * 0x94D049BB133111EB) & _MASK
    return number ^ number >> 31


class _Renamed:
    """A stream of words with renumbered symbols."""

    def __init__(self, words: WordSource, names: Sequence[int]) -> None:
        self._words = words
        self._names = np.array(names, dtype=np.int32)

    def chunks(self) -> Iterator[WordList]:
        """The words in pieces."""
        for piece in self._words.chunks():
            yield WordList(self._names[piece.symbols], piece.offsets)
