"""Random outputs that satisfy an output expression: computed directly where each output is bounded by itself, else
solved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from random import Random
from typing import Protocol

from fullproof.execute.sut import SutError
from fullproof.language.box import Box, Choices, Interval, Lists, Side, box_of, whole_type
from fullproof.language.lists import listed
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import Binary, Comparison, Expression, Name, Unary
from fullproof.language.types import ListType, Value, Variable
from fullproof.language.values import coerce
from fullproof.smt import Sat, Solver, Unknown, Unsat, open_solver, pushed

_POOL = 8
_SOLVER_TIMEOUT = 5.0
_PARTS = 16


class OutputSet(Protocol):
    """The outputs of a transition for one input."""

    def draw(self, random: Random) -> Mapping[str, Value] | None:
        """One answer, or None where there is none."""


class OutputFinder:
    """Finds what output expressions allow; opens a solver when the first of them needs one."""

    def __init__(self, scope: Scope, outputs: tuple[Variable, ...]) -> None:
        self._scope = scope
        self._outputs = outputs
        self._solver: Solver | None = None

    def find(self, expression: Expression, values: Mapping[str, Value]) -> OutputSet:
        """The answers that satisfy the expression once the inputs have values."""
        box = box_of(expression, self._scope, values, self._outputs)
        if box is not None:
            return _Boxed(box, self._outputs)
        return _Solved([expression, *(_equal(*pair) for pair in values.items())], self._outputs, self._open)

    def _open(self) -> Solver:
        if self._solver is None:
            self._solver = open_solver(self._scope, timeout=_SOLVER_TIMEOUT)
        return self._solver


class _Boxed:
    def __init__(self, box: Box, outputs: tuple[Variable, ...]) -> None:
        self._box = box
        self._types = {v.name: v.type for v in outputs}
        self._is_empty = box.is_empty()

    def draw(self, random: Random) -> Mapping[str, Value] | None:
        if self._is_empty:
            return None
        return {name: coerce(_from_side(side, random), self._types[name]) for name, side in self._box.sides.items()}


def _from_side(side: Side, random: Random) -> Value:
    match side:
        case Choices(values):
            return values[0] if len(values) == 1 else random.choice(values)
        case Interval(whole=True):
            return _whole(side, random)
        case Interval():
            return _rational(side, random)
        case Lists(type=type_):
            return _any_list(type_, random)


def _any_list(type_: ListType, random: Random) -> Value:
    """A list of any length; numbers without bounds are small."""
    side = whole_type(Variable(name="", type=type_.element))
    length = random.randint(0, type_.most)
    return listed(coerce(_from_side(side, random), type_.element) for _ in range(length))


def _whole(side: Interval, random: Random) -> int:
    low, high = side.low, side.high
    if low is not None and high is not None:
        return random.randint(int(low), int(high))
    distance = random.randint(0, _PARTS)
    if low is not None:
        return int(low) + distance
    return int(high) - distance if high is not None else distance - _PARTS // 2


def _rational(side: Interval, random: Random) -> Fraction:
    """An end, or a point that divides the interval into few parts, so that it prints well."""
    low, high = side.low, side.high
    if low is not None and high is not None:
        if low == high:
            return low
        part = random.randint(1 if side.low_open else 0, _PARTS - 1 if side.high_open else _PARTS)
        return low + (high - low) * Fraction(part, _PARTS)
    distance = Fraction(random.randint(1, 4 * _PARTS), 4)
    if low is not None:
        return low + distance
    return high - distance if high is not None else distance - 2 * _PARTS


class _Solved:
    """A pool of different solutions, found at the first draw."""

    def __init__(
        self, conditions: list[Expression], outputs: tuple[Variable, ...], solver: Callable[[], Solver]
    ) -> None:
        self._conditions = conditions
        self._outputs = outputs
        self._solver = solver
        self._pool: list[Mapping[str, Value]] | None = None

    def draw(self, random: Random) -> Mapping[str, Value] | None:
        if self._pool is None:
            self._pool = self._solve()
        return random.choice(self._pool) if self._pool else None

    def _solve(self) -> list[Mapping[str, Value]]:
        pool: list[Mapping[str, Value]] = []
        with pushed(self._solver()) as solver:
            solver.add(*self._conditions)
            while len(pool) < _POOL:
                match solver.check():
                    case Sat(model):
                        pool.append({v.name: model[v.name] for v in self._outputs})
                        solver.add(_other_than(pool[-1]))
                    case Unsat():
                        break
                    case Unknown(reason):
                        if not pool:
                            raise SutError(f"the solver found no output of the model: {reason}")
                        break
        return pool


def _equal(name: str, value: Value) -> Expression:
    return Comparison((Name(name), literal(value)), ("==",))


def _other_than(values: Mapping[str, Value]) -> Expression:
    return Unary("not", reduce(lambda a, b: Binary("and", a, b), (_equal(*pair) for pair in values.items())))
