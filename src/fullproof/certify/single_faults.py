"""Suites for at most one wrong transition: every machine of the domain runs the suite, from the transition on.

A machine with a single fault is where the model is until it takes its wrong transition, and again as soon as it has
come back to the state of the model. So only the machines are followed that are elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from fullproof.certify.machine import Word, difference
from fullproof.certify.mutation_machine import Cell, MutationMachine
from fullproof.certify.watched_solver import TimeUp
from fullproof.core.deadline import Deadline

Numbers = NDArray[np.int64]


def enough_of(domain: MutationMachine, words: Iterable[Word], clock: Deadline | None = None) -> tuple[list[Word], bool]:
    """The tests up to the last input that catches a machine which no test before catches; and whether all are caught.

    Needs: no extra states, at most one fault. Guarantee: the result catches what the tests catch. A TimeUp where
    ``clock`` passes before all tests were run.
    """
    runs = _Runs(domain)
    shorter = []
    for word in words:
        if clock is not None and clock.passed():
            raise TimeUp
        shorter.append(word[: runs.catch(word)])
    return [word for word in shorter if word], runs.all_caught()


class _Runs:
    """The machines with a single fault, by number, and which of them are not caught yet."""

    def __init__(self, domain: MutationMachine) -> None:
        self._domain = domain
        self._target, self._output = np.array(domain.model.target), np.array(domain.model.output)
        faults = list(domain.single_faults())
        self._state, self._symbol, self._to, self._says = (
            np.array([(*cell, target, output) for cell, target, output in faults], dtype=np.int64).reshape(-1, 4).T
        )
        self._free = np.ones(len(faults), dtype=bool)
        self._away = np.zeros(len(faults), dtype=bool)
        numbers: dict[Cell, list[int]] = {}
        for number, (cell, _, _) in enumerate(faults):
            numbers.setdefault(cell, []).append(number)
        self._at = {cell: np.array(some) for cell, some in numbers.items()}

    def catch(self, word: Word) -> int:
        """Run a test: the number of inputs after which it catches no further machine."""
        last, label = 0, 0
        some: Numbers = np.zeros(0, dtype=np.int64)
        where: Numbers = some
        for length, symbol in enumerate(word, start=1):
            here = self._at.get((label, symbol))
            if here is not None:
                here = here[self._free[here] & ~self._away[here]]
                some, where = np.concatenate([some, here]), np.concatenate([where, np.full(len(here), label)])
                self._away[here] = True
            wrong = (self._state[some] == where) & (self._symbol[some] == symbol)
            says = np.where(wrong, self._says[some], self._output[where, symbol])
            to = np.where(wrong, self._to[some], self._target[where, symbol])
            caught = says != self._output[label, symbol]
            label = int(self._target[label, symbol])
            if caught.any():
                last = length
                self._free[some[caught]] = False
            stay = ~caught & (to != label)
            self._away[some[~stay]] = False
            some, where = some[stay], to[stay]
        self._away[some] = False
        return last

    def all_caught(self) -> bool:
        """Whether the machines that are left are equivalent to the model."""
        model = self._domain.model
        left = np.flatnonzero(self._free)
        ways = zip(*(row[left].tolist() for row in (self._state, self._symbol, self._to, self._says)), strict=True)
        return all(difference(model, self._domain.with_fault((s, i), to, says)) is None for s, i, to, says in ways)
