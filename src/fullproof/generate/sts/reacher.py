"""Concrete runs to goals that the symbolic search did not reach, such as counters that have to run up or down.

A best-first search as in search-based testing (Korel 1990; Tracey et al. 1998): the cost of a state is its branch
distance to the guard of the goal's switch and the number of switches from its location to that switch. Every second
state is taken in order of discovery, so that a misleading guard does not hide near goals.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from fractions import Fraction
from heapq import heappop, heappush

from fullproof.analysis.sts_knowledge import Position
from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.analysis.sts_successors import Cell, StateCells, Successors, SwitchTaken
from fullproof.artefacts.purposes import SwitchLetter
from fullproof.generate.sts.exploration import Path
from fullproof.generate.sts.goals import Goals, ends_of
from fullproof.language.compile import compile_expression
from fullproof.language.formulas import FALSE
from fullproof.language.scope import Scope
from fullproof.language.syntax import Binary, Comparison, Expression, Unary
from fullproof.language.traversal import free_names
from fullproof.language.types import Value
from fullproof.model.sts import Sts

STATES = 2500
"""States that one search may visit."""
ALL_STATES = 10_000
"""States that all searches for one suite may visit."""

Distance = Callable[[Mapping[str, Value]], float]
Trail = tuple["Trail", SwitchLetter, int] | None
"""The letters back to the beginning, and how many they are."""


class Reacher:
    """Searches for goals one by one; a run to one of them often passes others."""

    def __init__(self, model: Sts, goals: Goals) -> None:
        self._semantics = StsSemantics(model)
        self._goals = goals
        self._cells = StateCells(model)
        self._successors = Successors(self._semantics, self._cells)
        self._distances = _distances(model)
        self.looked = 0
        start = next(iter(self._semantics.start().routes))
        self._seeds: list[tuple[Position, Trail]] = [(start, None)]
        """The starting points of searches: the initial state, and the state after each goal that was found."""

    def reach(self) -> dict[str, Path]:
        """A path to each goal that is found, not necessarily a shortest one."""
        missing, switch_of = list(self._goals.names), ends_of(self._semantics.model, self._goals)
        found: dict[str, Path] = {}
        known = -1
        while known < len(found) < len(missing) and self.looked < ALL_STATES:
            known = len(found)
            for goal in missing:
                if goal not in found and goal in switch_of and self.looked < ALL_STATES:
                    self._search(switch_of[goal], goal, set(missing), found)
        return found

    def _search(self, wanted: int, goal: str, missing: set[str], found: dict[str, Path]) -> None:
        semantics = self._semantics
        far = self._distances[semantics.compiled[wanted].switch.source]
        lacks = _lack(semantics.model, wanted)
        best: list[tuple[float, float, int, Position, Trail]] = []
        queue: deque[tuple[Position, Trail]] = deque()
        seen: set[tuple[Cell, int | None]] = set()
        closed: set[tuple[Cell, int | None]] = set()

        def add(position: Position, trail: Trail) -> None:
            key = (self._cells.of(position), trail[1].switch if trail and self._goals.remembers else None)
            if key not in seen and position.location in far:
                seen.add(key)
                lack = lacks(semantics.given(position))
                heappush(best, (lack, far[position.location], len(seen), position, trail))
                queue.append((position, trail))

        for seed in self._seeds:
            add(*seed)
        for turn in range(STATES):
            if not best or not queue:
                return
            position, trail = heappop(best)[3:] if turn % 2 else queue.popleft()
            key = (self._cells.of(position), trail[1].switch if trail and self._goals.remembers else None)
            if key in closed:
                continue
            closed.add(key)
            self.looked += 1
            for step in self._successors.of(position):
                for letter in self._letters(step, position):
                    longer = (trail, letter, 1 if trail is None else trail[2] + 1)
                    reached = self._goals.reached(trail[1].switch if trail else None, letter)
                    if reached in missing and reached not in found:
                        found[reached] = _path(longer)
                        self._seeds.append((step.target, longer))
                        if reached == goal:
                            return
                    if letter.condition is None:
                        add(step.target, longer)

    def _letters(self, step: SwitchTaken, position: Position) -> list[SwitchLetter]:
        """The letters of the goals that a step is an instance of, the plain one first."""
        compiled = self._semantics.compiled[step.number]
        given = self._semantics.given(position)
        given.update(zip((p.name for p in compiled.parameters), step.values, strict=True))
        edges = [letter for letter in self._goals.letters[step.number] if letter.condition is not None]
        met = [k for k in edges if k.condition and compile_expression(k.condition, compiled.scope)(given)]
        return [SwitchLetter(step.number), *met]


def _path(trail: Trail) -> Path:
    found: list[SwitchLetter] = []
    while trail is not None:
        found.append(trail[1])
        trail = trail[0]
    return tuple(reversed(found))


def _distances(model: Sts) -> dict[str, dict[str, int]]:
    """For each location, the number of switches to it from the others, regardless of guards."""
    before: dict[str, set[str]] = {location: set() for location in model.states}
    for switch in model.transitions:
        before[switch.target].add(switch.source)
    found = {}
    for location in model.states:
        far, queue = {location: 0}, deque([location])
        while queue:
            here = queue.popleft()
            for other in sorted(before[here] - far.keys()):
                far[other] = far[here] + 1
                queue.append(other)
        found[location] = far
    return found


def _lack(model: Sts, number: int) -> Distance:
    """The branch distance to the part of a guard that refers to variables alone."""
    scope = Scope(model.variables, {c.name: c.value for c in model.description.constants})
    known = {v.name for v in model.variables} | {c.name for c in model.description.constants}

    def lack(node: Expression, *, wanted: bool) -> Distance:
        match node:
            case Unary("not", operand):
                return lack(operand, wanted=not wanted)
            case Binary("and" | "or", left, right):
                parts = [lack(left, wanted=wanted), lack(right, wanted=wanted)]
                both = (node.operator == "and") == wanted
                return lambda given: (sum if both else min)(part(given) for part in parts)
            case _ if not free_names(node) <= known:
                return lambda _: 0.0
            case Comparison(operands=(left, right)):
                holds = compile_expression(node, scope)
                sides = compile_expression(left, scope), compile_expression(right, scope)
                return lambda given: 0.0 if bool(holds(given)) == wanted else _gap(*(side(given) for side in sides))
            case _:
                holds = compile_expression(node, scope)
                return lambda given: 0.0 if bool(holds(given)) == wanted else 1.0

    guard = model.transitions[number].guard
    return lack(guard, wanted=True) if guard != FALSE else lambda _: 0.0


def _gap(one: Value, other: Value) -> float:
    numbers = all(isinstance(value, int | Fraction) and not isinstance(value, bool) for value in (one, other))
    return 1.0 + float(min(abs(one - other), 10**9)) if numbers else 1.0  # type: ignore[operator]
