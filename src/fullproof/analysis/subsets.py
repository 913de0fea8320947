"""State identification sets: for each state, words of a characterising set that tell it from all others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fullproof.analysis.identifiers import Word
from fullproof.analysis.table import Table

_NEVER = 1 << 20


def identification_sets(table: Table, words: Sequence[Word], *, base: float) -> list[tuple[Word, ...]]:
    """Choose for each state prefixes of words that tell it from every other state, cheaply.

    A chosen word costs ``base`` plus its inputs. Greedy cover, then every word is cut to the length that is needed.
    Needs: the words together tell all states apart.
    """
    if table.states == 1:
        return [()]
    classes = [_classes(table, word) for word in words]
    return [_chosen(state, words, classes, base) for state in range(table.states)]


def _classes(table: Table, word: Word) -> NDArray[np.int64]:
    """For each length (row) and state: the class of states with the same answers so far."""
    current = np.arange(table.states)
    group = np.zeros(table.states, dtype=np.int64)
    rows = np.zeros((len(word), table.states), dtype=np.int64)
    for k, symbol in enumerate(word):
        cell = current * table.inputs + symbol
        group = np.unique(group * table.outputs + table.output[cell], return_inverse=True)[1]
        current = table.target[cell].astype(np.int64)
        rows[k] = group
    return rows


def _chosen(state: int, words: Sequence[Word], classes: list[NDArray[np.int64]], base: float) -> tuple[Word, ...]:
    # needs[k, s]: how many inputs of word k tell the state from s
    differ = [rows != rows[:, state : state + 1] for rows in classes]
    needs = np.array([np.where(d.any(axis=0), d.argmax(axis=0) + 1, _NEVER) for d in differ])
    left = np.ones(needs.shape[1], dtype=np.bool_)
    left[state] = False
    picked: list[int] = []
    while left.any():
        gain = (needs[:, left] < _NEVER).sum(axis=1)
        length = np.where(needs[:, left] < _NEVER, needs[:, left], 0).max(axis=1)
        best = int(np.argmax(gain / (base + length)))
        picked.append(best)
        left &= needs[best] == _NEVER
    return _cut(state, words, needs, _irredundant(state, needs, picked))


def _irredundant(state: int, needs: NDArray[np.int64], picked: list[int]) -> list[int]:
    """Drop words whose work the others do, the first picked ones first: they were chosen knowing least."""
    kept = list(picked)
    for word in picked:
        others = [k for k in kept if k != word]
        told = np.zeros(needs.shape[1], dtype=np.bool_)
        told[state] = True
        for other in others:
            told |= needs[other] < _NEVER
        if told.all():
            kept = others
    return kept


def _cut(state: int, words: Sequence[Word], needs: NDArray[np.int64], kept: list[int]) -> tuple[Word, ...]:
    """Cut words, the longest first, to what the others leave to them."""
    length = {k: int(np.where(needs[k] < _NEVER, needs[k], 0).max()) for k in kept}
    for word in sorted(kept, key=lambda k: -length[k]):
        told = np.zeros(needs.shape[1], dtype=np.bool_)
        told[state] = True
        for other in kept:
            if other != word:
                told |= needs[other] <= length[other]
        length[word] = int(needs[word][~told].max(initial=0))
    return tuple(sorted(words[k][: length[k]] for k in kept if length[k]))
