"""The SAT encoding of an unknown machine that differs from the model, for the exact engine.

The unknown machine has states 0 .. bound-1. The first of them, the *pinned* ones, are reached by certain words; the
caller chooses them and ensures that they are different states. The others are *extra*, perhaps unused; each used one is
reached from the pinned ones, and they are numbered in breadth-first order of their first transition, so that only one
of several isomorphic machines is considered.

The difference from the model is encoded without a path: every used state s is reached by some word, hence there is one
state of the model, its *label*, that it would have to be equivalent to. Pinned states have the label of their word. The
label of an extra state follows from that of the state from which it is entered first. The machine is equivalent to the
model iff every transition of every used state has the output that the label demands and leads to a state with the
label that the label demands: then labels are a bisimulation. If one does not, some word is answered differently: the
output is wrong, or a state is reached by two words after which a minimal model is in two different states.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from fullproof.certify.machine import FlatMachine
from fullproof.certify.unknown_machine import Position, UnknownMachine
from fullproof.smt.sat import SatSolver
from fullproof.smt.sat_answers import SatAssignment


class Encoding(UnknownMachine):
    """Any machine with at most ``bound`` states that differs from the model."""

    def __init__(
        self,
        model: FlatMachine,
        pinned: Sequence[int],
        bound: int,
        solver: SatSolver,
        *,
        cells: Mapping[tuple[int, int], Collection[int]] | None = None,
    ) -> None:
        """``pinned``: the labels of the pinned states; state 0 is the initial one.

        ``cells``: for a pinned state and an input, the states it may lead to, where some are excluded already.
        """
        super().__init__(solver)
        self.model, self.bound = model, bound
        self.pinned = len(pinned)
        everywhere = range(bound)
        allowed = cells or {}
        self.target = [[self.one_of(allowed.get((s, i), everywhere)) for i in self._inputs] for s in everywhere]
        self.answer = [[self._answers(i) for i in self._inputs] for _ in everywhere]
        self.label: list[Position] = [{q: self.true} for q in pinned]
        self.used = [self.true for _ in pinned]
        self._add_extra_states()
        self._differ()

    @property
    def _inputs(self) -> range:
        return range(self.model.inputs)

    def _decoded_output(self, state: int, symbol: int, found: SatAssignment) -> int:
        """Where no output is chosen, any wrong output is taken: no observed word passes here, else it would be chosen.

        One of the model's outputs where it has two; a model with one output is distinguished by another one.
        """
        for output, literal in self.answer[state][symbol].items():
            if found.holds(literal):
                return output
        label = next((q for q, literal in self.label[state].items() if found.holds(literal)), 0)
        right = self.model.output[label][symbol]
        return min({o for row in self.model.output for o in row} - {right}, default=right + 1)

    def correct(self) -> list[int]:
        """The literals of a machine without a fault in its pinned states: preferring them finds subtle survivors."""
        state = {next(iter(self.label[s])): s for s in range(self.pinned)}
        literals = []
        for q, s in state.items():
            for i in self._inputs:
                literals.append(self.answer[s][i][self.model.output[q][i]])
                aim = state.get(self.model.target[q][i])
                if aim in self.target[s][i]:
                    literals.append(self.target[s][i][aim])
        return literals

    def _answers(self, symbol: int) -> Position:
        """A variable for each output the model gives to this input in some state; none of them: another output."""
        outputs = sorted({row[symbol] for row in self.model.output})
        chosen = {output: self.solver.new_variable() for output in outputs}
        self.at_most_one(list(chosen.values()))
        return chosen

    def _add_extra_states(self) -> None:
        """Used extra states are entered, in the order of their numbers, and get the label of the first entry."""
        add = self.solver.add_clause
        earlier: list[int] = []
        for extra in range(self.pinned, self.bound):
            used = self.solver.new_variable()
            labels = {q: self.solver.new_variable() for q in range(self.model.states)}
            self.at_most_one(list(labels.values()))
            for row in self.target:
                for ways in row:
                    if extra in ways:
                        add([-ways[extra], used])
            entered: list[int] = []
            firsts = []
            for s in range(extra):
                for i in self._inputs:
                    entry = self.target[s][i].get(extra, -self.true)
                    first, so_far = self.solver.new_variable(), self.solver.new_variable()
                    before = entered[-1] if entered else -self.true
                    for clause in ([-first, entry], [-first, -before], [-before, so_far], [-entry, so_far]):
                        add(clause)
                    add([-so_far, before, entry])
                    if extra > self.pinned:
                        # The state numbered before this one has been entered by an earlier transition.
                        place = min(len(entered), len(earlier)) - 1
                        add([-first, earlier[place] if place >= 0 else -self.true])
                    for q, here in self.label[s].items():
                        add([-first, -here, labels[self.model.target[q][i]]])
                    entered.append(so_far)
                    firsts.append(first)
            add([-used, *firsts])
            earlier = entered
            self.label.append(labels)
            self.used.append(used)

    def _differ(self) -> None:
        """Some used state has a transition that its label forbids."""
        faults = []
        for s in range(self.bound):
            for i in self._inputs:
                for q, here in self.label[s].items():
                    fault = self.solver.new_variable()
                    faults.append(fault)
                    self.solver.add_clause([-fault, self.used[s]])
                    self.solver.add_clause([-fault, here])
                    self._violate(fault, s, i, q)
        self.solver.add_clause(faults)

    def _violate(self, fault: int, s: int, i: int, q: int) -> None:
        """A fault in a state with label ``q``: a wrong output, or a target whose label is wrong."""
        lost = self.solver.new_variable()
        self.solver.add_clause([-fault, -self.answer[s][i][self.model.output[q][i]], lost])
        right = self.model.target[q][i]
        for target, literal in self.target[s][i].items():
            if right in self.label[target]:
                self.solver.add_clause([-lost, -literal, -self.label[target][right]])
