"""The input words that are defined in a state of a deterministic machine: all of them where it is complete."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fullproof.analysis.table import Table

Word = tuple[int, ...]


def is_complete(table: Table) -> bool:
    """Whether every state has a transition for every input."""
    return not bool((table.target < 0).any())


def defined_words(table: Table, state: int, length: int) -> Iterator[Word]:
    """The defined words of a length, in lexicographic order."""
    stack: list[tuple[int, Word]] = [(state, ())]
    while stack:
        here, word = stack.pop()
        if len(word) == length:
            yield word
            continue
        row = table.target[here * table.inputs : (here + 1) * table.inputs].tolist()
        stack += [(row[symbol], (*word, symbol)) for symbol in reversed(range(table.inputs)) if row[symbol] >= 0]


def word_counts(table: Table, length: int) -> list[list[int]]:
    """For each length from 0 on: how many words of that length are defined in each state. Exact, hence no array."""
    rows = [row[row >= 0].tolist() for row in np.asarray(table.target).reshape(table.states, table.inputs)]
    counts = [[1] * table.states]
    for _ in range(length):
        before = counts[-1]
        counts.append([sum(before[there] for there in row) for row in rows])
    return counts


def windows(table: Table, length: int, *, most: float) -> float:
    """How many defined words of a length there are, over all states; infinity where there are more than ``most``."""
    if is_complete(table):
        total = float(table.states) * float(table.inputs) ** min(length, 400) if table.inputs > 1 else table.states
        return total if total <= most else math.inf
    rows = [row[row >= 0].tolist() for row in np.asarray(table.target).reshape(table.states, table.inputs)]
    counts = [1] * table.states
    for _ in range(length):
        counts = [sum(counts[there] for there in row) for row in rows]
        if sum(counts) > most:
            return math.inf
    return sum(counts)
