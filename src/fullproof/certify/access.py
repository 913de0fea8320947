"""Access nodes of the model's states in a suite, and nodes that are pairwise apart.

Nothing here needs to be trusted: every condition is checked on the nodes that were chosen.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from fullproof.certify.kernels.observations import ApartNodes
from fullproof.certify.machine import FlatMachine
from fullproof.certify.tree import IntArray, WordTree

_TRIES, _ROOM = 30, 6000
"""How many nodes are considered for each state, and for all states together."""
_STEPS, _WAYS = 500, 4
"""The limit of the search for nodes that are pairwise apart, and the number of alternatives tried at each step."""


def covers(model: FlatMachine, tree: WordTree, *, extra: int) -> Iterator[list[int]]:
    """Prefix-closed state covers within the suite: one node for each state, in the order of the states.

    Generators differ in the words by which they reach a state: mostly the first ones that a breadth-first search
    meets, or those that have most words of ``extra + 1`` inputs below them.
    """
    size, depth = _weights(tree, extra + 1), _depths(tree)
    orders: tuple[Callable[[int], tuple[int, ...]], ...] = (
        lambda node: (depth[node],),
        lambda node: (depth[node], -size[node]),
        lambda node: (-size[node],),
    )
    found: list[list[int]] = []
    for order in orders:
        chosen = _spread(tree, order)
        cover = [chosen[state] for state in sorted(chosen)]
        if len(cover) == model.states and cover not in found:
            found.append(cover)
            yield cover


def cores(model: FlatMachine, tree: WordTree, *, extra: int) -> Iterator[list[int]]:
    """One node for each state, the root among them, in their order: state covers, then nodes that are all apart."""
    yield from covers(model, tree, extra=extra)
    found = pins(tree, tree.observations(), extra=extra)
    if len(found) == model.states:
        yield sorted(found, key=lambda node: int(tree.label[node]))


def pins(tree: WordTree, seen: ApartNodes, *, extra: int) -> list[int]:
    """Nodes with different labels that are pairwise apart, the root first; as many as a short search finds."""
    nodes, first = _candidates(tree, _weights(tree, extra + 1))
    chosen = _Cliques(seen.table(nodes, nodes).astype(bool), first).largest()
    return [int(nodes[k]) for k in chosen]


class _Cliques:
    """One candidate for each group, all of them pairwise apart: depth first, the group with fewest choices next."""

    def __init__(self, apart: NDArray[np.bool_], first: IntArray) -> None:
        self.apart, self.first = apart, first
        self.past = np.append(first[1:], len(apart))
        self.best: list[int] = []
        self.steps = len(first) + _STEPS

    def largest(self) -> list[int]:
        """The largest choice found that has the first candidate of all."""
        left = np.ones(len(self.first), dtype=bool)
        left[0] = False
        stack = [([0], self.apart[0], left)]
        while stack and self.steps and len(self.best) < len(self.first):
            self.steps -= 1
            chosen, fitting, left = stack.pop()
            if len(chosen) > len(self.best):
                self.best = chosen
            choices = np.add.reduceat(fitting, self.first, dtype=np.int64)
            left = left & (choices > 0)
            if not left.any():
                continue
            group = int(np.where(left, choices, len(fitting) + 1).argmin())
            left[group] = False
            options = [k for k in range(self.first[group], self.past[group]) if fitting[k]]
            kept = {k: int((np.logical_or.reduceat(fitting & self.apart[k], self.first) & left).sum()) for k in options}
            options.sort(key=lambda k: (-kept[k], k))
            stack += [([*chosen, k], fitting & self.apart[k], left) for k in reversed(options[:_WAYS])]
        return self.best


def _candidates(tree: WordTree, size: list[int]) -> tuple[IntArray, IntArray]:
    """For each label its shallowest nodes and those with most below them, the root first; and where each begins."""
    depth = _depths(tree)
    by_label: dict[int, list[int]] = {}
    for node, label in enumerate(tree.label.tolist()):
        by_label.setdefault(label, []).append(node)
    tries = max(2, min(_TRIES, _ROOM // len(by_label)))
    groups = []
    for nodes in by_label.values():
        shallow = heapq.nsmallest(tries // 2, nodes, key=lambda node: (depth[node], -size[node], node))
        large = heapq.nsmallest(tries, nodes, key=lambda node: (-size[node], node))
        groups.append(list(dict.fromkeys(shallow + large))[:tries])
    first = np.cumsum([0, *(len(group) for group in groups[:-1])])
    return np.array([node for group in groups for node in group], dtype=np.int32), first.astype(np.int32)


def _depths(tree: WordTree) -> list[int]:
    """How many inputs lead to each node."""
    depth = [0] * len(tree)
    for node, parent in enumerate(tree.parent.tolist()[1:], start=1):
        depth[node] = depth[parent] + 1
    return depth


def _weights(tree: WordTree, distance: int) -> list[int]:
    """How many nodes lie below each node, at most so far from it."""
    level = np.ones(len(tree), dtype=np.int64)
    size = np.zeros(len(tree), dtype=np.int64)
    for _ in range(distance):
        above = np.zeros(len(tree), dtype=np.int64)
        np.add.at(above, tree.parent[1:], level[1:])
        size += above
        level = above
    return size.tolist()


def _spread(tree: WordTree, order: Callable[[int], tuple[int, ...]]) -> dict[int, int]:
    """Take nodes in the given order, earlier nodes first where it has ties; children only of nodes taken."""
    chosen: dict[int, int] = {}
    met = 0
    queue = [(order(0), 0, 0)]
    while queue:
        _, _, node = heapq.heappop(queue)
        if int(tree.label[node]) not in chosen:
            chosen[int(tree.label[node])] = node
            for child in tree.children(node):
                met += 1
                heapq.heappush(queue, (order(child), met, child))
    return chosen
