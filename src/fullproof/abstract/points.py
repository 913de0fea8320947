"""Valuations worth trying before a solver is asked: on, beside and between the thresholds of expressions.

They save searches, and their numbers are rounder than those of a solver. Correctness does not depend on them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any, TypeVar

from fullproof.abstract.numbers import between, is_round, rounder
from fullproof.core.errors import Bug
from fullproof.language.assumptions import Assumptions
from fullproof.language.compile import compile_expression
from fullproof.language.scope import Scope
from fullproof.language.syntax import Binary, Comparison, Expression
from fullproof.language.traversal import free_names, nodes
from fullproof.language.type_inference import comparison_type
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, Value, Variable
from fullproof.language.values import coerce, in_range

MOST_INPUTS = 2_000
MOST_COMPLETIONS = 64
"""How many outputs are tried for one input."""
_NEAR = 24

Values = dict[str, Value]
_Difference = Callable[[Mapping[str, Any]], Any]


class BoundaryPoints:
    """Valuations near the thresholds of some expressions, inputs before outputs; inputs satisfy the assumptions."""

    def __init__(
        self, expressions: Iterable[Expression], scope: Scope, inputs: Sequence[Variable], outputs: Sequence[Variable]
    ) -> None:
        self._inputs, self._outputs = tuple(inputs), tuple(outputs)
        self._differences = _differences((*expressions, *scope.assumptions), scope, (*inputs, *outputs))
        self._assumed = Assumptions(scope)

    def inputs(self) -> list[Values]:
        """Valuations of the inputs."""
        found = self._extended([{}], self._inputs, most=MOST_INPUTS)
        return [given for given in found if self._assumed.keep(given)]

    def completed(self, given: Mapping[str, Value]) -> list[Values]:
        """Valuations of inputs and outputs with these inputs."""
        start = {variable.name: given[variable.name] for variable in self._inputs}
        return self._extended([start], self._outputs, most=MOST_COMPLETIONS)

    def all(self, *, most: int) -> Iterator[Values]:
        """Valuations of inputs and outputs, about ``most`` at most."""
        inputs = self.inputs()
        if not inputs:
            return
        each = len(self.completed(inputs[0]))
        for given in _thinned(inputs, max(2, most // each)):
            points = self.completed(given)
            yield from points
            most -= len(points)
            if most < 0:
                return

    def near(self, given: Mapping[str, Value]) -> Iterator[Values]:
        """Inputs with rounder numbers than these, not far away; nothing where they are round already."""
        known = {v.name: given[v.name] for v in self._inputs}
        numbers = {name: value for name, value in known.items() if isinstance(value, Fraction)}
        if all(is_round(number) for number in numbers.values()):
            return
        ways = {name: list(islice(rounder(number), _NEAR)) for name, number in numbers.items()}
        for k in range(_NEAR):
            values = {**known, **{name: way[min(k, len(way) - 1)] for name, way in ways.items()}}
            if all(in_range(values[v.name], v.type) for v in self._inputs) and self._assumed.keep(values):
                yield values

    def _extended(self, start: list[Values], variables: Sequence[Variable], *, most: int) -> list[Values]:
        """Every valuation with every candidate for the next variable; thinned out evenly where that is too many."""
        points = start
        for variable in variables:
            wider = [(point, self._candidates(variable, point)) for point in points]
            share = max(2, most // len(points))
            points = [{**point, variable.name: value} for point, found in wider for value in _thinned(found, share)]
        return points[:most]

    def _candidates(self, variable: Variable, point: Values) -> list[Value]:
        match variable.type:
            case BoolType():
                return [False, True]
            case EnumType(values=values):
                return list(values)
            case IntType(low=low, high=high):
                roots = self._roots(variable, point)
                around = {math.floor(r) + d for r in roots for d in (-1, 0, 1, 2)}
                ends = [low, high, *around]
                return [int(n) for n in _spread({Fraction(n) for n in ends if n is not None}, variable.type)]
            case RealType(low=low, high=high):
                return list(
                    _spread({*self._roots(variable, point), *(b for b in (low, high) if b is not None)}, variable.type)
                )
            case ListType():
                raise Bug("only a machine of kind sts has lists")

    def _roots(self, variable: Variable, point: Values) -> set[Fraction]:
        """The values at which the two sides of comparisons are equal, where their difference is linear."""
        found: set[Fraction] = set()
        for difference in self._differences[variable.name]:
            f0, f1, f2 = (Fraction(difference({**point, variable.name: coerce(n, variable.type)})) for n in (0, 1, 2))
            if f1 != f0 and f2 - f1 == f1 - f0:
                found.add(f0 / (f0 - f1))
        return found


def _differences(
    expressions: Iterable[Expression], scope: Scope, variables: Sequence[Variable]
) -> dict[str, list[_Difference]]:
    """For each variable, left minus right of the comparisons in which it is the last variable to get a value."""
    order = {variable.name: k for k, variable in enumerate(variables)}
    found: dict[str, dict[Expression, _Difference]] = {name: {} for name in order}
    for node in (node for expression in expressions for node in nodes(expression)):
        if not isinstance(node, Comparison) or not isinstance(comparison_type(node, scope), IntType | RealType):
            continue
        for left, right in zip(node.operands, node.operands[1:], strict=False):
            difference = Binary("-", left, right)
            last = max((free_names(difference) & order.keys()), key=order.__getitem__, default=None)
            if last is not None and difference not in found[last]:
                found[last][difference] = compile_expression(difference, scope)
    return {name: list(those.values()) for name, those in found.items()}


def _spread(marks: set[Fraction], type_: IntType | RealType) -> list[Fraction]:
    """The marks within the type, and a round number on either side of each."""
    inside = sorted(mark for mark in marks if in_range(int(mark) if isinstance(type_, IntType) else mark, type_))
    gaps: list[Fraction] = []
    if not inside or type_.low is None:
        gaps.append(between(None, inside[0] if inside else None))
    gaps += [between(low, high) for low, high in pairwise(inside)]
    if inside and type_.high is None:
        gaps.append(between(inside[-1], None))
    if isinstance(type_, IntType):
        gaps = [gap for gap in gaps if gap.denominator == 1]
    return sorted({*inside, *gaps})


_Item = TypeVar("_Item")


def _thinned(values: Sequence[_Item], most: int) -> list[_Item]:
    if len(values) <= most:
        return list(values)
    return [values[k * (len(values) - 1) // (most - 1)] for k in range(most)]
