"""The unknown machine of a mutation machine, and what it means that it differs from the model.

Each wrong transition is a choice of a variable. *Differing* is encoded as in ``encoding``: every reached state has a
label, the state of the minimal model after a word that leads there; the machine is equivalent iff no transition of a
reached state violates the labels. Here no state is pinned by the suite, so each label is given along a tree: a state
other than the initial one has a parent, a transition that leads to it from a state of a lower level. One violated
transition is guessed; it and its target must have labels.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from random import Random

from fullproof.certify.answers import Open
from fullproof.certify.counting import demand_at_most
from fullproof.certify.exact import Survivor, passes
from fullproof.certify.machine import FlatMachine, Word, difference, minimal
from fullproof.certify.mutation_machine import Cell, Choices, MutationMachine
from fullproof.certify.oracle import Needed
from fullproof.certify.switched_tests import STALE, STALE_AFTER, SwitchedTests
from fullproof.certify.tree import plant
from fullproof.certify.unknown_machine import Position, UnknownMachine, reachable_part
from fullproof.certify.watched_solver import TimeUp, TooManyClauses, WatchedSolver
from fullproof.core.budget import Budget, OutOfRoom
from fullproof.core.deadline import Deadline
from fullproof.core.errors import Bug
from fullproof.smt.sat import SatSolver, open_sat_solver
from fullproof.smt.sat_answers import Contradiction, OutOfTime, SatAssignment

CLAUSES = 20_000_000
"""Clauses that one solver may hold: about 1.5 gigabytes."""


class Submachine(UnknownMachine):
    """A machine of the domain that is not equivalent to the model, whose minimal form is ``smallest``."""

    def __init__(self, domain: MutationMachine, smallest: FlatMachine, solver: SatSolver) -> None:
        super().__init__(solver)
        self.domain, self._smallest = domain, smallest
        states, inputs = range(domain.states), range(smallest.inputs)
        self.target = [[self._targets(s, i) for i in inputs] for s in states]
        self.answer = [[self._answers(s, i) for i in inputs] for s in states]
        for s in states:
            for i in inputs:
                self._exclude(s, i, domain.choices_of(s, i))
        self._bound_faults()
        self.used = [self.true, *(solver.new_variable() for _ in states[1:])]
        self._label: list[Position] = [{0: self.true}]
        self._label += [{q: solver.new_variable() for q in range(smallest.states)} for _ in states[1:]]
        self._reach()
        self._differ()

    def right(self) -> list[int]:
        """The literals of the model's own transitions: preferring them finds survivors with few faults."""
        found = []
        for s in range(self.domain.model.states):
            for i in range(self._smallest.inputs):
                target, output = self.domain.own(s, i)
                found += [self.target[s][i][target], self.answer[s][i][output]]
        return [literal for literal in found if literal != self.true]

    def _targets(self, s: int, i: int) -> Position:
        return self._one_of_some(self.domain.choices_of(s, i).keys())

    def _answers(self, s: int, i: int) -> Position:
        return self._one_of_some({o for outputs in self.domain.choices_of(s, i).values() for o in outputs})

    def _one_of_some(self, choices: Collection[int]) -> Position:
        return dict.fromkeys(choices, self.true) if len(choices) == 1 else self.one_of(choices)

    def _exclude(self, s: int, i: int, choices: Choices) -> None:
        """Forbid outputs with targets that they do not come with."""
        for target, there in self.target[s][i].items():
            for output, said in self.answer[s][i].items():
                if output not in choices[target]:
                    self.solver.add_clause([-there, -said])

    def _bound_faults(self) -> None:
        """At most so many transitions differ from the model."""
        most = self.domain.at_most
        if most is None:
            return
        literals: dict[int | Cell, int] = {}
        for s, i in self.domain.choices:
            target, output = self.domain.own(s, i)
            part = self.domain.part((s, i))
            wrong = literals[part] if part in literals else self.solver.new_variable()
            literals[part] = wrong
            self.solver.add_clause([self.target[s][i][target], wrong])
            self.solver.add_clause([self.answer[s][i][output], wrong])
        demand_at_most(self.solver, literals.values(), most)

    def _reach(self) -> None:
        """Each used state but the first has a parent on a lower level, from which it gets its label."""
        add, states = self.solver.add_clause, range(self.domain.states)
        depth = len(states)
        level = [[self.solver.new_variable() for _ in range(depth)] for _ in states]
        for ladder in level:
            for lower, higher in pairwise(ladder):
                add([-higher, lower])
        ways = [(s, i, u) for s in states for i, row in enumerate(self.target[s]) for u in row if u not in (0, s)]
        parents: dict[int, list[int]] = {u: [] for u in states}
        above: dict[tuple[int, int], int] = {}
        for s, i, u in ways:
            parent = self.solver.new_variable()
            parents[u].append(parent)
            add([-parent, self.target[s][i][u]])
            if (s, u) not in above:
                above[s, u] = self.solver.new_variable()
            add([-parent, above[s, u]])
            for q, here in self._label[s].items():
                add([-parent, -here, self._label[u].get(self._smallest.target[q][i], -self.true)])
        for (s, u), literal in above.items():
            add([-literal, self.used[s]])
            add([-literal, level[u][0]])
            for lower, higher in zip(level[s], level[u][1:], strict=False):
                add([-literal, -lower, higher])
            add([-literal, -level[s][-1]])
        for u in states[1:]:
            add([-self.used[u], *parents[u]])
            self.at_most_one(list(self._label[u].values()))

    def _differ(self) -> None:
        """A transition of a used state has a wrong output, or leads to a state whose label is wrong."""
        add, new = self.solver.add_clause, self.solver.new_variable
        inputs, classes = range(self._smallest.inputs), range(self._smallest.states)
        source, aim = [new() for _ in classes], [new() for _ in classes]
        given, said = [new() for _ in inputs], [new() for _ in range(self.domain.other + 1)]
        landed = [new() for _ in self.target]
        guesses = []
        for s, row in enumerate(self.target):
            for i, ways in enumerate(row):
                guess = new()
                guesses.append(guess)
                add([-guess, self.used[s]])
                add([-guess, given[i]])
                for q, here in self._label[s].items():
                    add([-guess, -here, source[q]])
                for target, literal in ways.items():
                    add([-guess, -literal, landed[target]])
                for output, literal in self.answer[s][i].items():
                    add([-guess, -literal, said[output]])
        add(guesses)
        for target, literal in enumerate(landed):
            add([-literal, self.used[target]])
            for q, here in self._label[target].items():
                add([-literal, -here, aim[q]])
        for q in classes:
            for i in inputs:
                right = self._smallest.output[q][i], self._smallest.target[q][i]
                add([-source[q], -given[i], -said[right[0]], -aim[right[1]]])


