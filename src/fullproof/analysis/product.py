"""The product of two machines: their common behaviour."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fullproof.analysis.table import RelationTable
from fullproof.core.errors import Bug


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Product:
    """A machine whose state k is the pair ``pairs[k]`` of states of two machines; all of them are reachable."""

    relation: RelationTable
    pairs: tuple[tuple[int, int], ...]


def product(one: RelationTable, other: RelationTable) -> Product:
    """Let two machines move together on equal inputs and outputs, which they number alike.

    Guarantee: the traces of the product are those that both machines have.
    """
    if one.inputs != other.inputs:
        raise Bug(f"a product needs equal inputs, not {one.inputs} and {other.inputs}")
    pairs = [(0, 0)]
    number = {(0, 0): 0}
    counts: list[int] = []
    rows: list[tuple[int, int]] = []
    for left, right in pairs:  # grows while it is walked
        for symbol in range(one.inputs):
            moves = sorted(_moves(one, other, left * one.inputs + symbol, right * one.inputs + symbol))
            counts.append(len(moves))
            found = []
            for output, targets in moves:
                if targets not in number:
                    number[targets] = len(pairs)
                    pairs.append(targets)
                found.append((output, number[targets]))
            rows.extend(sorted(found))
    start = np.zeros(len(pairs) * one.inputs + 1, dtype=np.int32)
    np.cumsum(counts, out=start[1:])
    return Product(
        relation=RelationTable(
            states=len(pairs),
            inputs=one.inputs,
            outputs=max(one.outputs, other.outputs),
            start=start,
            output=np.array([output for output, _ in rows], dtype=np.int32),
            target=np.array([target for _, target in rows], dtype=np.int32),
        ),
        pairs=tuple(pairs),
    )


def _moves(one: RelationTable, other: RelationTable, left: int, right: int) -> set[tuple[int, tuple[int, int]]]:
    """Common outputs of two cells with the pairs they lead to."""
    mine = range(one.start[left], one.start[left + 1])
    yours = range(other.start[right], other.start[right + 1])
    return {
        (int(one.output[j]), (int(one.target[j]), int(other.target[k])))
        for j in mine
        for k in yours
        if one.output[j] == other.output[k]
    }
