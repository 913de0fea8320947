"""Splitting trees (Lee and Yannakakis 1994), extended to machines without a distinguishing sequence.

A node is a set of states with a word that splits it. Where possible the word is *valid*: states of the set with equal
outputs are led to different states, so no information is lost. Sets that no valid word splits get a word that splits
them and may merge some of their states (Smetsers, Moerman and Jansen 2016 do likewise).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fullproof.analysis.identifiers import Word
from fullproof.analysis.separation import Separation
from fullproof.analysis.table import Table

States = NDArray[np.int64]


@dataclass(slots=True, eq=False)
class SplitNode:
    """A set of states; ``word`` is empty and there are no children where it is a single state."""

    states: States
    depth: int
    parent: SplitNode | None = None
    word: Word = ()
    valid: bool = True
    children: list[SplitNode] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SplittingTree:
    """The root, and the leaf of each state."""

    table: Table
    root: SplitNode
    leaf: list[SplitNode]

    def joint(self, states: Iterable[int]) -> SplitNode:
        """The smallest node that holds all given states (at least one)."""
        nodes = {id(self.leaf[s]): self.leaf[s] for s in states}
        while len(nodes) > 1:
            deepest = max(node.depth for node in nodes.values())
            lifted = (node.parent if node.depth == deepest else node for node in nodes.values())
            nodes = {id(node): node for node in lifted if node is not None}
        return next(iter(nodes.values()))

    @property
    def valid(self) -> bool:
        """Whether every word is valid: exactly then the machine has an adaptive distinguishing sequence."""
        return all(node.valid for node in self.nodes())

    def nodes(self) -> Iterator[SplitNode]:
        """All nodes, parents before children."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


def splitting_tree(table: Table, separation: Separation) -> SplittingTree:
    """Split the set of all states down to single states, larger sets first.

    Guarantee: words are valid wherever a valid word exists. Needs: a minimal complete machine.
    """
    root = SplitNode(np.arange(table.states), 0)
    tree = SplittingTree(table=table, root=root, leaf=[root] * table.states)
    waiting: dict[int, list[SplitNode]] = {len(root.states): [root]}
    while waiting:
        size = max(waiting)
        nodes = waiting.pop(size)
        if size == 1:
            continue
        # Words are found for all sets of a size before one of them is split, as the largest sets lead to one another.
        for node, word, valid in list(_words(tree, separation, nodes)):
            _split(tree, node, word, valid=valid)
            for child in node.children:
                waiting.setdefault(len(child.states), []).append(child)
    return tree


def _split(tree: SplittingTree, node: SplitNode, word: Word, *, valid: bool) -> None:
    table = tree.table
    current = node.states
    group = np.zeros(len(current), dtype=np.int64)
    for symbol in word:
        cell = current * table.inputs + symbol
        group = np.unique(group * table.outputs + table.output[cell], return_inverse=True)[1]
        current = table.target[cell].astype(np.int64)
    node.word, node.valid = word, valid
    for number in range(int(group.max()) + 1):
        child = SplitNode(node.states[group == number], node.depth + 1, node)
        node.children.append(child)
        for state in child.states.tolist():
            tree.leaf[state] = child


def _words(
    tree: SplittingTree, separation: Separation, nodes: list[SplitNode]
) -> Iterator[tuple[SplitNode, Word, bool]]:
    """A word for each of the largest leaves: by output, through a set already split, or through one another."""
    solved: dict[int, Word] = {}
    links: dict[int, list[tuple[int, int]]] = {}
    number = {id(node): k for k, node in enumerate(nodes)}
    queue: list[int] = []
    for k, node in enumerate(nodes):
        word, leads = _direct(tree, node)
        if word:
            solved[k] = word
            queue.append(k)
        for symbol, other in leads:
            if id(other) in number:
                links.setdefault(number[id(other)], []).append((k, symbol))
    queue.sort(key=lambda k: len(solved[k]))
    for k in queue:  # grows while it is walked
        for before, symbol in links.get(k, ()):
            if before not in solved:
                solved[before] = (symbol, *solved[k])
                queue.append(before)
    for k, node in enumerate(nodes):
        if k in solved:
            yield node, solved[k], True
        else:
            yield node, _lossy(tree, separation, node), False


def _direct(tree: SplittingTree, node: SplitNode) -> tuple[Word, list[tuple[int, SplitNode]]]:
    """The shortest word that starts with a valid input and needs no other leaf; and the leaves valid inputs lead to."""
    table = tree.table
    best: Word = ()
    leads: list[tuple[int, SplitNode]] = []
    for symbol in range(table.inputs):
        cell = node.states * table.inputs + symbol
        output, target = table.output[cell], table.target[cell]
        pairs = output.astype(np.int64) * table.states + target
        if len(np.unique(pairs)) < len(pairs):
            continue
        if (output != output[0]).any():
            return (symbol,), []
        joint = tree.joint(target.tolist())
        if joint.children:
            # The word of a set that is not valid as a whole may still be valid for this part of it.
            if (not best or 1 + len(joint.word) < len(best)) and (joint.valid or _lossless(table, target, joint.word)):
                best = (symbol, *joint.word)
        else:
            leads.append((symbol, joint))
    return best, leads


def _lossless(table: Table, states: NDArray[np.int32], word: Word) -> bool:
    """Whether a word never leads two states to the same one by the same outputs."""
    current = states.astype(np.int64)
    group = np.zeros(len(current), dtype=np.int64)
    for symbol in word:
        cell = current * table.inputs + symbol
        group = np.unique(group * table.outputs + table.output[cell], return_inverse=True)[1]
        current = table.target[cell].astype(np.int64)
    return len(np.unique(group * table.states + current)) == len(current)


def _lossy(tree: SplittingTree, separation: Separation, node: SplitNode) -> Word:
    """The best word among single inputs that split, else a shortest separating word of two states of the set."""
    table = tree.table
    best: tuple[float, int] | None = None
    for symbol in range(table.inputs):
        cell = node.states * table.inputs + symbol
        output = table.output[cell]
        pairs = output.astype(np.int64) * table.states + table.target[cell]
        count = np.unique(output, return_counts=True)[1]
        if len(count) > 1:
            merged = len(pairs) - len(np.unique(pairs))
            left = float((count * np.log2(count)).sum()) + 4.0 * merged
            if best is None or left < best[0]:
                best = (left, symbol)
    if best is not None:
        return (best[1],)
    first, *others = node.states.tolist()
    nearest = min(others, key=lambda other: separation.length(first, other))
    return separation.word(first, nearest)
