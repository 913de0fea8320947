"""Where the states of the model are met in a suite: access nodes, and nodes that are pairwise apart.

Nothing here needs to be trusted: every condition is checked on the nodes that were chosen.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator

import numpy as np

from fullproof.certify.kernels.observations import Observations
from fullproof.certify.machine import Machine
from fullproof.certify.tree import Tree

_TRIES = 30
"""How many nodes of a state are tried where its access node is not apart from the others."""


def covers(model: Machine, tree: Tree, *, extra: int) -> Iterator[list[int]]:
    """Prefix-closed state covers within the suite: one node for each state, in the order of the states.

    Generators differ in the words by which they reach a state; those a suite is built on have all words of
    ``extra + 1`` inputs below them.
    """
    found: list[list[int]] = []
    for order in _orders(tree, _weights(tree, extra + 1)):
        chosen = _spread(tree, order)
        cover = [chosen[state] for state in sorted(chosen)]
        if len(cover) == model.states and cover not in found:
            found.append(cover)
            yield cover


def pins(tree: Tree, seen: Observations, *, extra: int) -> list[int]:
    """Nodes with different labels that are pairwise apart, the root first; as many as are found greedily."""
    size = _weights(tree, extra + 1)
    access = _spread(tree, _orders(tree, size)[0])
    by_label: dict[int, list[int]] = {}
    for node, label in enumerate(tree.label.tolist()):
        by_label.setdefault(label, []).append(node)
    chosen = [0]
    for label, node in access.items():
        others = heapq.nlargest(_TRIES, by_label[label], key=size.__getitem__)
        against = np.array(chosen, dtype=np.int32)
        fitting = (n for n in (node, *others) if label != tree.label[0] and seen.first_not_apart(n, against) < 0)
        found = next(fitting, None)
        if found is not None:
            chosen.append(found)
    return chosen


def _orders(tree: Tree, size: list[int]) -> tuple[Callable[[int], tuple[int, ...]], Callable[[int], tuple[int, ...]]]:
    """Shallow nodes first, those with most below them first; and the latter alone."""
    depth = [0] * len(tree)
    for node, parent in enumerate(tree.parent.tolist()[1:], start=1):
        depth[node] = depth[parent] + 1
    return lambda node: (depth[node], -size[node], node), lambda node: (-size[node], node)


def _weights(tree: Tree, distance: int) -> list[int]:
    """How many nodes lie below each node, at most so far from it."""
    level = np.ones(len(tree), dtype=np.int64)
    size = np.zeros(len(tree), dtype=np.int64)
    for _ in range(distance):
        above = np.zeros(len(tree), dtype=np.int64)
        np.add.at(above, tree.parent[1:], level[1:])
        size += above
        level = above
    return size.tolist()


def _spread(tree: Tree, order: Callable[[int], tuple[int, ...]]) -> dict[int, int]:
    """Take nodes in the given order, children only of nodes taken, the first of each label."""
    chosen: dict[int, int] = {}
    queue = [(order(0), 0)]
    while queue:
        _, node = heapq.heappop(queue)
        if int(tree.label[node]) not in chosen:
            chosen[int(tree.label[node])] = node
            for child in tree.children(node):
                heapq.heappush(queue, (order(child), child))
    return chosen
