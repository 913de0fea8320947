"""State identification sets: for each state, words of a characterising set that distinguish it from all others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fullproof.analysis.identifiers import Word
from fullproof.analysis.kernels.subset import SubsetChooser
from fullproof.analysis.table import IntArray, Table


def identification_sets(table: Table, words: Sequence[Word], *, base: float) -> list[tuple[Word, ...]]:
    """Choose for each state prefixes of words that distinguish it from every other state, cheaply.

    A chosen word costs ``base`` plus its inputs. Greedy cover, then every word is cut to the length that is needed.
    Needs: the words together distinguish all states.
    """
    chooser = _chooser(table, words, base)
    return [_chosen(chooser, words, state) for state in range(table.states)]


def identification_set_of(table: Table, state: int, words: Sequence[Word], *, base: float) -> tuple[Word, ...]:
    """Like ``identification_sets``, for one state; the words need tell only that one from the others."""
    return _chosen(_chooser(table, words, base), words, state)


def _chosen(chooser: SubsetChooser, words: Sequence[Word], state: int) -> tuple[Word, ...]:
    return tuple(sorted(words[k][:length] for k, length in chooser.choose(state)))


def _chooser(table: Table, words: Sequence[Word], base: float) -> SubsetChooser:
    rows = [_classes(table, word) for word in words]
    start = np.zeros(len(words) + 1, dtype=np.int32)
    np.cumsum([len(word) for word in words], out=start[1:])
    code = np.concatenate([np.zeros((0, table.states), dtype=np.int32), *rows])
    return SubsetChooser(code, start, base)


def _classes(table: Table, word: Word) -> IntArray:
    """For each length (row) and state: the class of states with the same answers so far."""
    current = np.arange(table.states)
    group = np.zeros(table.states, dtype=np.int64)
    rows = np.zeros((len(word), table.states), dtype=np.int32)
    for k, symbol in enumerate(word):
        cell = current * table.inputs + symbol
        group = np.unique(group * table.outputs + table.output[cell], return_inverse=True)[1]
        current = table.target[cell].astype(np.int64)
        rows[k] = group
    return rows
