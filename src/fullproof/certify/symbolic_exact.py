"""The unknown symbolic machine over classes, and the question whether one passes and differs, or violates a property.

The classes of inputs and outputs are the letters of the unknown machine. A system of the fault domain, brought to
observable form, is a machine over letters; an input of a test offers the classes that some output completes it to.
In each state, a system has transitions with a guard and an output expression each; its answers are the classes that
one of them admits, and classes that the same transitions admit lead to the same state. That allows machines which no
symbolic machine has the observable form of, where transitions overlap; those in which all classes of a transition lead
to the same state are symbolic machines. ``symbolic_search`` decides which of the others are such, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, permutations

from fullproof.certify.letter_encoding import LetterEncoding
from fullproof.certify.observable import TraceMachine, observable_form
from fullproof.certify.symbolic_classes import SymbolicClasses
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition
from fullproof.smt.sat_answers import SatAssignment

Transition = tuple[int, int]
"""A guard and an output expression, by number."""


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
        self.bundles: dict[frozenset[int], Transition] = {letters: t for t, letters in reversed(self.admitted.items())}
        """What transitions admit, each once, with a transition that admits it."""
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

    def symbolic(self, steps: Sequence[tuple[int, Transition, int]]) -> Sfsm:
        """The symbolic machine with these transitions between numbers of states; 0 is initial."""
        reached = [0]
        for state in reached:  # grows while it is walked
            reached += dict.fromkeys(to for source, _, to in steps if source == state and to not in reached)
        names = {state: f"q{k}" for k, state in enumerate(reached)}
        alphabet = self.classes.alphabet
        return replace(
            self.model,
            name=f"{self.model.name}-survivor",
            initial=names[0],
            states=tuple(names.values()),
            transitions=tuple(
                SfsmTransition(
                    source=names[state], guard=alphabet.guards[g], output=alphabet.outputs[o], target=names[target]
                )
                for state in reached
                for source, (g, o), target in steps
                if source == state
            ),
        )


class UnknownTransitions:
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
        steps = [
            (t, transition, self._encoding.target_of(found, t, min(letters)))
            for t in self._encoding.states_of(found)
            for transition, letters in self._question.admitted.items()
            if found.holds(self._used[t, transition])
        ]
        return self._question.symbolic(steps)
