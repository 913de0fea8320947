"""Language equivalence of states where inputs and outputs do not determine the next state."""

from __future__ import annotations

import numpy as np

from fullproof.analysis.table import RelationTable

SUBSETS = 5_000
"""Beyond this many sets of states the question is left open: there may be exponentially many."""


def determinised(relation: RelationTable, *, limit: int = SUBSETS) -> RelationTable | None:
    """The subset construction from every single state: state k of the result is {k}, inputs and outputs are one symbol.

    Guarantee: two single states have the same language iff they are equivalent in the result, which is observable.
    None where more than ``limit`` sets arise.
    """
    moves = _moves(relation)
    sets = [frozenset({k}) for k in range(relation.states)]
    number = {members: k for k, members in enumerate(sets)}
    start, labels, targets = [0], list[int](), list[int]()
    for members in sets:  # grows while it is walked through
        successors: dict[int, set[int]] = {}
        for member in members:
            for label, found in moves[member].items():
                successors.setdefault(label, set()).update(found)
        for label in sorted(successors):
            target = frozenset(successors[label])
            if target not in number:
                if len(sets) >= limit:
                    return None
                number[target] = len(sets)
                sets.append(target)
            labels.append(label)
            targets.append(number[target])
        start.append(len(labels))
    return RelationTable(
        states=len(sets),
        inputs=1,
        outputs=max(1, relation.inputs * relation.outputs),
        start=np.array(start, dtype=np.int32),
        output=np.array(labels, dtype=np.int32),
        target=np.array(targets, dtype=np.int32),
    )


def _moves(relation: RelationTable) -> list[dict[int, set[int]]]:
    """For each state, the targets by label ``input * outputs + output``."""
    moves: list[dict[int, set[int]]] = [{} for _ in range(relation.states)]
    cells = np.repeat(np.arange(len(relation.start) - 1), np.diff(relation.start)).tolist()
    for cell, output, target in zip(cells, relation.output.tolist(), relation.target.tolist(), strict=True):
        state, symbol = divmod(cell, relation.inputs)
        moves[state].setdefault(symbol * relation.outputs + output, set()).add(target)
    return moves
