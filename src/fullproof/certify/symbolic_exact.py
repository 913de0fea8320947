"""Completeness for symbolic machines: no machine of the fault domain passes and differs, or violates a property.

The classes of inputs and outputs are the letters of the unknown machine. A system of the fault domain, brought to
observable form, is a machine over letters; an input of a test offers the classes that some output completes it to.
In each state, a system has transitions with a guard and an output expression each; its answers are the classes that
one of them admits, and classes that the same transitions admit lead to the same state. That allows machines which no
symbolic machine has the observable form of: a proof that none of them survives is valid, and a survivor is asked for in
which all classes of a transition lead to the same state, which makes it a symbolic machine.

For reductions it matters whether a system answers, not only how. An output expression may have values for some inputs
of a cell and none for others; where no other transition answers all of the cell, the machine is *perhaps* one that
refuses an input of it. Proofs take both cases into account; of a survivor it has to be certain.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise, permutations, product

from fullproof.artefacts.request import Relation
from fullproof.certify.answers import Evidence, Open, Proved
from fullproof.certify.applied_tests import applied_tests
from fullproof.certify.letter_encoding import LetterEncoding
from fullproof.certify.machine import Word
from fullproof.certify.observable import TraceMachine, observable_form, passes_suite
from fullproof.certify.observers import Observer, goes_wrong
from fullproof.certify.symbolic_classes import SymbolicClasses
from fullproof.certify.watched_solver import TimeUp, WatchedSolver
from fullproof.core.counted import counted
from fullproof.core.deadline import Deadline
from fullproof.core.errors import Bug
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition
from fullproof.smt import open_solver
from fullproof.smt.sat import SatSolver, open_sat_solver
from fullproof.smt.sat_answers import Contradiction, OutOfTime, SatAssignment

Transition = tuple[int, int]
"""A guard and an output expression, by number."""
_REDUCTIONS = (Relation.REDUCTION, Relation.QUASI_REDUCTION)


@dataclass(frozen=True, slots=True)
class SymbolicSurvivor:
    """A machine of the fault domain that passes and goes wrong, verified, with the letters that show it."""

    machine: Sfsm
    letters: tuple[int, ...]


class SymbolicQuestion:
    """A model over the classes of its fault domain, and the inputs of tests over what they offer."""

    def __init__(self, model: Sfsm, classes: SymbolicClasses, offers: tuple[tuple[int, ...], ...]) -> None:
        self.model, self.classes = model, classes
        alphabet = classes.alphabet
        admitted: dict[tuple[frozenset[int], frozenset[int]], Transition] = {}
        for g in range(len(alphabet.guards)):
            for o in range(len(alphabet.outputs)):
                letters = classes.admitted(g, o)
                if letters:
                    admitted.setdefault((letters, classes.guarded(g)), (g, o))
        self.admitted = {transition: letters for (letters, _), transition in admitted.items()}
        """The classes that transitions admit. Of those with the same guard and the same classes, the first: a wider
        guard takes inputs from other transitions also where its output expression has no value for them.
        """
        self.offers = offers
        self._total: set[tuple[int, int]] | None = None
        self.machine = self.letters_of(model, undefined=self._undefined())

    def _undefined(self) -> dict[str, frozenset[int]]:
        """For each state of the model the classes whose inputs no guard admits there.

        After a trace that may have led to several states of a model, what one of these leaves undefined is undefined.
        """
        guard = {e: k for k, e in enumerate(self.classes.alphabet.guards)}
        everything = frozenset(range(len(self.classes.signs)))
        admitted = {
            state: [self.classes.guarded(guard[t.guard]) for t in self.model.transitions if t.source == state]
            for state in self.model.states
        }
        return {state: everything.difference(*found) for state, found in admitted.items()}

    def letters_of(self, machine: Sfsm, *, undefined: Mapping[str, frozenset[int]] | None = None) -> TraceMachine:
        """The observable form of a machine of the fault domain, as a machine over classes."""
        alphabet = self.classes.alphabet
        guard = {e: k for k, e in enumerate(alphabet.guards)}
        output = {e: k for k, e in enumerate(alphabet.outputs)}
        steps: dict[str, dict[int, set[str]]] = {state: {} for state in machine.states}
        for t in machine.transitions:
            for letter in self.classes.admitted(guard[t.guard], output[t.output]):
                steps[t.source].setdefault(letter, set()).add(t.target)
        return observable_form(self.classes.cells, self.offers, steps, machine.initial, undefined=undefined)

    def total(self, deadline: Deadline) -> set[tuple[int, int]]:
        """The cells and output expressions such that the expression has a value for every input of the cell.

        What the solver cannot decide is left out. Raises ``TimeUp``.
        """
        if self._total is None:
            solver, outputs = open_solver(self.classes.alphabet.scope), sorted({o for _, o in self.admitted})
            found = set()
            for key in product(range(len(self.classes.cells)), outputs):
                if deadline.passed():
                    raise TimeUp
                if self.classes.is_total(*key, solver):
                    found.add(key)
            self._total = found
        return self._total

    def search(
        self,
        words: Sequence[Word],
        observer: Observer,
        *,
        bound: int,
        relation: Relation,
        single: bool,
        deadline: Deadline,
    ) -> Proved | SymbolicSurvivor | Open:
        """Look for a machine with at most ``bound`` states in observable form that passes and goes wrong.

        ``relation`` says what passes. Machines that are asked about a reduction answer every input; about a
        quasi-reduction, they may refuse some.
        ``single``: only machines with one transition for each state and input, whose guards may be joined by ``or``;
        they refuse an input only where the model does.
        """
        solver: SatSolver = WatchedSolver(open_sat_solver(), deadline)
        try:
            total = self.total(deadline) if relation in _REDUCTIONS else set[tuple[int, int]]()
            encoding = LetterEncoding(applied_tests(self.machine, words, relation), bound, solver)
            if relation is Relation.QUASI_REDUCTION:
                cells = range(len(self.classes.cells))
                encoding.refuses = {key: solver.new_variable() for key in product(range(bound), cells)}
            goes_wrong(encoding, observer)
            domain = _Transitions(self, encoding, single=single)
            certain = [domain.whole]
            if relation in _REDUCTIONS:
                certain.append(domain.answer_surely(total))
            found = self._solved(encoding, observer, certain, deadline)
            if isinstance(found, SatAssignment):
                survivor = domain.decode(found)
                with suppress(TimeUp):
                    found = self._solved(encoding, observer, [*certain, domain.total], deadline)
                    survivor = domain.decode(found) if isinstance(found, SatAssignment) else survivor
                return self._verified(survivor, words, observer, bound, relation)
            if isinstance(found, Contradiction) and not (single and len(certain) == 1):
                found = self._solved(encoding, observer, [domain.whole] if single else [], deadline)
        except TimeUp:
            return Open(f"the exact engine could not encode its query within {deadline.seconds:g} s")
        match found:
            case Contradiction():
                return Proved(f"no machine of the fault domain with at most {counted(bound, 'state')}", Evidence(()))
            case SatAssignment():
                answering = " and answer all inputs" if relation in _REDUCTIONS else ""
                refusing = " or leave inputs without an answer" if relation in _REDUCTIONS else ""
                return Open(
                    f"no machine whose transitions lead to one state each{answering} survives, but one may survive "
                    f"whose transitions overlap{refusing}"
                )
            case OutOfTime():
                return Open(f"the exact engine did not end within {deadline.seconds:g} s")

    def _solved(
        self,
        encoding: LetterEncoding,
        observer: Observer,
        assumptions: list[int],
        deadline: Deadline,
    ) -> Contradiction | SatAssignment | OutOfTime:
        """The solver's answer, once no pairs support each other in a circle."""
        while True:
            answer = encoding.solver.solve(assumptions, seconds=deadline.left())
            if not isinstance(answer, SatAssignment) or observer.sees(encoding.decode(answer)) is not None:
                return answer
            circle = encoding.circle(answer)
            if not circle and encoding.refuses:
                return answer  # it goes wrong by an input that is perhaps refused, which classes alone do not show
            encoding.forbid_circle(circle)

    def _verified(
        self, survivor: Sfsm, words: Sequence[Word], observer: Observer, bound: int, relation: Relation
    ) -> SymbolicSurvivor:
        """The machine, after a check that it survives: neither the solver nor the encoding is trusted here."""
        letters = self.letters_of(survivor)
        if letters.states > bound:
            raise Bug(f"a survivor has {letters.states} states, more than {bound}")
        if relation is Relation.REDUCTION and not letters.is_complete:
            raise Bug("a survivor refuses an input")
        if not passes_suite(self.machine, letters, words, relation):
            raise Bug("a survivor fails the suite")
        seen = observer.sees(letters)
        if seen is None:
            raise Bug("a survivor does not go wrong")
        return SymbolicSurvivor(survivor, seen)


