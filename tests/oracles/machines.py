"""Slow, obvious answers about finite machines."""

from itertools import product

import numpy as np

from fullproof.analysis.table import RelationTable, Table


def transitions(relation: RelationTable) -> set[tuple[int, int, int, int]]:
    """All (source, input, output, target)."""
    return {
        (cell // relation.inputs, cell % relation.inputs, int(relation.output[k]), int(relation.target[k]))
        for cell in range(relation.states * relation.inputs)
        for k in range(relation.start[cell], relation.start[cell + 1])
    }


def reachable_states(relation: RelationTable) -> set[int]:
    """Close {0} under transitions."""
    found = {0}
    while True:
        more = found | {t for s, _, _, t in transitions(relation) if s in found}
        if more == found:
            return found
        found = more


def traces(relation: RelationTable, state: int, length: int) -> set[tuple[tuple[int, int], ...]]:
    """All input/output traces of a given length at most."""
    step: dict[int, list[tuple[int, int, int]]] = {s: [] for s in range(relation.states)}
    for s, i, o, t in transitions(relation):
        step[s].append((i, o, t))
    found: set[tuple[tuple[int, int], ...]] = {()}
    level: set[tuple[tuple[tuple[int, int], ...], int]] = {((), state)}
    for _ in range(length):
        level = {((*trace, (i, o)), t) for trace, s in level for i, o, t in step[s]}
        found |= {trace for trace, _ in level}
    return found


def bisimilar(relation: RelationTable) -> list[list[bool]]:
    """The greatest bisimulation, by taking away pairs until nothing changes."""
    n = relation.states
    step: list[set[tuple[int, int, int]]] = [set() for _ in range(n)]
    for s, i, o, t in transitions(relation):
        step[s].add((i, o, t))
    same = [[True] * n for _ in range(n)]

    def simulated(s: int, r: int) -> bool:
        return all(any((i, o) == (j, u) and same[t][v] for j, u, v in step[r]) for i, o, t in step[s])

    changed = True
    while changed:
        changed = False
        for s, r in product(range(n), repeat=2):
            if same[s][r] and not (simulated(s, r) and simulated(r, s)):
                same[s][r] = same[r][s] = False
                changed = True
    return same


def run(table: Table, word: tuple[int, ...], state: int = 0) -> tuple[tuple[int, ...], int]:
    """Outputs and last state of a deterministic machine on a word it defines."""
    outputs = []
    for symbol in word:
        cell = state * table.inputs + symbol
        outputs.append(int(table.output[cell]))
        state = int(table.target[cell])
    return tuple(outputs), state


def separates(table: Table, word: tuple[int, ...], one: int, other: int) -> bool:
    """Whether two states of a complete deterministic machine answer a word differently."""
    return run(table, word, one)[0] != run(table, word, other)[0]


def shortest_separating_length(table: Table, one: int, other: int) -> int | None:
    """Length of a shortest separating word of a complete deterministic machine; None where there is none."""
    level = {(one, other)}
    seen = set(level)
    for length in range(1, table.states * table.states + 1):
        following = set()
        for s, r in level:
            for i in range(table.inputs):
                a, b = s * table.inputs + i, r * table.inputs + i
                if table.output[a] != table.output[b]:
                    return length
                following.add((int(table.target[a]), int(table.target[b])))
        level = following - seen
        seen |= level
    return None


def quotient(table: Table) -> Table:
    """The minimal connected machine of a complete deterministic one."""
    order, queue = {0: 0}, [0]

    def representative(state: int) -> int:
        known = (s for s in order if shortest_separating_length(table, s, state) is None)
        return next(known, state)

    rows: list[tuple[int, int]] = []
    while queue:
        state = queue.pop(0)
        for i in range(table.inputs):
            cell = state * table.inputs + i
            target = representative(int(table.target[cell]))
            if target not in order:
                order[target] = len(order)
                queue.append(target)
            rows.append((order[target], int(table.output[cell])))
    return Table(
        states=len(order),
        inputs=table.inputs,
        outputs=table.outputs,
        target=np.array([t for t, _ in rows], dtype=np.int32),
        output=np.array([o for _, o in rows], dtype=np.int32),
    )


def defined_separating_length(table: Table, one: int, other: int) -> int | None:
    """Like ``shortest_separating_length`` for partial machines: words that are defined in both states."""
    level = {(one, other)}
    seen = set(level)
    for length in range(1, table.states * table.states + 1):
        following = set()
        for s, r in level:
            for i in range(table.inputs):
                a, b = s * table.inputs + i, r * table.inputs + i
                if table.target[a] < 0 or table.target[b] < 0:
                    continue
                if table.output[a] != table.output[b]:
                    return length
                following.add((int(table.target[a]), int(table.target[b])))
        level = following - seen
        seen |= level
    return None
