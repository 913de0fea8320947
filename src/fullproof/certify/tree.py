"""A suite as a tree: every prefix of every test once, with the outputs that the model expects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fullproof.certify.kernels.observations import DEPTH, ApartNodes, grow
from fullproof.certify.machine import FlatMachine, Word

IntArray = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class WordTree:
    """Node 0 is the empty word; a parent has a smaller number than its children.

    Children are listed by ``first`` and ``after``, in the order of their inputs; ``symbol`` and ``output`` belong to
    the edge into a node, ``label`` is the state of the model after the node's word.
    """

    first: IntArray
    after: IntArray
    symbol: IntArray
    output: IntArray
    label: IntArray
    parent: IntArray

    def __len__(self) -> int:
        return len(self.first)

    def children(self, node: int) -> Iterator[int]:
        """The nodes one input further, in the order of the inputs."""
        child = int(self.first[node])
        while child >= 0:
            yield child
            child = int(self.after[child])

    def word(self, node: int) -> Word:
        """The inputs that lead to a node."""
        word = []
        while node:
            word.append(int(self.symbol[node]))
            node = int(self.parent[node])
        return tuple(reversed(word))

    def inner(self) -> IntArray:
        """The nodes with children."""
        return np.flatnonzero(self.first >= 0).astype(np.int32)

    def observations(self) -> ApartNodes:
        """A fresh table of what was seen, for questions about apartness."""
        return ApartNodes(self.first.copy(), self.after.copy(), self.symbol, self.output, self.label)

    def apart(self, one: int, other: int) -> bool:
        """Whether a word defined below both nodes gives different outputs."""
        return bool(self.observations().apart(one, other, DEPTH))


def separations(tree: WordTree, one: int, other: int) -> Iterator[frozenset[int]]:
    """The pairs of nodes below two nodes, by the same word, whose outputs differ there for the first time."""
    todo = [(one, other)]
    while todo:
        one, other = todo.pop()
        below = {int(tree.symbol[child]): child for child in tree.children(other)}
        for child in tree.children(one):
            twin = below.get(int(tree.symbol[child]))
            if twin is not None and tree.output[child] != tree.output[twin]:
                yield frozenset((child, twin))
            elif twin is not None:
                todo.append((child, twin))


def plant(model: FlatMachine, words: Iterable[Sequence[int]]) -> WordTree:
    """Build the tree of a suite."""
    listed = [np.asarray(word, dtype=np.int32) for word in words]
    offsets = np.zeros(len(listed) + 1, dtype=np.int64)
    np.cumsum([len(word) for word in listed], out=offsets[1:])
    symbols = np.concatenate([np.zeros(0, dtype=np.int32), *listed])
    target, output = flat(model)
    return WordTree(*grow(symbols, offsets, target, output, model.inputs))


def flat(model: FlatMachine) -> tuple[IntArray, IntArray]:
    """Targets and outputs row by row, for the kernels."""
    return np.array(model.target, dtype=np.int32).ravel(), np.array(model.output, dtype=np.int32).ravel()


def maximal(words: Iterable[Word]) -> list[Word]:
    """The words that are no proper prefix of another one, sorted, each once; the empty word is not a test."""
    ordered = sorted({word for word in words if word})
    return [w for k, w in enumerate(ordered) if k + 1 == len(ordered) or ordered[k + 1][: len(w)] != w]
