"""Faulty machines that survived an earlier suite: most incomplete suites let one of them pass again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fullproof.certify.kernels.runs import distances, go_on, shortest
from fullproof.certify.machine import FlatMachine, Word

_ENTRIES = 100_000_000
"""Distances that the machines may have together, of 4 bytes each, and twice as many while the arrays grow."""
NEVER = 2**30
"""The position for words that do not distinguish a machine from the model."""

IntArray = NDArray[np.int32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class WordRun:
    """The effect of a word on each machine: the input, counted from 1, with the first wrong output, and the last state.

    ``label`` is where the model ends.
    """

    fails: IntArray
    ends: IntArray
    label: int

    def __len__(self) -> int:
        return len(self.fails)


class MachinePool:
    """Machines with at most ``bound`` states that are not equivalent to the model."""

    def __init__(self, model: FlatMachine, bound: int) -> None:
        self._rows = model.target
        self._model = np.array(model.target, dtype=np.int32), np.array(model.output, dtype=np.int32)
        self._most = max(1, _ENTRIES // (bound * model.states))
        self._target = np.zeros((min(64, self._most), bound, model.inputs), dtype=np.int32)
        self._output = self._target.copy()
        self.distance = np.full((len(self._target), bound, model.states), NEVER, dtype=np.int32)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def is_full(self) -> bool:
        """Whether there is no room for a further machine."""
        return self._size >= self._most

    def add(self, machine: FlatMachine) -> None:
        """Keep a machine that is not equivalent to the model. Unused states are irrelevant. Needs: a pool with room."""
        if self._size == len(self._target):
            self._target, self._output = (np.concatenate([a, np.zeros_like(a)]) for a in (self._target, self._output))
            self.distance = np.concatenate([self.distance, np.full_like(self.distance, NEVER)])
        k = self._size
        self._target[k, : machine.states] = machine.target
        self._output[k, : machine.states] = machine.output
        distances((self._target, self._output), k, self._model, self.distance[k])
        if self.distance[k, 0, 0] < NEVER:
            self._size += 1
        else:
            self._target[k], self._output[k], self.distance[k] = 0, 0, NEVER

    def run(self, word: Word, *, first: int = 0) -> WordRun:
        """Apply a word to all machines from number ``first`` on."""
        machines = np.arange(first, self._size)
        return self.go_on(word, machines, np.zeros(len(machines), dtype=np.int32), 0)

    def go_on(self, word: Word, machines: Numbers, states: IntArray, label: int) -> WordRun:
        """Apply a word to some machines in the given states, the model being in state ``label``."""
        symbols = np.array(word, dtype=np.int32)
        tables = (self._target, self._output, *self._model)
        fails, ends = go_on(symbols, machines, states, label, tables, NEVER)
        for symbol in word:
            label = self._rows[label][symbol]
        return WordRun(fails, ends, label)

    def shortest(self, machine: int, state: int, label: int, *, bias: int = 0) -> Word:
        """A shortest word that tells a machine in a state from the model in a state; ``bias`` chooses among them."""
        arrays = (self._target, self._output, self.distance)
        return tuple(shortest(arrays, machine, (state, label), self._model, bias))
