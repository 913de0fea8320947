"""The definition of completeness, decided by search: is there a small machine that passes a suite and is wrong?

Grow the unknown machine along the tests. Its outputs are what the suite expects; only targets are guessed, and a state
that is entered for the first time takes the next free number, so that renamings are not tried twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from fullproof.analysis.table import Table


class SearchTooLong(Exception):
    """The search met its limit of guesses before it could tell."""


def find_survivor(
    table: Table, words: Iterable[Sequence[int]], bound: int, *, guesses: int | None = None
) -> Table | None:
    """Return a complete deterministic machine with at most ``bound`` states that passes all words, yet is wrong.

    Where the specification is partial, wrong means: not quasi-equivalent. None means that there is none. The machine
    may answer with one output that the specification does not have.
    """
    return _Search(table, words, bound, guesses).run()


class _Search:
    def __init__(self, table: Table, words: Iterable[Sequence[int]], bound: int, guesses: int | None) -> None:
        self.table, self.bound, self.guesses = table, bound, guesses
        self.inputs = table.inputs
        # Node k of the suite's tree: its children by input, and the output expected on the edge into it.
        self.children: list[dict[int, int]] = [{}]
        self.expected: list[int] = [-1]
        for word in words:
            self._plant(word)
        self.weight = self._weights()
        # The unknown machine: output and target of each cell, and the tree's nodes that wait for a cell's target.
        self.output = [-1] * (bound * self.inputs)
        self.target = [-1] * (bound * self.inputs)
        self.waiting: list[list[int]] = [[] for _ in self.output]
        self.used = 1

    def _plant(self, word: Sequence[int]) -> None:
        node = state = 0
        for symbol in word:
            cell = state * self.inputs + int(symbol)
            if int(symbol) not in self.children[node]:
                self.children[node][int(symbol)] = len(self.children)
                self.children.append({})
                self.expected.append(int(self.table.output[cell]))
            node, state = self.children[node][int(symbol)], int(self.table.target[cell])

    def _weights(self) -> list[int]:
        weight = [1] * len(self.children)
        for node in reversed(range(len(self.children))):
            weight[node] += sum(weight[child] for child in self.children[node].values())
        return weight

    def run(self) -> Table | None:
        if not self._place(0, 0, []):
            raise AssertionError("a machine without transitions cannot contradict a deterministic suite")
        return self._extend()

    def _place(self, node: int, state: int, trail: list[tuple[int, bool]]) -> bool:
        """Put a node of the tree and all that follows it at a state; False on the first contradiction.

        The trail lists the cells that got one more waiting node, and whether they also got their output.
        """
        stack = [(node, state)]
        while stack:
            node, state = stack.pop()
            for symbol, child in self.children[node].items():
                cell = state * self.inputs + symbol
                first = self.output[cell] < 0
                if first:
                    self.output[cell] = self.expected[child]
                elif self.output[cell] != self.expected[child]:
                    return False
                if self.target[cell] >= 0:
                    stack.append((child, self.target[cell]))
                else:
                    self.waiting[cell].append(child)
                    trail.append((cell, first))
        return True

    def _undo(self, trail: list[tuple[int, bool]]) -> None:
        for cell, first in reversed(trail):
            self.waiting[cell].pop()
            if first:
                self.output[cell] = -1

    def _extend(self) -> Table | None:
        """Guess the target of the cell that most observations wait for."""
        if self.guesses is not None:
            self.guesses -= 1
            if self.guesses < 0:
                raise SearchTooLong
        open_cells = [c for c in range(self.used * self.inputs) if self.target[c] < 0]
        cell = max(open_cells, key=lambda c: sum(self.weight[node] for node in self.waiting[c]), default=-1)
        if cell < 0 or self.output[cell] < 0:
            return self._finished()
        for state in range(min(self.used + 1, self.bound)):
            found = self._try(cell, state)
            if found is not None:
                return found
        return None

    def _try(self, cell: int, state: int) -> Table | None:
        used, self.used = self.used, max(self.used, state + 1)
        self.target[cell] = state
        trail: list[tuple[int, bool]] = []
        found = None
        if all(self._place(node, state, trail) for node in self.waiting[cell]):
            found = self._extend()
        self._undo(trail)
        self.target[cell], self.used = -1, used
        return found

    def _finished(self) -> Table | None:
        """No test takes the transitions that are left: answer wrongly there."""
        machine = self._machine([o if o >= 0 else self.table.outputs for o in self.output])
        return None if equivalent(self.table, machine) else machine

    def _machine(self, output: list[int]) -> Table:
        cells = self.used * self.inputs
        return Table(
            states=self.used,
            inputs=self.inputs,
            outputs=self.table.outputs + 1,
            target=np.array([max(t, 0) for t in self.target[:cells]], dtype=np.int32),
            output=np.array(output[:cells], dtype=np.int32),
        )


def equivalent(first: Table, second: Table) -> bool:
    """Compare a machine with a complete one, on all pairs of states that one defined word reaches."""
    seen = {(0, 0)}
    stack = [(0, 0)]
    while stack:
        x, y = stack.pop()
        for symbol in range(first.inputs):
            here, there = x * first.inputs + symbol, y * second.inputs + symbol
            if first.target[here] < 0:
                continue
            if first.output[here] != second.output[there]:
                return False
            pair = int(first.target[here]), int(second.target[there])
            if pair not in seen:
                seen.add(pair)
                stack.append(pair)
    return True


def passes(machine: Table, table: Table, words: Iterable[Sequence[int]]) -> bool:
    """Run all words on both machines and compare what they answer."""
    for word in words:
        x = y = 0
        for symbol in word:
            here, there = x * table.inputs + int(symbol), y * table.inputs + int(symbol)
            if table.output[here] != machine.output[there]:
                return False
            x, y = int(table.target[here]), int(machine.target[there])
    return True
