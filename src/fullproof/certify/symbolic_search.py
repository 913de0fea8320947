"""The search for a symbolic machine that passes a suite and goes wrong, and what excludes those that are none.

The encoding allows machines over classes that no symbolic machine has the observable form of, and does not know which
inputs are left without an answer. Each machine that the solver proposes is therefore looked at:

- a fault must be on a trace (pairs that support each other in a circle are excluded, as everywhere);
- an input that it refuses is found or excluded by a question of its own (``refused_inputs``): for ``reduction``, where
  every system answers, all machines then answer it; for ``quasi-reduction``, what was taken for a refusal is none;
- it must be the observable form of a symbolic machine (``largest_symbolic``); else the few transitions that exclude it
  become a clause, and with them all machines that have them.

Every clause that is added holds for all symbolic machines of the fault domain, so that a contradiction is a proof, and
what remains is a survivor. There are finitely many machines over classes: the search ends.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product

from fullproof.artefacts.request import Relation
from fullproof.certify.answers import Evidence, Open, Proved
from fullproof.certify.applied_tests import applied_tests
from fullproof.certify.largest_symbolic import Has, Lacks, LargestSymbolic, Leads, TooManySets
from fullproof.certify.letter_encoding import LetterEncoding
from fullproof.certify.machine import Word
from fullproof.certify.observable import Letters, TraceMachine, fits, passes_suite
from fullproof.certify.observers import Observer, goes_wrong
from fullproof.certify.refused_inputs import OfferedClasses, RefusedInputs
from fullproof.certify.symbolic_classes import Values
from fullproof.certify.symbolic_exact import SymbolicQuestion, UnknownTransitions
from fullproof.certify.watched_solver import TimeUp, WatchedSolver
from fullproof.core.counted import counted
from fullproof.core.deadline import Deadline
from fullproof.core.errors import Bug
from fullproof.model import Sfsm
from fullproof.smt.sat import open_sat_solver
from fullproof.smt.sat_answers import Contradiction, OutOfTime, SatAssignment

_FEW = 200
"""Transitions of a survivor up to which those that it does not need are left out."""


@dataclass(frozen=True, slots=True)
class SymbolicSurvivor:
    """A machine of the fault domain that passes and goes wrong, verified, with the inputs that show it."""

    machine: Sfsm
    inputs: tuple[Values, ...]
    states: int
    """Of its observable form: a machine whose transitions overlap may have more itself, or fewer."""


class SymbolicSearch:
    """Looks for machines with at most ``bound`` states in observable form that pass a suite and go wrong.

    ``relation`` says what passes. Machines that are asked about a reduction answer every input; about a
    quasi-reduction, they may refuse some.
    ``single``: only machines with one transition for each state and input, whose guards may be joined by ``or``; they
    refuse an input only where the model does, or where their output expression has no value for it.
    """

    def __init__(
        self,
        question: SymbolicQuestion,
        words: Sequence[Word],
        relation: Relation,
        *,
        bound: int,
        single: bool,
        deadline: Deadline,
    ) -> None:
        self._question, self._words, self._relation = question, words, relation
        self._bound, self._single, self._deadline = bound, single, deadline
        self._refused = RefusedInputs(question.classes, deadline)

    def find(self, observer: Observer) -> Proved | SymbolicSurvivor | Open:
        """The answer for one observer, the model or the monitor of a property."""
        try:
            return self._find(observer)
        except TimeUp:
            return Open(f"the exact engine could not encode its query within {self._deadline.seconds:g} s")
        except _Undecided as undecided:
            return Open(str(undecided))

    def _find(self, observer: Observer) -> Proved | SymbolicSurvivor | Open:
        solver = WatchedSolver(open_sat_solver(), self._deadline)
        encoding = LetterEncoding(
            applied_tests(self._question.machine, self._words, self._relation), self._bound, solver
        )
        self._let_refuse(encoding)
        goes_wrong(encoding, observer)
        domain = UnknownTransitions(self._question, encoding, single=self._single)
        self._let_answer(encoding)
        found, assumed = self._solved(encoding, observer, [domain.whole]), [domain.whole]
        overlap = isinstance(found, Contradiction) and not self._single
        if overlap:
            found, assumed = self._solved(encoding, observer, [], overlap=True), []
        if isinstance(found, Contradiction):
            return Proved(f"no machine of the fault domain with at most {counted(self._bound, 'state')}", Evidence(()))
        if isinstance(found, OutOfTime):
            return Open(f"the exact engine did not end within {self._deadline.seconds:g} s")
        with suppress(TimeUp, _Undecided):
            better = self._solved(encoding, observer, [*assumed, domain.total], overlap=overlap)
            found = better if isinstance(better, SatAssignment) else found
        survivor = self._overlapping(encoding.decode(found)) if overlap else domain.decode(found)
        return self._verified(survivor, observer)

    def _let_refuse(self, encoding: LetterEncoding) -> None:
        """For quasi-reduction, machines perhaps refuse inputs of each cell that the model defines."""
        if self._relation is Relation.QUASI_REDUCTION:
            for s, t in product(range(self._question.machine.states), range(self._bound)):
                for k in self._question.machine.defined(s):
                    encoding.refuses[s, t, k] = encoding.solver.new_variable()

    def _let_answer(self, encoding: LetterEncoding) -> None:
        """For reduction, machines answer in each cell, and every input of the tests."""
        if self._relation is Relation.REDUCTION:
            for offered in {*self._question.classes.cells, *self._question.offers}:
                self._answer(encoding, offered)

    def _answer(self, encoding: LetterEncoding, offered: Collection[int]) -> None:
        for t in range(self._bound):
            encoding.solver.add_clause([encoding.has[t, letter] for letter in sorted(offered)])

    def _solved(
        self, encoding: LetterEncoding, observer: Observer, assumptions: list[int], *, overlap: bool = False
    ) -> Contradiction | SatAssignment | OutOfTime:
        """The solver's answer, once the machine that it proposes is one of the fault domain and goes wrong."""
        while True:
            if self._deadline.passed():
                return OutOfTime(self._deadline.left())
            answer = encoding.solver.solve(assumptions, seconds=self._deadline.left())
            if not isinstance(answer, SatAssignment):
                return answer
            machine = encoding.decode(answer)
            if self._relation is Relation.REDUCTION and self._learns_answers(encoding, machine):
                continue
            if not self._goes_wrong(encoding, observer, answer, machine):
                continue
            if not overlap or not self._learns_form(encoding, answer, machine):
                return answer

    def _learns_answers(self, encoding: LetterEncoding, machine: TraceMachine) -> bool:
        """Whether a machine refuses an input; then every machine answers it."""
        refused = None
        for row, cell in product(machine.after, self._question.classes.cells):
            refused = _sure(self._refused.find(cell, [letter for letter in cell if letter in row]))
            if refused is not None:
                self._answer(encoding, refused.letters)
                return True
        return False

    def _goes_wrong(
        self, encoding: LetterEncoding, observer: Observer, found: SatAssignment, machine: TraceMachine
    ) -> bool:
        """Whether a machine goes wrong; where it does not, it is excluded."""
        if self._seen(observer, machine) is not None:
            return True
        circle = encoding.circle(found)
        if not circle:
            learnt = self._learns_refusals(encoding, found, machine)
            if self._seen(observer, machine) is not None:
                return True
            if learnt:
                return False
        encoding.forbid_circle(circle)
        return False

    def _seen(self, observer: Observer, machine: TraceMachine) -> Letters | None:
        """What shows that a machine goes wrong, as far as inputs that are refused are known."""
        refusing = self._relation is Relation.QUASI_REDUCTION
        return observer.sees(machine, [one.letters for one in self._refused.known] if refusing else ())

    def _learns_refusals(self, encoding: LetterEncoding, found: SatAssignment, machine: TraceMachine) -> bool:
        """Look for the inputs that a machine perhaps refuses; whether some of them are none."""
        learnt = False
        number = {t: k for k, t in enumerate(encoding.states_of(found))}
        for (s, t, k), refuses in encoding.refuses.items():
            if t not in number or not found.holds(refuses):
                continue
            cell = self._question.classes.cells[k]
            demanded = self._question.machine.enabled(s, cell)
            given = machine.enabled(number[t], cell)
            if _sure(self._refused.find(demanded, given)) is None:
                learnt = True
                for other in range(self._bound):
                    has = [-encoding.has[other, letter] for letter in given]
                    encoding.solver.add_clause([-encoding.refuses[s, other, k], *has])
        return learnt

    def _learns_form(self, encoding: LetterEncoding, found: SatAssignment, machine: TraceMachine) -> bool:
        """Whether a machine is not the observable form of a symbolic one; all that share the reason are excluded."""
        largest = self._largest(machine)
        try:
            trace = largest.missing()
        except TooManySets:
            raise _Undecided("whether a machine over classes is a symbolic one needs too many sets of states") from None
        if trace is None:
            return False
        order = encoding.states_of(found)
        clause = []
        for fact in largest.reasons(trace):
            match fact:
                case Leads(state, letter, target):
                    clause.append(-encoding.way[order[state], letter][order[target]])
                case Lacks(state, letter):
                    clause.append(encoding.has[order[state], letter])
                case Has(state, letter):
                    clause.append(-encoding.has[order[state], letter])
        encoding.solver.add_clause(clause)
        return True

    def _largest(self, machine: TraceMachine) -> LargestSymbolic:
        return LargestSymbolic(machine.after, tuple(self._question.bundles))

    def _overlapping(self, machine: TraceMachine) -> Sfsm:
        """The symbolic machine that a machine over classes is the observable form of, with few transitions.

        Its states are sets of states of the other one.
        """
        transitions = tuple(self._question.bundles.values())
        largest = self._largest(machine)
        sets = tuple(largest.sets())
        number = {members: k for k, members in enumerate(sets)}
        steps = [(number[one], transitions[k], number[to]) for one in sets for k, to in largest.ways(one)]
        form = self._question.letters_of(self._question.symbolic(steps))
        if len(steps) <= _FEW:
            for step in reversed(steps.copy()):
                fewer = [one for one in steps if one != step]
                if self._question.letters_of(self._question.symbolic(fewer)).after == form.after:
                    steps = fewer
        return self._question.symbolic(steps)

    def _verified(self, survivor: Sfsm, observer: Observer) -> SymbolicSurvivor:
        """The machine, after a check that it survives: neither the solver nor the encoding is trusted here."""
        letters = self._question.letters_of(survivor)
        if letters.states > self._bound:
            raise Bug(f"a survivor has {letters.states} states, more than {self._bound}")
        if self._relation is Relation.REDUCTION and not letters.is_complete:
            raise Bug("a survivor refuses an input")
        if not passes_suite(self._question.machine, letters, self._words, self._relation):
            raise Bug("a survivor fails the suite")
        seen = self._seen(observer, letters)
        if seen is None:
            raise Bug("a survivor does not go wrong")
        return SymbolicSurvivor(survivor, self._inputs(letters, seen), letters.states)

    def _inputs(self, letters: TraceMachine, seen: Letters) -> tuple[Values, ...]:
        """Inputs of a trace that goes wrong; the last one is refused where nothing else is wrong with it."""
        model = self._question.machine
        witnesses = self._question.classes.witnesses
        shown = [witnesses[letter] for letter in seen]
        s = t = 0
        for letter in seen[:-1]:
            s, t = model.after[s].get(letter, -1), letters.after[t][letter]
        if self._relation is Relation.QUASI_REDUCTION and s >= 0:
            cell = next(cell for cell in model.cells if seen[-1] in cell)
            if fits(model.enabled(s, cell), letters.enabled(t, cell), self._relation):
                for one in self._refused.known:
                    if not fits(model.enabled(s, one.letters), letters.enabled(t, one.letters), self._relation):
                        shown[-1] = one.inputs
        return tuple(shown)


class _Undecided(Exception):
    """Why there is no answer."""


def _sure(found: OfferedClasses | Open | None) -> OfferedClasses | None:
    if isinstance(found, Open):
        raise _Undecided(found.reason)
    return found
