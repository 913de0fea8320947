"""Tests in a solver that are switched on one by one: many suites of the same model are asked about with one solver."""

from __future__ import annotations

from collections.abc import Mapping

from fullproof.certify.machine import FlatMachine, Word
from fullproof.certify.unknown_machine import Position, UnknownMachine

STALE, STALE_AFTER = 3.0, 200
"""A solver is replaced when it holds this many times the nodes of the current suite, and some more: old tests slow it
down."""


class SwitchedTests:
    """Every prefix of every test once; its outputs are demanded only while its switch is on.

    ``pins``: words that lead to certain states of the unknown machine, the empty word among them.
    """

    def __init__(self, unknown: UnknownMachine, model: FlatMachine, pins: Mapping[Word, int]) -> None:
        self._unknown, self._model, self._state = unknown, model, pins
        self._solver = unknown.solver
        self._children: dict[tuple[int, int], int] = {}
        self._word: list[Word] = [()]
        self._parent = [0]
        self._position: list[Position | None] = [unknown.pin(pins[()])]
        self._switch = [unknown.true]

    def __len__(self) -> int:
        return len(self._children)

    def switch(self, word: Word) -> int:
        """The literal under which the outputs of the word are demanded."""
        node, label = 0, 0
        for length, symbol in enumerate(word, start=1):
            key = (node, symbol)
            if key not in self._children:
                switch = self._solver.new_variable()
                self._solver.add_clause([-switch, self._switch[node]])
                self._unknown.observe(self._place(node), symbol, self._model.output[label][symbol], unless=[-switch])
                self._children[key] = len(self._word)
                self._word.append(word[:length])
                self._parent.append(node)
                self._position.append(None)
                self._switch.append(switch)
                if word[:length] in self._state:
                    self._place(self._children[key])
            node, label = self._children[key], self._model.target[label][symbol]
        return self._switch[node]

    def _place(self, node: int) -> Position:
        """Where a node's word may lead; only asked for nodes that are pinned or have children."""
        known = self._position[node]
        if known is None:
            word = self._word[node]
            known = self._unknown.follow(self._place(self._parent[node]), word[-1])
            if word in self._state:
                # The names of the pinned states are free to choose, for every suite that distinguishes them.
                self._solver.add_clause([known[self._state[word]]])
                known = self._unknown.pin(self._state[word])
            self._position[node] = known
        return known
