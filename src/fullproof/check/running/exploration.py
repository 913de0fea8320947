"""Runs of a program with concrete values: everything found here is reachable."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import TypeVar

from fullproof.check.running.program import Goal, Program, ProgramEdge
from fullproof.check.solving.questions import Questions
from fullproof.core.errors import UserError
from fullproof.language.compile import compile_expression
from fullproof.language.formulas import conjuncts, has_values
from fullproof.language.lists import EMPTY, listed
from fullproof.language.syntax import Comparison, Expression, Name
from fullproof.language.traversal import free_names
from fullproof.language.types import BoolType, EnumType, ListType, Type, Value
from fullproof.language.values import coerce, in_range
from fullproof.smt.answers import Sat

_Item = TypeVar("_Item")

STATES = 1_000
QUESTIONS = 200
BITS = 4_000

Values = Mapping[str, Value]
Place = tuple[str, tuple[Value, ...]]
"""A location with the values of the program's variables, in their order."""


class PlaceExploration:
    """Breadth-first through places, one choice of parameters for each edge; goals are met on the way."""

    def __init__(self, program: Program, goals: Iterable[Goal], questions: Questions) -> None:
        self.met: dict[Goal, Values] = {}
        self.taken: set[ProgramEdge] = set()
        self.places: dict[str, list[Place]] = {}
        self._program = program
        self._questions = questions
        self._asked = 0
        self._waiting: deque[Place] = deque()
        self._seen: set[Place] = set()
        self._edges = _by_location(program.edges, lambda edge: edge.goal.location)
        self._goals = _by_location(goals, lambda goal: goal.location)
        goals = [goal for here in self._goals.values() for goal in here]
        self._missing: set[Goal | int] = {*goals, *(edge.transition for edge in program.edges)}
        everything = [program.start.goal, *(edge.goal for edge in program.edges), *goals]
        self._choosers = {goal: _Chooser(goal, program, questions) for goal in everything}
        for place in self._successors(program.start, _initial(program)):
            self._visit(place)

    def dismiss(self, goals: Iterable[Goal], edges: Iterable[ProgramEdge]) -> None:
        """Remove from the search: goals, and transitions none of whose edges can be taken."""
        self._missing.difference_update(goals)
        idle = set(edges)
        kept = {edge.transition for edge in self._program.edges if edge not in idle}
        self._missing.difference_update(edge.transition for edge in idle if edge.transition not in kept)

    def open_goals(self, location: str) -> list[Goal]:
        """The goals at a location that are not met yet."""
        return [goal for goal in self._goals.get(location, ()) if goal in self._missing]

    def open_edges(self, location: str) -> list[ProgramEdge]:
        """The edges from a location that are not taken yet."""
        return [edge for edge in self._edges.get(location, ()) if self.is_open(edge)]

    def is_open(self, edge: ProgramEdge) -> bool:
        """Whether the transition of an edge is still searched for."""
        return edge.transition in self._missing

    @property
    def finished(self) -> bool:
        """Whether nothing is left to be found."""
        return not self._missing

    def run(self) -> None:
        """Continue until everything is found or the limit is reached."""
        while self._waiting and not self.finished and len(self._seen) <= STATES:
            place = self._waiting.popleft()
            values = self.values(place)
            for goal in self.open_goals(place[0]):
                found = self._choices(goal, values)
                if found:
                    self.meet(goal, found[0])
            for edge in self._edges.get(place[0], ()):
                for target in self._successors(edge, values):
                    self.take(edge)
                    self._visit(target)

    def take(self, edge: ProgramEdge) -> None:
        """Record an edge that some run takes."""
        self.taken.add(edge)
        self._missing.discard(edge.transition)

    def meet(self, goal: Goal, values: Values) -> None:
        """Record a goal that some run meets with these values."""
        self.met[goal] = values
        self._missing.discard(goal)

    def add(self, place: Place) -> None:
        """Add a place that was found to be reachable by other means."""
        self._visit(place)

    def values(self, place: Place) -> dict[str, Value]:
        """The variables' values at a place."""
        return dict(zip((variable.name for variable in self._program.variables), place[1], strict=True))

    def place(self, location: str, values: Values) -> Place:
        """The place with these values of the program's variables."""
        return location, tuple(coerce(values[v.name], v.type) for v in self._program.variables)

    def _successors(self, edge: ProgramEdge, values: Values) -> Iterator[Place]:
        """The successors of an edge from these values, for a few choices of parameters, within all ranges."""
        for found in self._choices(edge.goal, values):
            after = {v.name: found[edge.updates.get(v.name, v.name)] for v in self._program.variables}
            if all(in_range(after[v.name], v.type) and _is_short(after[v.name]) for v in self._program.variables):
                yield self.place(edge.target, after)

    def _visit(self, place: Place) -> None:
        if place not in self._seen:
            self._seen.add(place)
            self._waiting.append(place)
            self.places.setdefault(place[0], []).append(place)

    def _choices(self, goal: Goal, values: Values) -> list[Values]:
        chooser = self._choosers[goal]
        found = chooser.guesses(values)
        if not found and chooser.worth_asking and self._asked < QUESTIONS:
            found, asked = chooser.ask(values)
            self._asked += asked
        return found


