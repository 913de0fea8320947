"""Bounded symbolic search from concrete places: finds runs that need a particular value at a particular step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fullproof.check.running.exploration import Place, PlaceExploration
from fullproof.check.running.program import Definition, Goal, Program, ProgramEdge, renamed
from fullproof.check.solving.questions import Questions
from fullproof.core.deadline import Deadline
from fullproof.language.formulas import has_values, in_bounds
from fullproof.language.scope import Scope
from fullproof.language.substitute import substitute
from fullproof.language.syntax import Expression, Name
from fullproof.language.types import Value
from fullproof.smt.answers import Sat

DEPTH = 4
BRIEFLY = 60
LONGER = 300
"""The numbers of queries before and after an attempt to prove that nothing is left to find."""
SEEDS = 2
"""How many places of each location are starting points of the search."""


@dataclass(frozen=True, slots=True)
class _Path:
    """Edges from a place; ``names`` maps each variable to the name that holds its value at the end."""

    location: str
    edges: tuple[ProgramEdge, ...]
    names: Mapping[str, str]
    formulas: tuple[Expression, ...]


class LookAhead:
    """Searches from explored places for goals that the exploration has not met, and continues the exploration from
    there.
    """

    def __init__(
        self, program: Program, goals: Iterable[Goal], exploration: PlaceExploration, deadline: Deadline
    ) -> None:
        self._program = program
        self._exploration = exploration
        self._left = 0
        self._tried: set[Place] = set()
        own = {variable.name for variable in program.variables}
        free = [variable for variable in program.names(goals) if variable.name not in own]
        copies = [renamed(v, f"{v.name}@{k}") for k in range(DEPTH + 1) for v in free]
        self._copied = [variable.name for variable in free]
        self._questions = Questions(Scope((*program.variables, *copies), program.constants), deadline)
        self._bounds = {variable.name: variable.type for variable in program.variables}
        self._edges: dict[str, list[ProgramEdge]] = {}
        for edge in program.edges:
            self._edges.setdefault(edge.goal.location, []).append(edge)

    def run(self, questions: int) -> None:
        """Continue until everything is found, nothing is left to try, or the number of queries is reached."""
        self._left = questions
        while self._left > 0 and not self._exploration.finished:
            seed = next((place for place in self._seeds() if place not in self._tried), None)
            if seed is None:
                return
            self._from(seed)
            if self._left > 0:
                self._tried.add(seed)
            self._exploration.run()

    def _seeds(self) -> Iterator[Place]:
        """Places near to an open goal or edge."""
        distance = self._distances()
        for location, places in list(self._exploration.places.items()):
            if distance.get(location, DEPTH + 1) <= DEPTH:
                yield from places[:SEEDS]

    def _distances(self) -> dict[str, int]:
        """The number of edges from each location to the nearest one with an open goal or edge."""
        locations = {*self._edges, *(edge.target for edge in self._program.edges)}
        found = {
            location: 0
            for location in locations
            if self._exploration.open_goals(location) or self._exploration.open_edges(location)
        }
        for steps in range(1, DEPTH + 1):
            for edge in self._program.edges:
                if found.get(edge.target, DEPTH) == steps - 1:
                    found.setdefault(edge.goal.location, steps)
        return found

    def _from(self, seed: Place) -> None:
        fixed = has_values(self._exploration.values(seed).items())
        names = {variable.name: variable.name for variable in self._program.variables}
        paths = [_Path(seed[0], (), names, (fixed,))]
        distance = self._distances()
        for depth in range(DEPTH + 1):
            longer: list[_Path] = []
            for path in paths:
                self._try_goals(path, depth)
                for edge in self._edges.get(path.location, ()):
                    worthwhile = distance.get(edge.target, DEPTH) < DEPTH - depth
                    if worthwhile or self._exploration.is_open(edge):
                        longer += self._extended(path, edge, depth)
            paths = longer

    def _try_goals(self, path: _Path, depth: int) -> None:
        for goal in self._exploration.open_goals(path.location):
            model = self._attempt([*path.formulas, *self._at(goal, path.names, depth)])
            if model is not None:
                self._exploration.meet(goal, self._values(path.names, model, depth))
                self._found(path, model)

    def _extended(self, path: _Path, edge: ProgramEdge, depth: int) -> list[_Path]:
        formulas = [*path.formulas, *self._at(edge.goal, path.names, depth)]
        names = {v: f"{edge.updates[v]}@{depth}" if v in edge.updates else name for v, name in path.names.items()}
        for variable in edge.updates:
            formulas += in_bounds(Name(names[variable]), self._bounds[variable])
        model = self._attempt(formulas)
        if model is None:
            return []
        longer = _Path(edge.target, (*path.edges, edge), names, tuple(formulas))
        if self._exploration.is_open(edge):
            self._found(longer, model)
        return [longer]

    def _found(self, path: _Path, model: Mapping[str, Value]) -> None:
        for edge in path.edges:
            self._exploration.take(edge)
        values = {variable: model[name] for variable, name in path.names.items()}
        self._exploration.add(self._exploration.place(path.location, values))

    def _attempt(self, formulas: list[Expression]) -> Mapping[str, Value] | None:
        if self._left <= 0:
            return None
        self._left -= 1
        answer = self._questions.attempt(*formulas)
        return answer.model if isinstance(answer, Sat) else None

    def _at(self, goal: Goal, names: Mapping[str, str], depth: int) -> list[Expression]:
        """The goal's formulas in the names that hold at this depth."""
        local = {name: Name(f"{name}@{depth}") for name in self._copied}
        current = {variable: Name(name) for variable, name in names.items()} | local
        definitions = [
            Definition(renamed(d.variable, f"{d.variable.name}@{depth}"), substitute(d.expression, current)).equation
            for d in goal.definitions
        ]
        return [*definitions, substitute(goal.formula, current)]

    def _values(self, names: Mapping[str, str], model: Mapping[str, Value], depth: int) -> dict[str, Value]:
        """What every name of the program stands for at the end of a path."""
        values = {variable: model[name] for variable, name in names.items()}
        return values | {name: model[f"{name}@{depth}"] for name in self._copied}
