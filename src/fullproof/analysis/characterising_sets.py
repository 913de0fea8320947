"""Characterising sets: words that together distinguish all states."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fullproof.analysis.identifiers import Word
from fullproof.analysis.kernels.preset import PresetSearch
from fullproof.analysis.separation import Separation
from fullproof.analysis.table import IntArray, Table


class CharacterisingSearch:
    """Builds and improves characterising sets of one minimal complete machine.

    A word costs ``base`` (access and reset) plus its inputs wherever it is applied.
    """

    def __init__(self, table: Table, separation: Separation, *, base: float, width: int) -> None:
        self._table = table
        self._separation = separation
        self._base = base
        self._width = width
        self._search = PresetSearch(table.target, table.output, table.states, table.outputs)

    def build(self, *, favourite: int = 0, discount: float = 0.0) -> tuple[Word, ...]:
        """Add the word of the best gain until all states are distinguished, then drop what has become superfluous."""
        return self._trimmed(self._completed([], favourite=favourite, discount=discount))

    def improve(self, words: Sequence[Word], *, rounds: int) -> tuple[Word, ...]:
        """Remove each word in turn and search for a cheaper replacement."""
        best = tuple(words)
        for _ in range(rounds):
            before = self.cost(best)
            for word in sorted(best, key=lambda w: (-len(w), w)):
                rest = [other for other in best if other != word]
                tried = self._trimmed(self._completed(rest, favourite=0, discount=0.0))
                if self.cost(tried) < self.cost(best):
                    best = tried
                    break
            if self.cost(best) >= before:
                break
        return best

    def cost(self, words: Sequence[Word]) -> float:
        """Base and inputs of all words."""
        return sum(self._base + len(word) for word in words)

    def _completed(self, words: list[Word], *, favourite: int, discount: float) -> list[Word]:
        price = np.ones(self._table.inputs)
        price[favourite] -= discount
        price *= self._table.states * 0.05  # only breaks ties between prefixes
        label = classes_by(self._table, words)
        words = list(words)
        while int(label.max()) + 1 < self._table.states:
            found, _ = self._search.search(label, self._base, price, self._width)
            word = tuple(found.tolist()) or self._any_word(label)
            words.append(word)
            label = refined(self._table, label, word)
        return words

    def _any_word(self, label: IntArray) -> Word:
        """A word that separates two states of equal label."""
        order = np.argsort(label, kind="stable")
        twin = int(np.flatnonzero(np.diff(label[order]) == 0)[0])
        return self._separation.word(int(order[twin]), int(order[twin + 1]))

    def _trimmed(self, words: list[Word]) -> tuple[Word, ...]:
        """Drop words, then last inputs of words, that are not needed, the longest words first."""
        listed = sorted(set(words), key=lambda w: (-len(w), w))
        after = [np.zeros(self._table.states, dtype=np.int32)]
        for word in reversed(listed):
            after.append(refined(self._table, after[-1], word))
        kept: list[Word] = []
        before = after[0]
        for k, word in enumerate(listed):
            needed = self._needed(_both(before, after[len(listed) - 1 - k]), word)
            if needed:
                kept.append(needed)
                before = refined(self._table, before, needed)
        return tuple(sorted(kept))

    def _needed(self, label: IntArray, word: Word) -> Word:
        """The shortest prefix of a word that distinguishes what is left."""
        for length in range(len(word)):
            if int(label.max()) + 1 == self._table.states:
                return word[:length]
            label = refined(self._table, label, word[: length + 1])
        return word


def _both(one: IntArray, other: IntArray) -> IntArray:
    mixed = one.astype(np.int64) * (int(other.max()) + 1) + other
    return np.asarray(np.unique(mixed, return_inverse=True)[1], dtype=np.int32)


def classes_by(table: Table, words: Sequence[Word]) -> IntArray:
    """Number the classes of states that answer all words alike."""
    label = np.zeros(table.states, dtype=np.int32)
    for word in words:
        label = refined(table, label, word)
    return label


def refined(table: Table, label: IntArray, word: Word) -> IntArray:
    """Split classes by the answers to one more word."""
    current = np.arange(table.states, dtype=np.int32)
    for symbol in word:
        cell = current.astype(np.int64) * table.inputs + symbol
        mixed = label.astype(np.int64) * table.outputs + table.output[cell]
        label = np.unique(mixed, return_inverse=True)[1].astype(np.int32)
        current = table.target[cell]
    return label
