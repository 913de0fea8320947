"""Proofs of unreachability by predicate abstraction (Graf and Saidi 1997) over the model's own conditions.

An abstract place is a location with the truth values of the predicates. All places of all runs lie in abstract places
that are found here, so a goal that none of them allows is impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fullproof.check.running.program import Goal, Program, ProgramEdge
from fullproof.check.solving.questions import Questions
from fullproof.language.compile import compile_expression
from fullproof.language.formulas import atoms, conjunction, has_values, negation
from fullproof.language.substitute import substitute
from fullproof.language.syntax import Expression, Name
from fullproof.language.traversal import free_names
from fullproof.smt.answers import Sat, Unknown, Unsat

PLACES = 300
QUESTIONS = 1_200
PREDICATES = 40

Signs = tuple[bool, ...]


class _TooLarge(Exception):
    """A limit is reached, or the solver could not decide: nothing is proven."""


class Abstraction:
    """The abstract places that runs may visit; nothing is known of them where a limit was reached."""

    def __init__(self, program: Program, goals: Iterable[Goal], questions: Questions) -> None:
        self._program = program
        self._questions = questions
        self._left = QUESTIONS
        self._predicates = _predicates(program, goals)
        self._holds = [compile_expression(predicate, questions.scope) for predicate in self._predicates]
        self._places: dict[str, set[Signs]] | None = None
        if len(self._predicates) <= PREDICATES:
            try:
                self._places = self._explored()
            except _TooLarge:
                self._places = None

    def excludes(self, goal: Goal) -> bool:
        """Whether it is proven that no run meets the goal."""
        if self._places is None:
            return False
        return all(
            isinstance(self._questions.attempt(self._signed(signs), *goal.formulas), Unsat)
            for signs in sorted(self._places.get(goal.location, ()))
        )

    def _explored(self) -> dict[str, set[Signs]]:
        start = self._program.start
        known = [(v.name, v.initial) for v in self._program.variables if v.initial is not None]
        initial = has_values(known)
        found: dict[str, set[Signs]] = {}
        waiting = [(start.target, signs) for signs in self._after(start, initial)]
        count = 0
        edges: dict[str, list[ProgramEdge]] = {}
        for edge in self._program.edges:
            edges.setdefault(edge.goal.location, []).append(edge)
        while waiting:
            location, signs = waiting.pop()
            if signs in found.setdefault(location, set()):
                continue
            found[location].add(signs)
            count += 1
            if count > PLACES:
                raise _TooLarge
            for edge in edges.get(location, ()):
                waiting += [(edge.target, after) for after in self._after(edge, self._signed(signs))]
        return found

    def _after(self, edge: ProgramEdge, before: Expression) -> list[Signs]:
        """The signs of the predicates after the edge, all that are possible; each answer gives one."""
        renaming: Mapping[str, Expression] = {old: Name(new) for old, new in edge.updates.items()}
        images = [substitute(predicate, renaming) for predicate in self._predicates]
        found: list[Signs] = []
        asked = [before, *edge.goal.formulas]
        while True:
            self._left -= 1
            answer = self._questions.attempt(*asked) if self._left >= 0 else Unknown("too many questions")
            match answer:
                case Unsat():
                    return found
                case Unknown():
                    raise _TooLarge
                case Sat(values):
                    after = dict(values) | {old: values[new] for old, new in edge.updates.items()}
                    signs = tuple(bool(holds(after)) for holds in self._holds)
                    found.append(signs)
                    if not images:
                        return found
                    asked.append(negation(_signed(images, signs)))

    def _signed(self, signs: Signs) -> Expression:
        return _signed(self._predicates, signs)


def _signed(predicates: Iterable[Expression], signs: Signs) -> Expression:
    return conjunction(
        predicate if sign else negation(predicate) for predicate, sign in zip(predicates, signs, strict=True)
    )


def _predicates(program: Program, goals: Iterable[Goal]) -> list[Expression]:
    """The comparisons and truth values in guards and goals that refer to the program's variables only."""
    own = {variable.name for variable in program.variables}
    foreign = {variable.name for variable in program.names(goals)} - own
    found: dict[Expression, None] = {}
    for goal in [*(edge.goal for edge in program.edges), *goals]:
        for atom in atoms(goal.formula):
            names = free_names(atom)
            if names & own and not names & foreign:
                found.setdefault(atom)
    return list(found)
