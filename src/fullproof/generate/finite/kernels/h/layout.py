"""The words v.x, v in a state cover, |x| <= extra + 1, as a tree: what every suite of the H-method begins with."""

from typing import Any

import cython
import numpy as np


def planted(states: int, inputs: int, extra: int) -> int:
    """How many nodes the tree has."""
    fringe = states * inputs + 1 - states
    nodes = states
    for _ in range(extra + 1):
        nodes += fringe
        fringe *= inputs
    return nodes


def plant(
    target: cython.int[::1], edges: cython.uchar[::1], sizes: tuple[int, int, int], room: cython.int
) -> tuple[Any, ...]:
    """Return child, sibling, symbol, label and depth of each node, with room for more; then level, parent, access.

    A node of level 0 is in the cover, one of level extra + 1 is a tip and has no children; the others have all their
    children, in one block. ``edges`` marks the cells that are edges of the cover's tree; ``sizes``: states, inputs,
    extra states. ``access`` is the node of each state's word in the cover.
    """
    p: cython.int
    extra: cython.int
    states, p, extra = sizes
    count: cython.int = planted(*sizes)
    arrays = tuple(np.full(room, -1, dtype=np.int32) for _ in range(5))
    child: cython.int[::1] = arrays[0]
    sibling: cython.int[::1] = arrays[1]
    symbol: cython.int[::1] = arrays[2]
    label: cython.int[::1] = arrays[3]
    depth: cython.int[::1] = arrays[4]
    marks = np.zeros(count, dtype=np.uint8), np.full(count, -1, dtype=np.int32), np.zeros(states, dtype=np.int32)
    level: cython.uchar[::1] = marks[0]
    above: cython.int[::1] = marks[1]
    access: cython.int[::1] = marks[2]
    node: cython.int
    kid: cython.int
    cell: cython.int
    nodes: cython.int = 1
    label[0] = 0
    depth[0] = 0
    for node in range(count):
        if level[node] == 0:
            access[label[node]] = node
        if level[node] > extra:
            continue
        child[node] = nodes
        for cell in range(label[node] * p, label[node] * p + p):
            kid = nodes
            nodes += 1
            symbol[kid] = kid - child[node]
            above[kid] = node
            label[kid] = target[cell]
            depth[kid] = depth[node] + 1
            sibling[kid] = kid + 1 if symbol[kid] + 1 < p else -1
            level[kid] = level[node] + (1 if level[node] > 0 or not edges[cell] else 0)
    return (*arrays, *marks)
