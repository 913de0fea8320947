"""Adaptive distinguishing sequences (Lee and Yannakakis 1994), complete or partial."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fullproof.analysis.identifiers import Word
from fullproof.analysis.splitting_tree import SplittingTree, States
from fullproof.analysis.table import Table

Answer = tuple[int, ...]


@dataclass(slots=True, eq=False)
class AdsNode:
    """Apply ``word`` and continue with the child for the observed outputs; ``states`` are the possible initial states.

    ``path`` is the whole word from the start up to here. A node without children is a leaf.
    """

    states: tuple[int, ...]
    path: Word
    word: Word = ()
    children: dict[Answer, AdsNode] = field(default_factory=dict)


def adaptive_distinguishing_sequence(tree: SplittingTree) -> AdsNode | None:
    """Return a complete adaptive distinguishing sequence, whose leaves are single states; None where there is none."""
    return _grown(tree, np.arange(tree.table.states)) if tree.valid else None


def adaptive_identifiers(tree: SplittingTree) -> list[tuple[Word, ...]]:
    """Identify every state by adaptive sequences: one word where a distinguishing sequence exists, else a few.

    Guarantee: harmonised. States that a sequence merges form groups; each group gets a sequence of its own.
    """
    found: list[list[Word]] = [[] for _ in range(tree.table.states)]
    groups: list[States] = [np.arange(tree.table.states)]
    while groups:
        group = groups.pop()
        if len(group) == 1:
            continue
        for leaf in _leaves(_grown(tree, group)):
            for state in leaf.states:
                found[state].append(leaf.path)
            groups.append(np.array(leaf.states, dtype=np.int64))
    return [tuple(words) for words in found]


def _leaves(root: AdsNode) -> Iterator[AdsNode]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if not node.children:
            yield node
        waiting.extend(node.children.values())


def _grown(tree: SplittingTree, group: States) -> AdsNode:
    """Split a group of possible initial states until each part has reached a single state."""
    root = AdsNode(tuple(group.tolist()), ())
    waiting = [(root, group, group)]
    while waiting:
        node, origins, current = waiting.pop()
        if len(np.unique(current)) == 1:
            continue
        node.word, outputs, reached = _until_split(tree.table, current, tree.joint(current.tolist()).word)
        # The word splits at its last input only: outputs differ in their last symbol alone.
        for last in np.unique(outputs[:, -1]):
            part = outputs[:, -1] == last
            child = AdsNode(tuple(origins[part].tolist()), node.path + node.word)
            node.children[tuple(outputs[part][0].tolist())] = child
            waiting.append((child, origins[part], reached[part]))
    return root


def _until_split(table: Table, current: States, word: Word) -> tuple[Word, NDArray[np.int32], States]:
    """Apply a word up to the first input that splits: the rest is chosen separately for each part."""
    outputs: list[NDArray[np.int32]] = []
    for k, symbol in enumerate(word):
        cell = current * table.inputs + symbol
        outputs.append(table.output[cell])
        current = table.target[cell].astype(np.int64)
        if (outputs[-1] != outputs[-1][0]).any():
            return word[: k + 1], np.stack(outputs, axis=1), current
    return word, np.stack(outputs, axis=1), current
