"""The cheapest identification of each state by itself: unique input/output sequences where there are any."""

from __future__ import annotations

import numpy as np

from fullproof.analysis.identifiers import Word
from fullproof.analysis.kernels.single import SingleSearch
from fullproof.analysis.separation import Separation
from fullproof.analysis.subsets import identification_set_of
from fullproof.analysis.table import Table

_WIDTH = 8


def unique_identifiers(table: Table, separation: Separation, *, base: float) -> list[tuple[Word, ...]]:
    """Find for each state few short words that distinguish it from all others; a word costs ``base`` plus its inputs.

    Guarantee: each state is distinguished from every other one; nothing is promised about two states having words in
    common.
    Needs: a minimal complete machine.
    """
    search = SingleSearch(table.target, table.output, table.states, base, _WIDTH)
    return [_completed(table, separation, search, state, base) for state in range(table.states)]


def _completed(table: Table, separation: Separation, search: SingleSearch, state: int, base: float) -> tuple[Word, ...]:
    words = search.words(state)
    if words and not words[-1]:
        told = np.array(search.told(state, words[:-1]))
        rest = np.flatnonzero(~told)
        words = [*words[:-1], *{separation.word(state, int(other)) for other in rest if other != state}]
    if len(words) <= 1:
        return tuple(words)
    return identification_set_of(table, state, sorted(words), base=base)
