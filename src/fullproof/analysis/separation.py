"""Shortest words that distinguish two states."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fullproof.analysis.kernels.pairs import separating_inputs
from fullproof.analysis.table import Table
from fullproof.core.errors import UserError

_MOST = 65_535


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Separation:
    """For pair number t * (t - 1) / 2 + s, s < t: first input and length of a shortest separating word, 0: none."""

    table: Table
    first: NDArray[np.uint16]
    lengths: NDArray[np.uint16]

    def length(self, one: int, other: int) -> int:
        """Length of a shortest word that separates two different states; 0 where there is none."""
        return int(self.lengths[_pair(one, other)])

    def word(self, one: int, other: int) -> tuple[int, ...]:
        """Return a shortest separating word of two states.

        Needs: there is one (``length`` is not 0).
        """
        word: list[int] = []
        for _ in range(self.length(one, other)):
            symbol = int(self.first[_pair(one, other)])
            word.append(symbol)
            one = int(self.table.target[one * self.table.inputs + symbol])
            other = int(self.table.target[other * self.table.inputs + symbol])
        return tuple(word)

    def inseparable_pairs(self, most: int) -> list[tuple[int, int]]:
        """Pairs that no word separates, the smaller state first, in the order of their numbers; at most ``most``."""
        numbers = np.flatnonzero(self.lengths == 0)[:most].tolist()
        return [_states(number) for number in numbers]

    @property
    def inseparable(self) -> int:
        """How many pairs no word separates."""
        return int((self.lengths == 0).sum())

    @property
    def total(self) -> bool:
        """Whether every pair of states is separable: on complete machines, whether the machine is minimal."""
        return bool((self.lengths > 0).all())


def separation(table: Table) -> Separation:
    """Find a shortest separating word for every pair of states of a deterministic machine, O(n^2 p).

    In partial machines a word separates two states only where it is defined in both. It needs 10 bytes for each pair
    while it runs, 4 afterwards.
    """
    if table.states > _MOST or table.inputs > _MOST:
        raise UserError(f"words for all pairs of states are limited to {_MOST:,} states and inputs")
    rows = table.output.reshape(table.states, table.inputs)
    row_class = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int32)
    first, lengths = separating_inputs(table.states, table.inputs, table.target, table.output, row_class)
    return Separation(table=table, first=first, lengths=lengths)


def _states(number: int) -> tuple[int, int]:
    high = (1 + math.isqrt(1 + 8 * number)) // 2
    return number - high * (high - 1) // 2, high


def _pair(one: int, other: int) -> int:
    low, high = (one, other) if one < other else (other, one)
    return high * (high - 1) // 2 + low