class _Chooser:
    """Finds parameters that meet a goal where the variables have given values."""

    def __init__(self, goal: Goal, program: Program, questions: Questions) -> None:
        self._goal = goal
        self._questions = questions
        scope = questions.scope
        self._holds = compile_expression(goal.formula, scope)
        self._definitions = [
            (d.variable.name, d.variable.type, compile_expression(d.expression, scope)) for d in goal.definitions
        ]
        used = free_names(goal.formula).union(*(free_names(d.expression) for d in goal.definitions))
        self._mentioned = [v.name for v in program.variables if v.name in used]
        self.worth_asking = any(parameter.name in used for parameter in goal.parameters)
        self._hints = {p.name: _hints(p.name, goal, questions) for p in goal.parameters}
        self._answers: dict[tuple[Value, ...], Values | None] = {}

    def guesses(self, values: Values) -> list[Values]:
        """Try values from equations, then the simplest values, then pairwise different values."""
        plain: dict[str, Value] = dict(values)
        varied: dict[str, Value] = dict(values)
        for rank, parameter in enumerate(self._goal.parameters, 1):
            suggested = [coerce(hint(values), parameter.type) for hint in self._hints[parameter.name]]
            fitting = [value for value in suggested if in_range(value, parameter.type)]
            plain[parameter.name] = fitting[0] if fitting else simplest(parameter.type)
            varied[parameter.name] = fitting[0] if fitting else other_than_simplest(parameter.type, rank)
        tried = [plain] if plain == varied else [plain, varied]
        return [found for found in map(self._completed, tried) if found is not None]

    def ask(self, values: Values) -> tuple[list[Values], int]:
        """Ask the solver, once for equal values of the relevant variables; returns the number of queries, too."""
        key = tuple(values[name] for name in self._mentioned)
        asked = 0
        if key not in self._answers:
            fixed = has_values((name, values[name]) for name in self._mentioned)
            answer = self._questions.attempt(fixed, *self._goal.formulas)
            asked = 1
            parameters = [parameter.name for parameter in self._goal.parameters]
            self._answers[key] = {n: answer.model[n] for n in parameters} if isinstance(answer, Sat) else None
        known = self._answers[key]
        found = None if known is None else self._completed({**values, **known})
        return ([] if found is None else [found]), asked

    def _completed(self, values: dict[str, Value]) -> Values | None:
        for name, type_, expression in self._definitions:
            values[name] = coerce(expression(values), type_)
        return values if self._holds(values) else None


def _hints(parameter: str, goal: Goal, questions: Questions) -> list[Callable[[Values], Value]]:
    """Expressions over the variables that the formula says the parameter equals."""
    free = {p.name for p in goal.parameters} | {d.variable.name for d in goal.definitions}
    found: list[Expression] = []
    for part in conjuncts(goal.formula):
        if isinstance(part, Comparison) and part.operators == ("==",):
            for side, term in (part.operands, part.operands[::-1]):
                if side == Name(parameter) and not free_names(term) & free:
                    found.append(term)
    hints: list[Callable[[Values], Value]] = []
    for term in found:
        with suppress(UserError):  # an enum value that belongs to several types, without a context
            hints.append(compile_expression(term, questions.scope))
    return hints


def simplest(type_: Type) -> Value:
    """0, false or the first value, or the bound that is nearest to it."""
    match type_:
        case BoolType():
            return False
        case EnumType(values=values):
            return values[0]
        case ListType():
            return EMPTY
        case _:
            nearest: int | Fraction = max(0 if type_.low is None else type_.low, 0)
            nearest = nearest if type_.high is None else min(nearest, type_.high)
            return coerce(nearest, type_)


def _is_short(value: Value) -> bool:
    """Whether a number is small enough: repeated squares would soon exhaust the memory."""
    if isinstance(value, str):
        return True
    return value.numerator.bit_length() + value.denominator.bit_length() <= BITS


def other_than_simplest(type_: Type, rank: int) -> Value:
    """The rank-th value after the simplest one, where there is one."""
    match type_:
        case BoolType():
            return rank % 2 == 1
        case EnumType(values=values):
            return values[rank % len(values)]
        case ListType(element=element, most=most):
            return listed([other_than_simplest(element, rank // (most + 1))] * (rank % (most + 1)))
        case _:
            least = simplest(type_)
            value = coerce(least + rank, type_) if not isinstance(least, str) else least
            return value if in_range(value, type_) else least


def _initial(program: Program) -> dict[str, Value]:
    return {v.name: simplest(v.type) if v.initial is None else v.initial for v in program.variables}


def _by_location(items: Iterable[_Item], location: Callable[[_Item], str]) -> dict[str, list[_Item]]:
    found: dict[str, list[_Item]] = {}
    for item in items:
        found.setdefault(location(item), []).append(item)
    return found
