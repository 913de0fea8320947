"""An unknown machine as clauses: where the inputs of tests lead, and what it answers there.

Which machines are meant is said where the variables of its transitions are made: ``encoding`` takes all machines up to
a number of states, ``submachines`` those of a mutation machine.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from fullproof.certify.machine import FlatMachine, reachable
from fullproof.smt.sat import SatSolver
from fullproof.smt.sat_answers import SatAssignment

Position = dict[int, int]
"""The states that a word may lead to: for each of them the literal that says so."""


class UnknownMachine:
    """Words are followed with ``follow``; ``observe`` demands the model's output."""

    target: list[list[Position]]
    answer: list[list[Position]]
    """For each state and input the literals of its targets, of which one holds, and of its outputs."""

    def __init__(self, solver: SatSolver) -> None:
        self.solver = solver
        self.true = solver.new_variable()
        solver.add_clause([self.true])

    def pin(self, state: int) -> Position:
        """The position of a word that leads to a certain state."""
        return {state: self.true}

    def observe(self, position: Position, symbol: int, output: int, *, unless: Sequence[int] = ()) -> None:
        """Demand an output after a word, or one of the literals ``unless``."""
        for state, here in position.items():
            right = self.answer[state][symbol].get(output, -self.true)
            if right != self.true:
                self.solver.add_clause([*unless, -here, right])

    def follow(self, position: Position, symbol: int, domain: Collection[int] | None = None) -> Position:
        """The position one input further; ``domain``: where it is known to lie."""
        if domain is None:
            domain = {target for state in position for target in self.target[state][symbol]}
        if list(position.values()) == [self.true]:
            (state,) = position
            ways = self.target[state][symbol]
            for target in ways.keys() - domain:
                self.solver.add_clause([-ways[target]])
            return {target: ways[target] for target in ways if target in domain}
        found: Position = {state: self.solver.new_variable() for state in sorted(domain)}
        self.solver.add_clause(found.values())
        for state, here in position.items():
            self._link(here, self.target[state][symbol], found)
        return found

    def _link(self, here: int, ways: Position, there: Position) -> None:
        """Where ``here`` holds, the transition and the position one input further are the same state."""
        for target, literal in there.items():
            if target in ways:
                self.solver.add_clause([-here, -ways[target], literal])
                self.solver.add_clause([-here, ways[target], -literal])
            else:
                self.solver.add_clause([-here, -literal])
        if ways.keys() - there.keys():
            self.solver.add_clause([-here, *(ways[target] for target in there if target in ways)])

    def decode(self, found: SatAssignment) -> FlatMachine:
        """The machine that the solver found: its reachable part."""
        return reachable_part(self.decode_whole(found))

    def decode_whole(self, found: SatAssignment) -> FlatMachine:
        """The machine that the solver found, with the states that no word leads to."""
        return FlatMachine(
            target=tuple(tuple(chosen(ways, found) for ways in row) for row in self.target),
            output=tuple(tuple(self._decoded_output(s, i, found) for i in range(len(row))) for s, row in self._rows()),
        )

    def _rows(self) -> enumerate[list[Position]]:
        return enumerate(self.answer)

    def _decoded_output(self, state: int, symbol: int, found: SatAssignment) -> int:
        return chosen(self.answer[state][symbol], found)

    def one_of(self, choices: Collection[int]) -> Position:
        """A variable for each choice, of which exactly one holds."""
        made = {choice: self.solver.new_variable() for choice in sorted(choices)}
        self.solver.add_clause(made.values())
        self.at_most_one(list(made.values()))
        return made

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Forbid two of the literals at the same time."""
        if len(literals) <= 8:
            for one, other in combinations(literals, 2):
                self.solver.add_clause([-one, -other])
            return
        before = literals[0]
        for literal in literals[1:]:
            now = self.solver.new_variable()
            for clause in ([-before, -literal], [-before, now], [-literal, now]):
                self.solver.add_clause(clause)
            before = now


def chosen(ways: Position, found: SatAssignment) -> int:
    """The choice that holds."""
    return next(choice for choice, literal in ways.items() if found.holds(literal))


def reachable_part(whole: FlatMachine) -> FlatMachine:
    """The machine without the states that no word leads to."""
    states = reachable(whole)
    number = {s: k for k, s in enumerate(states)}
    return FlatMachine(
        target=tuple(tuple(number[t] for t in whole.target[s]) for s in states),
        output=tuple(whole.output[s] for s in states),
    )
