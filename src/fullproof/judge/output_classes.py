"""The classes of outputs that satisfy a transition: I/O classes at a given input.

Two outputs are of one class iff the same output expressions hold for them, those of the model and of its fault domain:
a system of the fault domain may give one class and not the other (paper 000, section 5.4).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import NamedTuple, TypeAlias

from fullproof.language.box import Choices, Lists, Side, box_of
from fullproof.language.compile import compile_expression
from fullproof.language.printer import to_text
from fullproof.language.residual import residual
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import conjunction
from fullproof.language.substitute import literal
from fullproof.language.syntax import Boolean, Comparison, Expression, Name, Unary
from fullproof.language.types import BoolType, EnumType, IntType, Value, Variable
from fullproof.model import Sfsm
from fullproof.smt import Sat, Solver, Unknown, Unsat, open_solver

Signs: TypeAlias = tuple[bool, ...]
"""For each output expression, whether it holds."""

_SOLVER_TIMEOUT = 5.0
_SMALL = 16
_GRID = 512
"""Outputs that are sampled to estimate the share of an answer that a class covers."""
_FEW = 256
"""Up to this many outputs are enumerated instead of solved for."""


class Ways(NamedTuple):
    """The classes in which a transition can answer an input, and whether a solver could decide all of them."""

    classes: tuple[Signs, ...]
    is_certain: bool = True


class OutputClasses:
    """The output expressions of a model and its fault domain."""

    def __init__(self, model: Sfsm, scope: Scope) -> None:
        self._scope, self._outputs = scope, model.outputs
        listed = [t.output for t in model.transitions] + list(model.description.fault_domain.outputs)
        self.expressions: tuple[Expression, ...] = tuple(dict.fromkeys(listed))
        self.is_small = all(_number_of_values(variable) <= _SMALL for variable in model.outputs)
        """Whether outputs have so few values that a system may be expected to show all that it can give."""
        self._holds = [compile_expression(expression, scope) for expression in self.expressions]

    def signs(self, values: Mapping[str, Value]) -> Signs:
        """The class of inputs and outputs."""
        return tuple([holds(values) is True for holds in self._holds])

    def ways(self, output: Expression, inputs: Mapping[str, Value]) -> Ways:
        """The classes of all outputs that satisfy an expression, given the inputs."""
        box = box_of(output, self._scope, inputs, self._outputs)
        if box is not None:
            if box.is_empty():
                return Ways(())
            points = [_points(side) for side in box.sides.values()]
            if math.prod(len(values) for values in points) in range(1, _FEW + 1):
                all_ = (dict(zip(box.sides, values, strict=True)) for values in product(*points))
                return Ways(tuple(dict.fromkeys(self.signs({**inputs, **values}) for values in all_)))
        return self._enumerated(output, inputs)

    def share(self, signs: Signs, output: Expression, inputs: Mapping[str, Value]) -> float | None:
        """The estimated share of a class among all outputs that satisfy an expression; None where that has no meaning.

        Counted on a grid of values that lie inside of the ranges, so that a single value of a range has no share.
        """
        box = box_of(output, self._scope, inputs, self._outputs)
        if box is None or box.is_empty():
            return None
        each = max(2, round(_GRID ** (1 / max(1, len(box.sides)))))
        grid = [_grid(side, each) for side in box.sides.values()]
        if not all(grid):
            return None
        points = [dict(zip(box.sides, values, strict=True)) for values in product(*grid)]
        return sum(self.signs({**inputs, **values}) == signs for values in points) / len(points)

    def text(self, signs: Signs, among: Sequence[Signs], output: Expression, inputs: Mapping[str, Value]) -> str:
        """A class among others of one transition, as text: its output expression, and enough to distinguish it from the
        others.
        """
        parts = [residual(output, self._scope, inputs)]
        others = [other for other in among if other != signs]
        while others:
            place = max(range(len(signs)), key=lambda k: sum(other[k] != signs[k] for other in others))
            others = [other for other in others if other[place] == signs[place]]
            left = residual(self.expressions[place], self._scope, inputs)
            parts.append(left if signs[place] else Unary("not", left))
        return to_text(conjunction(parts))

    def _enumerated(self, output: Expression, inputs: Mapping[str, Value]) -> Ways:
        open_ = [
            place
            for place, expression in enumerate(self.expressions)
            if not isinstance(residual(expression, self._scope, inputs), Boolean)
        ]
        solver = open_solver(self._scope, timeout=_SOLVER_TIMEOUT)
        solver.add(output, *(Comparison((Name(name), literal(value)), ("==",)) for name, value in inputs.items()))
        tests = [self._holds[place] for place in open_]
        search = _Search(solver, [self.expressions[place] for place in open_], tests, self.signs)
        search.visit(0, None)
        return Ways(tuple(dict.fromkeys(search.found)), not search.is_lost)


@dataclass(slots=True)
class _Search:
    """A tree with one level per expression; values found so far decide one branch of each node without a query."""

    solver: Solver
    expressions: list[Expression]
    tests: Sequence[Callable[[Mapping[str, Value]], object]]
    signs: Callable[[Mapping[str, Value]], Signs]
    found: list[Signs] = field(default_factory=list)
    is_lost: bool = False

    def visit(self, depth: int, model: Mapping[str, Value] | None) -> None:
        """All classes below a node."""
        if model is None:
            match self.solver.check():
                case Sat(values):
                    model = values
                case Unsat():
                    return
                case Unknown():
                    self.is_lost = True
                    return
        if depth == len(self.expressions):
            self.found.append(self.signs(model))
            return
        expression = self.expressions[depth]
        for negated in (False, True):
            self.solver.push()
            self.solver.add(Unary("not", expression) if negated else expression)
            inside = (self.tests[depth](model) is True) != negated
            self.visit(depth + 1, model if inside else None)
            self.solver.pop()


def _number_of_values(variable: Variable) -> float:
    match variable.type:
        case BoolType():
            return 2
        case EnumType(values):
            return len(values)
        case IntType(int(low), int(high)):
            return high - low + 1
        case _:
            return math.inf


def _grid(side: Side, number: int) -> Sequence[Value]:
    """Values spread evenly over a side, without its ends; none where it is unbounded."""
    if isinstance(side, Choices):
        return side.values
    if isinstance(side, Lists) or side.low is None or side.high is None:
        return ()
    low, high = side.low, side.high
    if side.whole:
        few = math.floor(high) - math.ceil(low) + 1
        steps = range(few) if few <= number else (few * (2 * k + 1) // (2 * number) for k in range(number))
        return [math.ceil(low) + step for step in steps]
    return [low] if low == high else [low + (high - low) * Fraction(2 * k + 1, 2 * number) for k in range(number)]


def _points(side: Side) -> Sequence[Value]:
    """All values of a side where they are few, else none."""
    if isinstance(side, Choices):
        return side.values
    if isinstance(side, Lists) or side.low is None or side.high is None:
        return ()
    if side.low == side.high:
        return (int(side.low) if side.whole else side.low,)
    if side.whole and side.high - side.low < _FEW:
        return range(math.ceil(side.low), math.floor(side.high) + 1)
    return ()