class _Transitions:
    """The transitions of the unknown machine: which guard and output expression each state has."""

    def __init__(self, question: SymbolicQuestion, encoding: LetterEncoding, *, single: bool) -> None:
        self._question, self._encoding = question, encoding
        solver = encoding.solver
        self.whole = solver.new_variable()
        """All classes of a transition lead to the same state."""
        self.total = solver.new_variable()
        """No state refuses an input: such survivors are worth more, as systems rarely do."""
        self._used: dict[tuple[int, Transition], int] = {}
        for t in range(encoding.bound):
            for transition in question.admitted:
                self._used[t, transition] = solver.new_variable()
            self._answer(t)
            self._lead_by_transitions(t)
            for cell in question.classes.cells:
                here = self._admitting(t, cell)
                solver.add_clause([-self.total, *here])
                if single:
                    self._answer_alike(t, cell)
        if single and question.machine.is_complete:
            solver.add_clause([self.total])

    def answer_surely(self, total: Collection[tuple[int, int]]) -> int:
        """Say when machines answer; under the literal that is returned, they refuse no input of a cell or all of them.

        For a reduction they answer in every cell, and every input of the tests. Where ``refuses`` is asked about, it
        stays possible unless a transition is used that has an output for every input of the cell.
        """
        solver, surely = self._encoding.solver, self._encoding.solver.new_variable()
        for t, (k, cell) in product(range(self._encoding.bound), enumerate(self._question.classes.cells)):
            signs = self._question.classes.signs[cell[0]]
            here = {pair: used for (state, pair), used in self._used.items() if state == t and signs[pair[0]]}
            sure = [used for (_, o), used in here.items() if (k, o) in total]
            for used in here.values():
                if used not in sure:
                    solver.add_clause([-surely, -used, *sure])
            if (t, k) in self._encoding.refuses:
                for used in sure:
                    solver.add_clause([-self._encoding.refuses[t, k], -used])
            else:
                solver.add_clause([self._encoding.has[t, letter] for letter in cell])
        if not self._encoding.refuses:
            for t, offered in product(range(self._encoding.bound), set(self._question.offers)):
                solver.add_clause([self._encoding.has[t, letter] for letter in offered])
        return surely

    def _answer(self, t: int) -> None:
        """A class is possible iff a transition admits it."""
        add, has, admitted = self._encoding.solver.add_clause, self._encoding.has, self._question.admitted
        for transition, letters in admitted.items():
            used = self._used[t, transition]
            for letter in letters:
                add([-used, has[t, letter]])
            for one, other in pairwise(sorted(letters)):
                self._lead_alike(used, self._encoding.way[t, one], self._encoding.way[t, other])
        for cell in self._encoding.model.cells:
            for letter in cell:
                sources = [self._used[t, transition] for transition, letters in admitted.items() if letter in letters]
                add([-has[t, letter], *sources])

    def _lead_by_transitions(self, t: int) -> None:
        """Classes that the same transitions admit lead to the same state, in every observable form."""
        admitted, way = self._question.admitted, self._encoding.way
        letters = sorted(set().union(*admitted.values()))
        for one, other in permutations(letters, 2):
            apart = [self._used[t, p] for p, found in admitted.items() if (one in found) != (other in found)]
            for target, literal in way[t, one].items():
                beside = way[t, other].get(target)
                clause = [*apart, -literal]
                self._encoding.solver.add_clause(clause if beside is None else [*clause, beside])

    def _lead_alike(self, used: int, one: Mapping[int, int], other: Mapping[int, int]) -> None:
        for here, there in ((one, other), (other, one)):
            for target, literal in here.items():
                beside = there.get(target)
                clause = [-self.whole, -used, -literal]
                self._encoding.solver.add_clause(clause if beside is None else [*clause, beside])

    def _admitting(self, t: int, cell: Sequence[int]) -> list[int]:
        """The transitions of a state whose guards hold in a cell."""
        signs = self._question.classes.signs[cell[0]]
        return [used for (state, (g, _)), used in self._used.items() if state == t and signs[g]]

    def _answer_alike(self, t: int, cell: Sequence[int]) -> None:
        """Guards that hold together belong to one transition, whose guard is their disjunction."""
        signs = self._question.classes.signs[cell[0]]
        answering: dict[int, int] = {}
        for g, o in self._question.admitted:
            if signs[g]:
                if o not in answering:
                    answering[o] = self._encoding.solver.new_variable()
                self._encoding.solver.add_clause([-self._used[t, (g, o)], answering[o]])
        self._encoding.at_most_one(list(answering.values()))

    def decode(self, found: SatAssignment) -> Sfsm:
        """The symbolic machine that the solver found. Needs: ``whole`` holds."""
        model, alphabet = self._question.model, self._question.classes.alphabet
        names = {t: f"q{k}" for k, t in enumerate(self._encoding.states_of(found))}
        transitions = [
            SfsmTransition(
                source=name,
                guard=alphabet.guards[g],
                output=alphabet.outputs[o],
                target=names[self._encoding.target_of(found, t, min(letters))],
            )
            for t, name in names.items()
            for (g, o), letters in self._question.admitted.items()
            if found.holds(self._used[t, (g, o)])
        ]
        return replace(
            model,
            name=f"{model.name}-survivor",
            initial=names[0],
            states=tuple(names.values()),
            transitions=tuple(transitions),
        )
