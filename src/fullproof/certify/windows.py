"""The window condition: a sufficient condition for suites with extra states.

For a >= 1 extra states. V has one node for each state of the model, the root among them; In(t) are the transitions
into state t other than those that lead from a node of V to one of V. A *window* is a word x of a + 1 inputs from the
source s of a transition tau = (s, x_1) in In(t).

(B) All nodes of V . I^(<=a) are in the suite's tree, and those with different labels are apart.
(W) For each t the transitions of In(t) can be taken in an order such that for each of them, tau, and each of its
    windows x: the observations below the nodes u.x refute that x leads to a wrong state, where u are the nodes with
    label s whose path has only transitions of In(t) that were taken before tau.

Why (B) and (W) suffice is proved in docs/certify.md; the rules of refuting are in ``kernels/windows.py``. The order is
found greedily: taking more transitions gives more nodes u and fewer wrong continuations, hence a transition that can be
taken stays so, and if any order works the greedy one does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import product

import numpy as np

from fullproof.certify.access import cores
from fullproof.certify.answers import Evidence, Open, Proved
from fullproof.certify.kernels.windows import Refuter
from fullproof.certify.machine import FlatMachine, Word
from fullproof.certify.tree import IntArray, WordTree, flat
from fullproof.core.counted import counted, plural_of
from fullproof.core.deadline import Deadline

Cell = tuple[int, int]


def windows_refuted(model: FlatMachine, tree: WordTree, *, extra: int, deadline: Deadline) -> Proved | Open:
    """Check (B) and (W) for the choices of V that the suite suggests.

    Guarantee: complete for machines with at most ``extra`` states more than the model. Needs: a minimal model and at
    least one extra state.
    """
    reason = "windows: the suite does not reach every state"
    for core in cores(model, tree, extra=extra):
        condition = WindowCondition(model, tree, core, extra, deadline)
        failure = condition.failure()
        if failure is None:
            return Proved(
                f"the base is distinguished and every window of {counted(extra + 1, 'input')} is refuted: "
                f"complete for machines "
                f"with at most {counted(model.states + extra, 'state')}",
                Evidence(tuple(map(tree.word, core)), tuple(condition.taken)),
            )
        reason = f"windows: {failure}"
    return Open(reason)


class WindowCondition:
    """(B) and (W) for one choice of V, here the core."""

    def __init__(self, model: FlatMachine, tree: WordTree, core: list[int], extra: int, deadline: Deadline) -> None:
        self.model, self.tree, self.core, self.extra, self.deadline = model, tree, core, extra, deadline
        arrays = (tree.first, tree.after, tree.symbol, tree.output, tree.label)
        self.refuter = Refuter(arrays, flat(model), model.inputs, extra)
        self.by_label: dict[int, list[int]] = defaultdict(list)
        for node, label in enumerate(tree.label.tolist()):
            self.by_label[label].append(node)
        inside = [node for node in core if int(tree.parent[node]) in core]
        self.certain = {(int(tree.label[tree.parent[node]]), int(tree.symbol[node])) for node in inside}
        self.taken: list[Cell] = []

    def failure(self) -> str | None:
        """What is wrong, or None where (B) and (W) hold."""
        base = self.base()
        if base is not None:
            return base
        for cells in self.cells().values():
            failure = self._taken(cells)
            if failure is not None:
                return failure
        return None

    def replayed(self, order: Iterable[Cell]) -> str | None:
        """What is wrong with a given order, or None where (B) and (W) hold with it."""
        base = self.base()
        if base is not None:
            return base
        pending, left = self.cells(), _Left()
        for cell in order:
            cells = pending[self.model.target[cell[0]][cell[1]]]
            if cell not in cells:
                return f"transition {cell} is taken twice, or it is certain"
            if not self._windows_of(cell, self._good(cells), left):
                return f"transition {cell} has open windows, or time ran out"
            cells.remove(cell)
        return "not every transition is taken" if any(pending.values()) else None

    def cells(self) -> dict[int, list[Cell]]:
        """The transitions into each state that are not certain."""
        found: dict[int, list[Cell]] = {t: [] for t in range(self.model.states)}
        for s, targets in enumerate(self.model.target):
            for i, t in enumerate(targets):
                if (s, i) not in self.certain:
                    found[t].append((s, i))
        return found

    def base(self) -> str | None:
        """Condition (B)."""
        literal, level = list(self.core), list(self.core)
        for _ in range(self.extra):
            below = [child for node in level for child in self.tree.children(node)]
            if len(below) < len(level) * self.model.inputs:
                return f"not every word of {counted(self.extra, 'input')} is applied after the core"
            known = set(literal)
            level = [node for node in below if node not in known]
            literal += level
        seen, nodes = self.tree.observations(), np.array(literal, dtype=np.int32)
        for node in nodes:
            if self.deadline.passed():
                return "time ran out"
            if seen.first_not_apart(node, nodes) >= 0:
                return f"the node {self.tree.word(int(node))} of the base is not distinguished from another one"
        return None

    def _taken(self, cells: list[Cell]) -> str | None:
        """Condition (W) for the transitions into one state: take them in any order that works."""
        pending, left = list(cells), _Left()
        while pending:
            good = self._good(pending)
            taken = []
            for cell in pending:
                if self.deadline.passed():
                    return "time ran out"
                if self._windows_of(cell, good, left):
                    taken.append(cell)
            if not taken:
                have = plural_of(len(pending), "has", "have")
                return (
                    f"{counted(len(pending), 'transition')} into a state {have} open windows, {pending[0]} among them"
                )
            pending = [cell for cell in pending if cell not in taken]
            self.taken += taken
        return None

    def _good(self, pending: Iterable[Cell]) -> IntArray:
        """Where the suite is before any of the pending transitions: a 1 for each good node."""
        self.refuter.doubt(np.array([s * self.model.inputs + i for s, i in pending], dtype=np.int32))
        good: IntArray = self.refuter.good(self.tree.parent)
        return good

    def _windows_of(self, cell: Cell, good: IntArray, left: _Left) -> bool:
        """Whether all windows that begin with a transition are refuted with the nodes that are good now."""
        s, first = cell
        ends: dict[Word, list[int]] = defaultdict(list)
        for u in self.by_label[s]:
            if good[u]:
                for child in self.tree.children(u):
                    if self.tree.symbol[child] == first:
                        self._collect(child, (), ends)
        return all(
            self._inputs_of(cell, middle, ends, left)
            for middle in product(range(self.model.inputs), repeat=self.extra - 1)
        )

    def _collect(self, node: int, word: Word, ends: dict[Word, list[int]]) -> None:
        """The nodes at the ends of the windows that go on at a node."""
        if len(word) == self.extra:
            ends[word].append(node)
            return
        for child in self.tree.children(node):
            self._collect(child, (*word, int(self.tree.symbol[child])), ends)

    def _inputs_of(self, cell: Cell, middle: Word, ends: dict[Word, list[int]], left: _Left) -> bool:
        """The windows that differ in their last input only: their v-items first, then, with those facts, e-items."""
        s, first = cell
        labels, literal = [self.model.target[s][first]], [self._child(self.core[s], first)]
        for symbol in middle:
            labels.append(self.model.target[labels[-1]][symbol])
            literal.append(self._child(literal[-1], symbol))
        self.refuter.enter(np.array(labels, dtype=np.int32))
        symbols = range(self.model.inputs)
        nodes = {k: np.array(ends.get((*middle, k), ()), dtype=np.int32) for k in symbols}
        wanted = {k: self.model.target[labels[-1]][k] for k in symbols}
        for k in symbols:
            if not len(nodes[k]):
                return False
            items = left.items(cell, (*middle, k), (q for q in range(self.model.states) if q != wanted[k]))
            rest = self.refuter.left(items, np.array([self.core[q] for q in items], dtype=np.int32), nodes[k])
            left.keep(cell, (*middle, k), items[rest])
            if len(rest):
                return False
        self.refuter.trust()
        pending, progress = set(symbols), True
        while pending and progress:
            progress = False
            for k in sorted(pending):
                wrong = [h for h, label in enumerate(labels) if label != wanted[k]]
                items = np.array([self.model.states + h for h in wrong], dtype=np.int32)
                if not len(self.refuter.left(items, np.array([literal[h] for h in wrong], dtype=np.int32), nodes[k])):
                    self.refuter.close(k)
                    pending.remove(k)
                    progress = True
        return not pending

    def _child(self, node: int, symbol: int) -> int:
        return next(child for child in self.tree.children(node) if self.tree.symbol[child] == symbol)


class _Left:
    """The v-items of each window that are not refuted yet; what is refuted once stays so while more gets taken."""

    def __init__(self) -> None:
        self.known: dict[tuple[Cell, Word], IntArray] = {}

    def items(self, cell: Cell, word: Word, all_items: Iterable[int]) -> IntArray:
        """What is left of a window's items."""
        if (cell, word) not in self.known:
            self.known[cell, word] = np.fromiter(all_items, dtype=np.int32)
        return self.known[cell, word]

    def keep(self, cell: Cell, word: Word, items: IntArray) -> None:
        """Remember what is left."""
        self.known[cell, word] = items
