"""A suite as a prefix tree: insertion, maximal tests, statistics and set operations on flat arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from fullproof.artefacts.kernels.forest import Forest
from fullproof.artefacts.words import WordList


class PrefixTree:
    """A set of words that holds all prefixes of its members; 12 bytes a node, children sorted by symbol."""

    __slots__ = ("_forest",)

    def __init__(self, words: WordList | Iterable[Sequence[int]] = ()) -> None:
        self._forest = Forest(1)
        self.insert_all(words)

    def insert(self, word: Sequence[int] | NDArray[np.int32]) -> None:
        """Add a word and its prefixes."""
        self._forest.insert(0, np.asarray(word, dtype=np.int32))

    def insert_all(self, words: WordList | Iterable[Sequence[int]]) -> None:
        """Add many words."""
        if isinstance(words, WordList):
            self._forest.insert_all(0, words.symbols, words.offsets)
        else:
            for word in words:
                self.insert(word)

    def __contains__(self, word: Sequence[int]) -> bool:
        return bool(self._forest.has(0, np.asarray(word, dtype=np.int32)))

    def __len__(self) -> int:
        """How many words there are, the empty one included."""
        return int(self._forest.nodes())

    def __iter__(self) -> Iterator[NDArray[np.int32]]:
        """The maximal words, in lexicographic order."""
        return iter(self.maximal())

    def maximal(self) -> WordList:
        """The tests: words that are not a prefix of another one, in lexicographic order; none for an empty tree."""
        symbols, offsets = self._forest.maximal(0)
        return WordList(symbols, offsets)

    def size(self) -> tuple[int, int]:
        """How many tests, and the sum of their lengths."""
        tests, inputs = self._forest.measure(0)
        return int(tests), int(inputs)

    def union(self, other: PrefixTree) -> PrefixTree:
        """All words of both."""
        both = PrefixTree(self.maximal())
        both.insert_all(other.maximal())
        return both

    def intersection(self, other: PrefixTree) -> PrefixTree:
        """The words that both have."""
        common = PrefixTree()
        for word in self.maximal():
            common.insert(word[: other.common_length(word)])
        return common

    def difference(self, other: PrefixTree) -> PrefixTree:
        """The tests of this tree that are not words of the other one, with their prefixes."""
        rest = PrefixTree()
        for word in self.maximal():
            if other.common_length(word) < len(word):
                rest.insert(word)
        return rest

    def common_length(self, word: Sequence[int] | NDArray[np.int32]) -> int:
        """Length of the longest prefix of a word that is in the tree."""
        return int(self._forest.common(0, np.asarray(word, dtype=np.int32)))
