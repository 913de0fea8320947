"""Coarsest stable partition of the states of a labelled graph (Valmari and Lehtinen 2008).

O(m log n) for m edges: every time a set of edges is used again for splitting, it has at most half its former size.
Undefined labels need no sink state: a state without an edge of some label leaves the block of those that have one.
"""

import cython
import numpy as np


@cython.cclass
class RefinablePartition:
    """Disjoint sets over 0..n-1; marking some elements and splitting takes time proportional to the marks."""

    count: cython.int
    element: cython.int[::1]
    location: cython.int[::1]
    owner: cython.int[::1]
    first: cython.int[::1]
    past: cython.int[::1]
    marks: cython.int[::1]
    touched: cython.int[::1]
    waiting: cython.int

    def __init__(self, owner: cython.int[::1], sets: cython.int) -> None:
        """Start with the sets ``owner`` names, numbered 0..sets-1, none of them empty."""
        size: cython.int = owner.shape[0]
        self.count = sets
        self.waiting = 0
        self.owner = owner
        order = np.argsort(np.asarray(owner), kind="stable").astype(np.int32)
        self.element = order
        self.location = np.empty(size, dtype=np.int32)
        self.first = np.zeros(size + 1, dtype=np.int32)
        self.past = np.zeros(size + 1, dtype=np.int32)
        self.marks = np.zeros(size + 1, dtype=np.int32)
        self.touched = np.zeros(size + 1, dtype=np.int32)
        k: cython.int
        for k in range(size):
            self.location[self.element[k]] = k
            self.past[owner[self.element[k]]] = k + 1
        for k in range(1, sets):
            self.first[k] = self.past[k - 1]

    @cython.cfunc
    @cython.exceptval(check=False)
    def mark(self, item: cython.int) -> cython.void:
        """Move an element to the marked front of its set; an element may be marked once before the next split."""
        home: cython.int = self.owner[item]
        here: cython.int = self.location[item]
        there: cython.int = self.first[home] + self.marks[home]
        self.element[here] = self.element[there]
        self.location[self.element[here]] = here
        self.element[there] = item
        self.location[item] = there
        if self.marks[home] == 0:
            self.touched[self.waiting] = home
            self.waiting += 1
        self.marks[home] += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def split(self) -> cython.void:
        """Split every touched set into its marked and its unmarked part; the smaller one gets the new number."""
        home: cython.int
        middle: cython.int
        k: cython.int
        while self.waiting > 0:
            self.waiting -= 1
            home = self.touched[self.waiting]
            middle = self.first[home] + self.marks[home]
            self.marks[home] = 0
            if middle == self.past[home]:
                continue
            if middle - self.first[home] <= self.past[home] - middle:
                self.first[self.count] = self.first[home]
                self.past[self.count] = middle
                self.first[home] = middle
            else:
                self.past[self.count] = self.past[home]
                self.first[self.count] = middle
                self.past[home] = middle
            for k in range(self.first[self.count], self.past[self.count]):
                self.owner[self.element[k]] = self.count
            self.count += 1


def stable_partition(
    states: cython.int, source: cython.int[::1], label: cython.int[::1], target: cython.int[::1]
) -> cython.int[::1]:
    """Return the block of each state; two edges of one source never carry the same label.

    ``label`` numbers the labels 0, 1, ... without gaps.
    """
    edges: cython.int = source.shape[0]
    blocks: RefinablePartition = RefinablePartition(np.zeros(states, dtype=np.int32), 1)
    if edges == 0:
        return blocks.owner
    cords: RefinablePartition = RefinablePartition(np.array(label, dtype=np.int32), np.max(np.asarray(label)) + 1)
    incoming: cython.int[::1] = np.argsort(np.asarray(target), kind="stable").astype(np.int32)
    start: cython.int[::1] = np.zeros(states + 1, dtype=np.int32)
    k: cython.int
    j: cython.int
    for k in range(edges):
        start[target[k] + 1] += 1
    for k in range(states):
        start[k + 1] += start[k]
    block: cython.int = 1  # the first block need not split: the others say the same
    cord: cython.int = 0
    while cord < cords.count:
        for k in range(cords.first[cord], cords.past[cord]):
            blocks.mark(source[cords.element[k]])
        blocks.split()
        cord += 1
        while block < blocks.count:
            for k in range(blocks.first[block], blocks.past[block]):
                for j in range(start[blocks.element[k]], start[blocks.element[k] + 1]):
                    cords.mark(incoming[j])
            cords.split()
            block += 1
    return blocks.owner
