"""The prefix tree of a set of words, on flat arrays: suites while they grow, and what is left when prefixes go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from fullproof.artefacts.kernels.forest import Forest
from fullproof.artefacts.words import WordList

ROOT = 0


class PrefixTree:
    """A set of words that holds all prefixes of its members; 16 bytes a node, children sorted by symbol.

    Nodes are numbers, from ``ROOT`` on. Methods of the kernel, since trees are looked through node by node:
    ``find(node, symbol)`` is the node one symbol further, -1 where there is none; ``child`` the same, made where it is
    missing; ``price`` what the symbol would cost there: nothing, one more input of a test, or a new test.
    """

    __slots__ = ("_forest", "child", "find", "price")

    def __init__(self, words: WordList | Iterable[Sequence[int]] = ()) -> None:
        self._forest = Forest(1)
        self.child: Callable[[int, int], int] = self._forest.extend
        self.find: Callable[[int, int], int] = self._forest.find
        self.price: Callable[[int, int], int] = self._forest.price
        if isinstance(words, WordList):
            self._forest.insert_all(ROOT, words.symbols, words.offsets)
        else:
            for word in words:
                self.insert(word)

    def insert(self, word: Iterable[int] | NDArray[np.int32], node: int = ROOT) -> int:
        """Add a word and its prefixes below a node; returns the word's node."""
        return int(self._forest.insert(node, np.fromiter(word, dtype=np.int32)))

    def __len__(self) -> int:
        """How many words there are, the empty one included."""
        return int(self._forest.nodes())

    def maximal(self) -> WordList:
        """The words that are not a prefix of another one, in lexicographic order; none for an empty tree."""
        symbols, offsets = self._forest.maximal(ROOT)
        return WordList(symbols, offsets)

    def tests(self) -> WordList:
        """The maximal words as a suite: an empty tree is one test without inputs."""
        if len(self) > 1:
            return self.maximal()
        return WordList(np.zeros(0, dtype=np.int32), np.zeros(2, dtype=np.int64))

    def size(self) -> tuple[int, int]:
        """How many maximal words, and the sum of their lengths."""
        tests, inputs = self._forest.measure(ROOT)
        return int(tests), int(inputs)
