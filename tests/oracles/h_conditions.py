"""The conditions of the H-method, word by word."""

from collections.abc import Iterable
from itertools import combinations

from tests.oracles.machines import run
from tests.oracles.suites import Word, access_words, traversal

from fullproof.analysis.table import Table


def h_violation(table: Table, tests: Iterable[Word], extra: int) -> str | None:
    """Why a suite does not satisfy them; None where it does."""
    nodes = {word[:k] for word in tests for k in range(len(word) + 1)} | {()}
    state = {node: run(table, node)[1] for node in nodes}
    below: dict[Word, set[int]] = {node: set() for node in nodes}
    for node in nodes:
        if node:
            below[node[:-1]].add(node[-1])

    def apart(one: Word, other: Word) -> bool:
        for i in below[one] & below[other]:
            if table.output[state[one] * table.inputs + i] != table.output[state[other] * table.inputs + i]:
                return True
            if apart((*one, i), (*other, i)):
                return True
        return False

    level = traversal(table, extra)
    missing = set(level) - nodes
    if missing:
        return f"{min(missing)} is not in the tree"
    cover = list(access_words(table).values())
    wanted = [*combinations(cover, 2)]
    wanted += [(v, node) for v in cover for node, depth in level.items() if depth > 0]
    wanted += [(node[:-k], node) for node, depth in level.items() for k in range(1, depth)]
    for one, other in wanted:
        if state[one] != state[other] and not apart(one, other):
            return f"{one} and {other} are not apart"
    return None
