"""The transformation to an observable machine: sets of states that one trace may have reached."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fullproof.analysis.table import RelationTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Observable:
    """An observable machine; state k stands for the set ``members[k]`` of states of the original."""

    relation: RelationTable
    members: tuple[tuple[int, ...], ...]


def observable(relation: RelationTable) -> Observable:
    """Build the connected observable machine of the same language (subset construction).

    An input is defined in a set iff it is defined in one of its members: the language is kept, the fact that another
    member refuses the input is not. The number of sets may be exponential.
    """
    members: list[tuple[int, ...]] = [(0,)]
    number: dict[tuple[int, ...], int] = {(0,): 0}
    counts: list[int] = []
    outputs: list[int] = []
    targets: list[int] = []
    for current in members:  # grows while it is walked
        for symbol in range(relation.inputs):
            answers = _answers(relation, current, symbol)
            counts.append(len(answers))
            for output, reached in sorted(answers.items()):
                successor = tuple(sorted(reached))
                if successor not in number:
                    number[successor] = len(members)
                    members.append(successor)
                outputs.append(output)
                targets.append(number[successor])
    start = np.zeros(len(members) * relation.inputs + 1, dtype=np.int32)
    np.cumsum(counts, out=start[1:])
    return Observable(
        relation=RelationTable(
            states=len(members),
            inputs=relation.inputs,
            outputs=relation.outputs,
            start=start,
            output=np.array(outputs, dtype=np.int32),
            target=np.array(targets, dtype=np.int32),
        ),
        members=tuple(members),
    )


def _answers(relation: RelationTable, states: tuple[int, ...], symbol: int) -> dict[int, set[int]]:
    """Targets by output."""
    answers: dict[int, set[int]] = {}
    for state in states:
        cell = state * relation.inputs + symbol
        row = slice(relation.start[cell], relation.start[cell + 1])
        for output, target in zip(relation.output[row].tolist(), relation.target[row].tolist(), strict=True):
            answers.setdefault(output, set()).add(target)
    return answers
