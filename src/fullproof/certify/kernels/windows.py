"""Refuting what the last step of a window may have led to: the rules of window walks, one to one.

A configuration is a state that an implementation might be in: ``v_q`` is the number q, ``e_l`` the number
``states + l - 1``, and -1 means anything at all.
"""

from typing import Any

import cython
import numpy as np

DEPTH = 400
EFFORT = 200_000
"""Words longer than DEPTH, and more than EFFORT steps for one item, are ignored. That is safe: a refutation may
be missed, none is invented."""


@cython.cclass
class Refuter:
    """Follows configurations below nodes of the tree and drops those whose outputs differ from the expected ones."""

    first: cython.int[::1]
    after: cython.int[::1]
    symbol: cython.int[::1]
    output: cython.int[::1]
    label: cython.int[::1]
    target: cython.int[::1]
    answer: cython.int[::1]
    states: cython.int
    inputs: cython.int
    extra: cython.int
    risky: cython.uchar[::1]
    path: cython.int[::1]
    closed: cython.uchar[::1]
    trusting: cython.bint
    effort: cython.longlong

    def __init__(self, tree: tuple[Any, ...], model: tuple[Any, ...], inputs: cython.int, extra: cython.int) -> None:
        """``tree``: first, after, symbol, output, label; ``model``: targets and outputs, row by row."""
        self.first, self.after, self.symbol, self.output, self.label = tree
        self.target, self.answer = model
        self.inputs = inputs
        self.states = self.target.shape[0] // inputs
        self.extra = extra
        self.risky = np.zeros(self.states * inputs, dtype=np.uint8)
        self.path = np.zeros(extra, dtype=np.int32)
        self.closed = np.zeros(inputs, dtype=np.uint8)
        self.trusting = False
        self.effort = 0

    def doubt(self, cells: cython.int[::1]) -> None:
        """Transitions into the state at hand that might lead to e_1 instead: In(t) without those ordered before."""
        self.risky[:] = 0
        k: cython.Py_ssize_t
        for k in range(cells.shape[0]):
            self.risky[cells[k]] = 1

    def enter(self, path: cython.int[::1]) -> None:
        """Choose the labels of e_1 .. e_a, and trust nothing about the inputs of e_a."""
        k: cython.Py_ssize_t
        for k in range(self.extra):
            self.path[k] = path[k]
        self.closed[:] = 0
        self.trusting = False

    def trust(self) -> None:
        """From now on: no input leads from e_a to a wrong v-state. Only for e-items, once all v-items are refuted."""
        self.trusting = True

    def close(self, symbol: cython.int) -> None:
        """The window that ends with this input is completely refuted."""
        self.closed[symbol] = 1

    def good(self, parent: cython.int[::1]) -> Any:
        """A 1 for each node whose path from the root has no risky transition."""
        result = np.zeros(parent.shape[0], dtype=np.uint8)
        mark: cython.uchar[::1] = result
        node: cython.int
        mark[0] = 1
        for node in range(1, parent.shape[0]):
            mark[node] = (
                mark[parent[node]] and not self.risky[self.label[parent[node]] * self.inputs + self.symbol[node]]
            )
        return result

    def left(self, items: cython.int[::1], literal: cython.int[::1], nodes: cython.int[::1]) -> Any:
        """The places of the items that none of the nodes, all of them in the same state, refutes."""
        remaining = []
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        found: cython.bint
        limit: cython.int = DEPTH
        for k in range(items.shape[0]):
            found = False
            for j in range(nodes.shape[0]):
                self.effort = EFFORT
                if self.refuted(items[k], nodes[j], literal[k], limit):
                    found = True
                    break
            if not found:
                remaining.append(k)
        return np.array(remaining, dtype=np.int64)

    @cython.ccall
    @cython.exceptval(check=False)
    def refuted(self, item: cython.int, node: cython.int, literal: cython.int, depth: cython.int) -> cython.bint:
        """Whether the observations below ``node`` exclude that it is in configuration ``item``.

        ``literal`` is a node that is in the same state as ``node`` if the item is right, or -1.
        """
        self.effort -= 1
        if self.effort < 0:
            return False
        state: cython.int = self.label[node]
        known: cython.int = -1
        if item >= self.states:
            known = self.path[item - self.states]
        elif item >= 0:
            known = item
        if (known == -1 or known == state) and (literal < 0 or self.label[literal] == state):
            return False
        e: cython.int = self.first[node]
        shadow: cython.int
        while e >= 0:
            shadow = -1
            if literal >= 0:
                shadow = self.first[literal]
                while shadow >= 0 and self.symbol[shadow] != self.symbol[e]:
                    shadow = self.after[shadow]
                if shadow >= 0 and self.output[shadow] != self.output[e]:
                    return True
            if known != -1 and self.answer[known * self.inputs + self.symbol[e]] != self.output[e]:
                return True
            if depth > 1 and self.successors_refuted(item, e, shadow, depth - 1):
                return True
            e = self.after[e]
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def successors_refuted(self, item: cython.int, e: cython.int, shadow: cython.int, depth: cython.int) -> cython.bint:
        """Whether every configuration that the input on edge ``e`` may lead to is refuted below that edge."""
        k: cython.int = self.symbol[e]
        z: cython.int
        if item == -1:
            return self.refuted(-1, e, shadow, depth)
        if item < self.states:
            if not self.refuted(self.target[item * self.inputs + k], e, shadow, depth):
                return False
            return not self.risky[item * self.inputs + k] or self.refuted(self.states, e, shadow, depth)
        last: cython.bint = item == self.states + self.extra - 1
        if last and not self.trusting:
            return self.refuted(-1, e, shadow, depth)
        z = self.target[self.path[item - self.states] * self.inputs + k]
        if not self.refuted(z, e, shadow, depth):
            return False
        h: cython.int
        for h in range(self.extra):
            if ((last and not self.closed[k]) or self.path[h] == z) and not self.refuted(
                self.states + h, e, shadow, depth
            ):
                return False
        return True
