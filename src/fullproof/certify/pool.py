"""Faulty machines that survived some suite once: most suites that lack something let one of them pass again.

All machines of a pool are run at the same time, as columns of arrays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fullproof.certify.machine import Machine, Word

NEVER = np.int32(2**30)
"""The place at which a word that does not tell a machine from the model does so."""

IntArray = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Run:
    """What a word does to each machine: at which input, counted from 1, it answers wrongly, and where it ends."""

    fails: IntArray
    ends: IntArray

    def __len__(self) -> int:
        return len(self.fails)


class Pool:
    """Machines with at most ``bound`` states that are not equivalent to the model."""

    def __init__(self, model: Machine, bound: int) -> None:
        self.model, self.bound = model, bound
        self._target, self._output = np.array(model.target), np.array(model.output)
        shape = (64, bound, model.inputs)
        self.target, self.output = np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.int32)
        self.distance = np.zeros((64, bound, model.states), dtype=np.int32)
        self.size = 0

    def __len__(self) -> int:
        return self.size

    def add(self, machine: Machine) -> int:
        """Keep a machine; returns its number. States it does not use never matter."""
        if self.size == len(self.target):
            self.target, self.output, self.distance = (
                np.concatenate([a, np.zeros_like(a)]) for a in (self.target, self.output, self.distance)
            )
        k = self.size
        self.target[k, : machine.states] = machine.target
        self.output[k, : machine.states] = machine.output
        self.distance[k] = self._distances(k)
        self.size += 1
        return k

    def _distances(self, k: int) -> IntArray:
        """For each state of the machine and of the model: the length of a shortest word answered differently."""
        wrong = (self.output[k][:, None, :] != self._output[None, :, :]).any(axis=2)
        distance = np.where(wrong, np.int32(1), NEVER)
        while True:
            step = distance[self.target[k][:, None, :], self._target[None, :, :]].min(axis=2)
            shorter = np.minimum(distance, np.where(step < NEVER, step + 1, NEVER))
            if (shorter == distance).all():
                return shorter.astype(np.int32)
            distance = shorter

    def run(self, word: Word, *, first: int = 0) -> Run:
        """Apply a word to all machines from number ``first`` on."""
        machines = np.arange(first, self.size)
        return self.go_on(word, machines, np.zeros(len(machines), dtype=np.int32), 0)

    def go_on(self, word: Word, machines: NDArray[np.int64], states: IntArray, label: int) -> Run:
        """Apply a word to some machines in the given states, the model being in state ``label``."""
        fails = np.full(len(machines), NEVER, dtype=np.int32)
        for place, symbol in enumerate(word, start=1):
            wrong = self.output[machines, states, symbol] != self.model.output[label][symbol]
            fails[wrong & (fails == NEVER)] = place
            states = self.target[machines, states, symbol]
            label = self.model.target[label][symbol]
        return Run(fails, states)

    def shortest(self, k: int, state: int, label: int, *, bias: int = 0) -> Word:
        """A shortest word that tells machine ``k`` in a state from the model in one; ``bias`` chooses among them."""
        word: list[int] = []
        while True:
            distance = self.distance[k, state, label]
            if distance == 1:
                ways = np.flatnonzero(self.output[k, state] != self._output[label])
                return (*word, int(ways[bias % len(ways)]))
            ways = np.flatnonzero(self.distance[k][self.target[k, state], self._target[label]] == distance - 1)
            symbol = int(ways[bias % len(ways)])
            word.append(symbol)
            state, label = int(self.target[k, state, symbol]), int(self._target[label, symbol])
