"""Tests whose inputs show less than the whole output: an input of a test is a letter, and several outputs may pass it.

Of a symbolic machine, a letter is a concrete input: its symbol is the part of the inputs that it lies in, and an output
expression passes where it allows an answer there that the model allows, too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from fullproof.certify.machine import FlatMachine, Word
from fullproof.certify.mutation_machine import MutationMachine
from fullproof.certify.submachines import Submachine, SubmachineOracle
from fullproof.certify.unknown_machine import Position
from fullproof.core.deadline import Deadline
from fullproof.smt.sat import SatSolver


@dataclass(frozen=True, slots=True)
class SeenLetter:
    """``passing``: for each output of the model, those that pass where it is expected, itself among them."""

    symbol: int
    passing: Mapping[int, frozenset[int]]


class LetterOracle(SubmachineOracle):
    """Decides suites whose words are numbers of letters, for a domain over their symbols."""

    def __init__(
        self, domain: MutationMachine, letters: Sequence[SeenLetter], *, deadline: Deadline | None = None
    ) -> None:
        self._letters = letters
        super().__init__(domain, deadline=deadline)

    def _tested(self) -> FlatMachine:
        symbols = [letter.symbol for letter in self._letters]
        return FlatMachine(
            tuple(tuple(row[i] for i in symbols) for row in self.model.target),
            tuple(tuple(row[i] for i in symbols) for row in self.model.output),
        )

    def _machine(self, solver: SatSolver) -> Submachine:
        return _LetterSubmachine(self.domain, self.model, solver, self._letters)

    def _passes(self, machine: FlatMachine, words: Collection[Word]) -> bool:
        return all(self._passes_one(machine, word) for word in words)

    def _passes_one(self, machine: FlatMachine, word: Word) -> bool:
        state = label = 0
        for number in word:
            letter = self._letters[number]
            i = letter.symbol
            if machine.output[state][i] not in letter.passing[self.model.output[label][i]]:
                return False
            state, label = machine.target[state][i], self.model.target[label][i]
        return True


class _LetterSubmachine(Submachine):
    """Follows letters by their symbols."""

    def __init__(
        self, domain: MutationMachine, smallest: FlatMachine, solver: SatSolver, letters: Sequence[SeenLetter]
    ) -> None:
        super().__init__(domain, smallest, solver)
        self._letters = letters

    def observe(self, position: Position, symbol: int, output: int, *, unless: Sequence[int] = ()) -> None:
        """Demand an output that passes."""
        letter = self._letters[symbol]
        for state, here in position.items():
            ways = self.answer[state][letter.symbol]
            right = [ways[one] for one in sorted(letter.passing[output]) if one in ways]
            if self.true not in right:
                self.solver.add_clause([*unless, -here, *right])

    def follow(self, position: Position, symbol: int, domain: Collection[int] | None = None) -> Position:
        """The position one input further."""
        return super().follow(position, self._letters[symbol].symbol, domain)
