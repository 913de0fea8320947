"""k-A-completeness: a sufficient condition in polynomial time.

Vaandrager and Melse, New Fault Domains for Conformance Testing of Finite State Machines, CONCUR 2025. Let A be a
minimal prefix-closed state cover, B its nodes in the suite's tree, F(0) the children of B outside B, F(j + 1) the
children of F(j), and C(q) the nodes of B from which q is not apart. A suite is complete for all machines with at most
k states more than the model (and for many larger ones) if

(a) B is pairwise apart, (b) all nodes of B and of F(0) .. F(k-1) have every input, (c) each q in F(k) has one
candidate, (d) each q in F(k) and r in F(0) .. F(k-1) are apart or have the same candidates.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fullproof.certify.access import covers
from fullproof.certify.answers import Evidence, Open, Proved
from fullproof.certify.kernels.observations import ApartNodes
from fullproof.certify.machine import FlatMachine
from fullproof.certify.tree import IntArray, WordTree
from fullproof.core.counted import counted
from fullproof.core.deadline import Deadline


def k_a_complete(model: FlatMachine, tree: WordTree, *, extra: int, deadline: Deadline) -> Proved | Open:
    """Check the condition for the state covers that the suite suggests.

    Needs: a minimal model.
    """
    reason = "k-A: the suite does not reach every state"
    for cover in covers(model, tree, extra=extra):
        failure = KaCondition(model, tree, cover, deadline).failure(extra)
        if failure is None:
            return Proved(
                f"k-A-complete for k = {extra}: complete for machines with at most "
                f"{counted(model.states + extra, 'state')}, "
                "and for all larger ones whose states are within k inputs of the state cover",
                Evidence(tuple(map(tree.word, cover))),
            )
        reason = f"k-A: {failure}"
    return Open(reason)


class KaCondition:
    """(a) to (d) for one choice of nodes, one for each state, the root among them."""

    def __init__(self, model: FlatMachine, tree: WordTree, cover: list[int], deadline: Deadline) -> None:
        self.model, self.tree, self.deadline = model, tree, deadline
        self.seen: ApartNodes = tree.observations()
        self.cover = np.array(cover, dtype=np.int32)

    def failure(self, k: int) -> str | None:
        """What is wrong, or None where (a) to (d) hold."""
        for node in self.cover:
            if self.seen.first_not_apart(node, self.cover) >= 0:
                return "two states of the state cover are not distinguished"
        inside = set(self.cover.tolist())
        level = [child for node in self.cover for child in self.tree.children(node) if child not in inside]
        near: list[int] = []
        complete = all(self._has_every_input(node) for node in self.cover)
        for _ in range(k):
            near += level
            complete = complete and all(self._has_every_input(node) for node in level)
            level = [child for node in level for child in self.tree.children(node) if child not in inside]
        if not complete:
            return f"not every word of {counted(k + 1, 'input')} is applied after the state cover"
        return self._identified(_representatives(self.tree, level), np.array(near, dtype=np.int32))

    def _has_every_input(self, node: int) -> bool:
        return sum(1 for _ in self.tree.children(node)) == self.model.inputs

    def _identified(self, far: IntArray, near: IntArray) -> str | None:
        """Conditions (c) and (d)."""
        certain = self._candidates(near) == 1
        for node in far:
            if self.deadline.passed():
                return "time ran out"
            if self._candidates(node[None])[0] != 1:
                return f"a node {self.tree.word(int(node))} at distance k + 1 is not identified"
            # Nodes with the same single candidate need not be apart; a node with several must be, whatever its label.
            if not certain[self.tree.label[near] == self.tree.label[node]].all():
                return "a node nearer than k + 1 has several candidates"
            if self.seen.first_not_apart(node, near) >= 0:
                return f"a node {self.tree.word(int(node))} at distance k + 1 is not apart from a nearer one"
        return None

    def _candidates(self, nodes: IntArray) -> NDArray[np.int64]:
        """How many nodes of the state cover each node is not apart from: one of them has its label."""
        fewer: NDArray[np.int64] = self.seen.table(nodes, self.cover).sum(axis=1, dtype=np.int64)
        return self.model.states - fewer


def _representatives(tree: WordTree, nodes: list[int]) -> IntArray:
    """One node for each kind: nodes with the same label and the same words below them are apart from the same nodes."""
    kind = [0] * len(tree)
    number: dict[object, int] = {}
    for node in range(len(tree) - 1, -1, -1):
        below = tuple((int(tree.symbol[child]), kind[child]) for child in tree.children(node))
        kind[node] = number.setdefault((int(tree.label[node]), below), len(number))
    chosen = {kind[node]: node for node in reversed(nodes)}
    return np.array(sorted(chosen.values()), dtype=np.int32)