SMALLER = (
    "name fewer states, inputs or transitions in a file of faults, or fewer targets (stuck instead of transfer); "
    "'at_most: 1' without extra states needs no solver in a large model"
)
TOO_LARGE = f"this fault domain takes more than {CLAUSES:,} clauses; {SMALLER}"


def least_clauses(domain: MutationMachine, smallest: FlatMachine) -> int:
    """Fewer clauses than ``Submachine`` has: those that give labels to the targets of transitions."""
    model = domain.model
    free = domain.extra * model.inputs * domain.states
    return smallest.states * (free + sum(max(0, len(ways) - 2) for ways in domain.choices.values()))


@dataclass(frozen=True, slots=True)
class SubmachineSurvivor(Survivor):
    """A survivor, and the transitions of the model in which it is wrong."""

    wrong: tuple[tuple[int, int], ...]


class SubmachineOracle:
    """Asks which machines of a domain survive. Clauses learnt for one suite are reused for the next one."""

    def __init__(self, domain: MutationMachine, *, deadline: Deadline | None = None, most: int = CLAUSES) -> None:
        """An OutOfRoom where the domain alone takes more than ``most`` clauses, a TimeUp where the time is up."""
        self.domain, self.bound = domain, domain.states
        self.model = minimal(domain.model)
        self._deadline, self._most = deadline or Deadline(None), most
        if least_clauses(domain, self.model) > most:
            raise OutOfRoom(TOO_LARGE)
        try:
            self._renew()
        except TooManyClauses:
            raise OutOfRoom(TOO_LARGE) from None

    def typical_faults(self, dice: Random, most: int) -> Iterator[FlatMachine]:
        """Machines with a single fault; a sample where there are too many."""
        faults = list(self.domain.single_faults())
        if len(faults) > most:
            faults = [faults[k] for k in sorted(dice.sample(range(len(faults)), most))]
        return (reachable_part(self.domain.with_fault(*fault)) for fault in faults)

    def ask(self, words: Collection[Word], *, effort: Budget) -> Needed | SubmachineSurvivor | Open:
        """Decide a suite; the effort pays for the solver's steps."""
        try:
            if len(self._tests) > STALE_AFTER + STALE * len(plant(self._tested(), words)):
                self._renew()
            switches = self._switches(words)
        except TimeUp:
            # A test may be there in part, but its solver is not asked again: the deadline stays passed.
            return Open("the time was up while the tests were encoded")
        except TooManyClauses:
            self._is_spoilt = True
            effort.spend(self._most)
            return Open(f"the suite needs more than {self._most:,} clauses for this fault domain")
        before = self._solver.steps_taken()
        steps = None if effort.left() == float("inf") else int(effort.left())
        answer = self._solver.solve(list(switches), seconds=effort.clock.left(), steps=steps)
        effort.spend(self._solver.steps_taken() - before)
        match answer:
            case Contradiction(core):
                return Needed(frozenset(switches[literal] for literal in core))
            case SatAssignment() as found:
                return self._verified(self._unknown.decode_whole(found), words)
            case OutOfTime():
                return Open("the solver did not end within its budget")

    decide = ask

    def _switches(self, words: Collection[Word]) -> dict[int, Word]:
        """The tests by the literals that switch them on; without older tests where there is no room beside them."""
        if not self._is_spoilt:
            try:
                return {self._tests.switch(word): word for word in words}
            except TooManyClauses:
                pass
        self._renew()
        return {self._tests.switch(word): word for word in words}

    def _renew(self) -> None:
        self._is_spoilt = False
        self._solver: SatSolver = WatchedSolver(open_sat_solver(), self._deadline, most=self._most)
        self._unknown: Submachine = self._machine(self._solver)
        self._solver.prefer(self._unknown.right())
        self._tests: SwitchedTests = SwitchedTests(self._unknown, self._tested(), {(): 0})

    def _tested(self) -> FlatMachine:
        """The model over the inputs of tests."""
        return self.model

    def _machine(self, solver: SatSolver) -> Submachine:
        return Submachine(self.domain, self.model, solver)

    def _passes(self, machine: FlatMachine, words: Collection[Word]) -> bool:
        return passes(machine, plant(self.model, words))

    def _verified(self, whole: FlatMachine, words: Collection[Word]) -> SubmachineSurvivor:
        """The reachable part, after a check that it survives: neither the solver nor the encoding is trusted here."""
        if not self.domain.holds(whole):
            raise Bug("a survivor is outside of the fault domain")
        machine = reachable_part(whole)
        if difference(self.model, machine) is None:
            raise Bug("a survivor is equivalent to the model")
        if not self._passes(machine, words):
            raise Bug("a survivor fails the suite")
        model = self.domain.model
        cells = product(range(model.states), range(model.inputs))
        wrong = [(s, i) for s, i in cells if (whole.target[s][i], whole.output[s][i]) != self.domain.own(s, i)]
        return SubmachineSurvivor(machine, tuple(wrong))
