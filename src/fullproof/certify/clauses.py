"""The question of a refutation, clause by clause: a machine within the bound passes the suite and differs.

Variables, clauses and their numbers are those of docs/certificate-format.md, section 7; why a machine that passes and
differs satisfies all of them is proved in docs/proofs/certificates.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fullproof.certify.machine import FlatMachine
from fullproof.certify.tree import IntArray, WordTree

_TRUE = 2**30
"""A literal that holds; its opposite does not."""

Position = Mapping[int, int]


class RefutationClauses:
    """The clauses as numbers in a row. ``pins``: nodes of the tree that are pairwise apart, the root first."""

    def __init__(self, model: FlatMachine, tree: WordTree, pins: Sequence[int], bound: int) -> None:
        self.model, self.tree, self.bound = model, tree, bound
        self.variables = 0
        self._literals: list[int] = []
        self._ends = [0]
        self._state = {node: k for k, node in enumerate(pins)}
        self._pins = list(pins)
        self._labels = [int(tree.label[node]) for node in pins]
        self._domain = self._domains()
        self._number()
        self._machine()
        for extra in range(len(pins), bound):
            self._extra(extra)
        self._differ()
        self._follow()

    def __len__(self) -> int:
        return len(self._ends) - 1

    def arrays(self) -> tuple[IntArray, NDArray[np.int64]]:
        """All literals, and where each clause begins; the last entry is the end."""
        return np.array(self._literals, dtype=np.int32), np.array(self._ends, dtype=np.int64)

    def _domains(self) -> dict[int, list[int]]:
        """Which states each inner node may be in."""
        inner = self.tree.inner()
        table = self.tree.observations().table(inner, np.array(self._pins, dtype=np.int32))
        extras = list(range(len(self._pins), self.bound))
        found = {int(node): np.flatnonzero(row == 0).tolist() + extras for node, row in zip(inner, table, strict=True)}
        found.update((node, [k]) for node, k in self._state.items())
        return found

    def _number(self) -> None:
        """Give the variables their numbers."""
        tree, n, p = self.tree, self.model.states, self.model.inputs
        child = [{int(tree.symbol[c]): c for c in tree.children(node)} for node in self._pins]
        cells = [(s, i) for s in range(self.bound) for i in range(p)]
        everywhere = range(self.bound)
        self._target: dict[tuple[int, int], Position] = {}
        for s, i in cells:
            node = child[s].get(i, -1) if s < len(child) else -1
            self._target[s, i] = self._row(self._domain.get(node, everywhere))
        outputs = [sorted({row[i] for row in self.model.output}) for i in range(p)]
        self._answer = {(s, i): self._row(outputs[i]) for s, i in cells}
        self._used = [_TRUE] * len(self._pins)
        self._label = [[_TRUE if q == label else -_TRUE for q in range(n)] for label in self._labels]
        self._entered: list[list[int]] = [[] for _ in self._pins]
        for extra in range(len(self._pins), self.bound):
            self._used.append(self._fresh())
            self._label.append(list(self._row(range(n)).values()))
            self._entered.append(list(self._row(range(extra * p)).values()))
        self._faults: list[tuple[int, int, int, int, int]] = []
        for s, i in cells:
            for q in [self._labels[s]] if s < len(self._pins) else range(n):
                self._faults.append((s, i, q, self._fresh(), self._fresh()))
        self._place: dict[int, Position] = {node: {k: _TRUE} for node, k in self._state.items()}
        parents, symbols = tree.parent.tolist(), tree.symbol.tolist()
        for node in sorted(self._domain.keys() - self._state.keys()):
            above = self._state.get(parents[node])
            self._place[node] = self._row(self._domain[node]) if above is None else self._target[above, symbols[node]]

    def _fresh(self) -> int:
        self.variables += 1
        return self.variables

    def _row(self, keys: Iterable[int]) -> Position:
        return {key: self._fresh() for key in keys}

    def _add(self, *literals: int) -> None:
        if _TRUE in literals:
            return
        # A word may pass the same transition twice; a clause is a set.
        self._literals.extend(dict.fromkeys(literal for literal in literals if literal != -_TRUE))
        self._ends.append(len(self._literals))

    def _exclude(self, literals: Iterable[int]) -> None:
        for one, other in combinations(literals, 2):
            self._add(-one, -other)

    def _machine(self) -> None:
        """One target for each state and input, and at most one of the known outputs."""
        for ways in self._target.values():
            self._add(*ways.values())
            self._exclude(ways.values())
        for answers in self._answer.values():
            self._exclude(answers.values())

    def _extra(self, extra: int) -> None:
        """Extra states are numbered in the order of their first entry, which gives them their label."""
        used, labels, entered = self._used[extra], self._label[extra], self._entered[extra]
        p, pinned = self.model.inputs, len(self._pins)
        self._exclude(labels)
        for label in labels:
            self._add(-label, used)
        for ways in self._target.values():
            self._add(-ways.get(extra, -_TRUE), used)
        for i in range(p):
            self._add(used, self._target[extra, i][0])
        for c, now in enumerate(entered):
            s, i = divmod(c, p)
            entry = self._target[s, i].get(extra, -_TRUE)
            before = entered[c - 1] if c else -_TRUE
            self._add(-entry, now)
            self._add(-before, now)
            self._add(-now, before, entry)
            if extra > pinned:
                place = min(c, (extra - 1) * p)
                self._add(-now, self._entered[extra - 1][place - 1] if place else -_TRUE)
            for q, here in enumerate(self._label[s]):
                self._add(-entry, before, -here, labels[self.model.target[q][i]])
        self._add(-used, entered[-1] if entered else -_TRUE)

    def _differ(self) -> None:
        """Some state answers or goes otherwise than its label demands."""
        for s, i, q, wrong, astray in self._faults:
            here, right = self._label[s][q], self.model.target[q][i]
            self._add(-wrong, here)
            self._add(-wrong, -self._answer[s, i][self.model.output[q][i]])
            self._add(-astray, here)
            for t, way in self._target[s, i].items():
                self._add(-astray, -way, -self._label[t][right])
        self._add(*(literal for *_, wrong, astray in self._faults for literal in (wrong, astray)))

    def _follow(self) -> None:
        """The machine answers every test as the model does."""
        parents, symbols, outputs = (a.tolist() for a in (self.tree.parent, self.tree.symbol, self.tree.output))
        for node in range(1, len(self.tree)):
            above, i = parents[node], symbols[node]
            for s, here in self._place[above].items():
                self._add(-here, self._answer[s, i][outputs[node]])
            if node in self._place and (node in self._state or above not in self._state):
                self._link(self._place[above], i, self._place[node])

    def _link(self, here: Position, symbol: int, there: Position) -> None:
        """Where a transition leads from where a word leads, the word that is one input longer leads as well."""
        self._add(*there.values())
        for s, literal in here.items():
            ways = self._target[s, symbol]
            for t, end in there.items():
                way = ways.get(t, -_TRUE)
                self._add(-literal, -way, end)
                self._add(-literal, way, -end)
            if ways.keys() - there.keys():
                self._add(-literal, *(ways[t] for t in there if t in ways))
