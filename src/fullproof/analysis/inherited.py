"""Identifiers that a state inherits from a successor.

If input y leads state t to t', and no other state to t' with the same output, then y followed by identifiers of t'
identifies t: another state answers y differently, or goes to another state than t', which those identifiers
distinguish. That is cheaper where t' has fewer or shorter identifiers than t, above all where t needs several and t'
only one.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from fullproof.analysis.identifiers import Word
from fullproof.analysis.table import Table

Family = list[tuple[Word, ...]]


class Heirs(Enum):
    """Whether a state may inherit from a state that has inherited itself."""

    FIRST = "first"
    ANY = "any"


def inherited(table: Table, family: Sequence[tuple[Word, ...]], *, base: float, gain: float, heirs: Heirs) -> Family:
    """Let states inherit where that saves at least ``gain``; each test costs ``base`` beside the identifier's inputs.

    The identifiers are no longer harmonised.
    """
    chosen = list(family)
    cost = [sum(base + len(word) for word in words) for words in chosen]
    unique = _only_one_goes_there(table)
    changed: set[int] = set()
    while True:
        offers = _offers(table, chosen, cost, unique, gain)
        fresh: set[int] = set()
        for _, heir, symbol, successor in offers:
            if heir in changed or successor in fresh or (heirs is Heirs.FIRST and successor in changed):
                continue
            chosen[heir] = tuple((symbol, *word) for word in chosen[successor])
            cost[heir] = sum(base + len(word) for word in chosen[heir])
            fresh.add(heir)
            changed.add(heir)
        if not fresh or heirs is Heirs.FIRST:
            return chosen


def _offers(
    table: Table, family: Family, cost: list[float], unique: NDArray[np.bool_], gain: float
) -> list[tuple[float, int, int, int]]:
    """All (minus saving, heir, input, successor), the greatest saving first."""
    price = np.array(cost)
    after = price + np.array([len(words) for words in family])
    target = table.target.reshape(table.states, table.inputs)
    saving = price[:, None] - after[target]
    found = np.argwhere(unique & (saving >= gain) & (target != np.arange(table.states)[:, None]))
    return sorted((-float(saving[s, y]), int(s), int(y), int(target[s, y])) for s, y in found)


def _only_one_goes_there(table: Table) -> NDArray[np.bool_]:
    """For each state and input: no other state has the same output and target."""
    key = table.output.astype(np.int64) * table.states + table.target
    rows = key.reshape(table.states, table.inputs)
    unique = np.zeros(rows.shape, dtype=np.bool_)
    for symbol in range(table.inputs):
        _, inverse, count = np.unique(rows[:, symbol], return_inverse=True, return_counts=True)
        unique[:, symbol] = count[inverse] == 1
    return unique
