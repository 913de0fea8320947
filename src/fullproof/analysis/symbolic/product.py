"""Exact conformance between two symbolic machines, by a walk through the product of their subset constructions.

A letter is a pair of an input and an output, both valuations. After a trace each machine may be in a set of states; the
next letter leads to the targets of all transitions whose guard and output it satisfies. Which sets can be reached
together is asked of the solver, cell by cell of the transitions that leave both sets.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from fullproof.analysis.conformance import ANYTHING_GOES, RelationViolation
from fullproof.analysis.symbolic.common_scope import NumberedTransition, Paired, VocabularyMachine
from fullproof.analysis.symbolic.conditions import OpenQuestion
from fullproof.artefacts.request import Relation
from fullproof.language.types import Value, Variable
from fullproof.smt import Answer, Sat, Unknown, Unsat

States: TypeAlias = frozenset[str]

_ROUNDINGS = (0, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class TraceLetter:
    """One step of a trace."""

    inputs: Mapping[str, Value]
    outputs: Mapping[str, Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoDifference:
    """There is no difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Differing:
    """A common trace, and the letter at which the machines differ: a forbidden output, a missing output, or no
    answer.
    """

    trace: tuple[TraceLetter, ...]
    last: TraceLetter
    violation: RelationViolation
    states: States
    """Where the model may be before the last letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductUndecided:
    """No difference was found, and the solver could not decide whether there is none."""

    question: OpenQuestion


Answered: TypeAlias = NoDifference | Differing | ProductUndecided


def counterexample(paired: Paired, relation: Relation, *, start: tuple[States, States] | None = None) -> Answered:
    """Decide whether the other machine conforms to the model; a shortest difference unless a question stayed open.

    Reduction: the other's language is contained in the model's. Equivalence: the languages agree, up to inputs that the
    model leaves undefined, after which any behaviour is allowed: those that no guard of a state admits which the model
    may be in. Quasi-reduction: what the model answers, the other answers as allowed. Strong reduction: both reductions
    at once. Neither machine needs to be observable, complete or minimal. ``start`` are other sets than those of the
    initial states.
    """
    initial = (frozenset({paired.model.initial}), frozenset({paired.other.initial}))
    return _Walk(paired, relation, start or initial).run()


def admission(paired: Paired, states: States, relation: Relation) -> frozenset[int]:
    """The condition on relevant inputs: every state admits them, where any behaviour is allowed after others."""
    if relation not in ANYTHING_GOES:
        return frozenset()
    return frozenset(paired.conditions.any_of(step.guard for step in paired.model.rows[state]) for state in states)


def after(machine: VocabularyMachine, states: States, holding: frozenset[int]) -> States:
    """The states reached by a letter that satisfies exactly these predicates."""
    return frozenset(step.target for step in machine.steps(states) if step.predicate in holding)


def restricted(values: Mapping[str, Value], variables: tuple[Variable, ...]) -> dict[str, Value]:
    """The values of these variables."""
    return {variable.name: values[variable.name] for variable in variables}


def _round(value: Value, digits: int) -> Value:
    return Fraction(round(value, digits)) if isinstance(value, Fraction) else value


class _Walk:
    def __init__(self, paired: Paired, relation: Relation, start: tuple[States, States]) -> None:
        self._paired = paired
        self._conditions = paired.conditions
        self._relation = relation
        self._open: OpenQuestion | None = None
        self._before: dict[tuple[States, States], tuple[tuple[States, States], TraceLetter] | None] = {start: None}
        self._queue = deque([start])

    def run(self) -> Answered:
        while self._queue:
            pair = self._queue.popleft()
            for letter, violation in self._differences(*pair):
                return Differing(trace=self._trace(pair), last=letter, violation=violation, states=pair[0])
            self._follow(pair)
        return NoDifference() if self._open is None else ProductUndecided(question=self._open)

    def _differences(self, mine: States, theirs: States) -> Iterator[tuple[TraceLetter, RelationViolation]]:
        admitted = admission(self._paired, mine, self._relation)
        own, other = _predicates(self._paired.model.steps(mine)), _predicates(self._paired.other.steps(theirs))
        for predicate in sorted(other - own):
            yield from self._letter(admitted | {predicate}, own, RelationViolation.OUTPUT)
        if self._relation is Relation.EQUIVALENCE:
            for predicate in sorted(own - other):
                for letter, _ in self._letter(admitted | {predicate}, other, RelationViolation.MISSING):
                    yield letter, self._missing_or_refused(letter, other)
        elif self._relation is not Relation.REDUCTION and own:
            yield from self._refused(mine, theirs)

    def _letter(
        self, true: frozenset[int], false: frozenset[int], violation: RelationViolation
    ) -> Iterator[tuple[TraceLetter, RelationViolation]]:
        answer = self._conditions.ask(true, false)
        match answer:
            case Sat(values):
                yield self._as_letter(self._rounded(values, true, false)), violation
            case Unknown(reason):
                self._keep_open(self._conditions.open_question(true, false, reason))
            case Unsat():
                pass

    def _rounded(self, values: Mapping[str, Value], true: frozenset[int], false: frozenset[int]) -> Mapping[str, Value]:
        """A solution with rounder inputs, where there is one near by."""
        inputs = restricted(values, self._paired.inputs)
        if all(not isinstance(value, Fraction) or value.denominator == 1 for value in inputs.values()):
            return values
        for digits in _ROUNDINGS:
            near = {name: _round(value, digits) for name, value in inputs.items()}
            answer = self._conditions.ask(true | {self._conditions.values(near)}, false)
            if isinstance(answer, Sat):
                return answer.model
        return values

    def _missing_or_refused(self, letter: TraceLetter, other: frozenset[int]) -> RelationViolation:
        given = self._conditions.values(letter.inputs)
        answers = (self._conditions.ask(frozenset({given, predicate}), frozenset()) for predicate in sorted(other))
        return RelationViolation.REFUSED if all(isinstance(a, Unsat) for a in answers) else RelationViolation.MISSING

    def _refused(self, mine: States, theirs: States) -> Iterator[tuple[TraceLetter, RelationViolation]]:
        """Inputs that have an answer in the model and none in the other machine."""
        admitted = admission(self._paired, mine, self._relation)
        steps = self._paired.other.steps(theirs)
        own, other = _predicates(self._paired.model.steps(mine)), _predicates(steps)
        guards = frozenset(step.guard for step in steps)
        for predicate in sorted(own):
            if predicate in other:
                continue
            true = admitted | {predicate}
            yield from self._letter(true, guards, RelationViolation.REFUSED)
            answer: Answer = self._conditions.ask_without(true, other, self._paired.outputs)
            match answer:
                case Sat(values):
                    yield self._as_letter(values), RelationViolation.REFUSED
                case Unknown(reason):
                    self._keep_open(self._conditions.open_question(true, other, reason))
                case Unsat():
                    pass

    def _follow(self, pair: tuple[States, States]) -> None:
        """Put every pair of sets that one letter leads to into the queue."""
        mine, theirs = pair
        own, other = _predicates(self._paired.model.steps(mine)), _predicates(self._paired.other.steps(theirs))
        found = self._conditions.cells(admission(self._paired, mine, self._relation), own, other)
        if found.open is not None:
            self._keep_open(found.open)
        for cell in found.cells:
            reached = (
                after(self._paired.model, mine, cell.holding),
                after(self._paired.other, theirs, cell.holding),
            )
            if reached not in self._before:
                self._before[reached] = (pair, self._as_letter(cell.witness))
                self._queue.append(reached)

    def _as_letter(self, values: Mapping[str, Value]) -> TraceLetter:
        return TraceLetter(restricted(values, self._paired.inputs), restricted(values, self._paired.outputs))

    def _keep_open(self, question: OpenQuestion) -> None:
        self._open = self._open or question

    def _trace(self, pair: tuple[States, States]) -> tuple[TraceLetter, ...]:
        letters = []
        link = self._before[pair]
        while link is not None:
            pair, letter = link
            letters.append(letter)
            link = self._before[pair]
        return tuple(reversed(letters))


def _predicates(steps: list[NumberedTransition]) -> frozenset[int]:
    return frozenset(step.predicate for step in steps)
