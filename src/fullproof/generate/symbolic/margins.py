"""How far apart outputs are, in units of their tolerances.

A judge accepts an output that is no farther than its tolerance t from one that the model allows. So an exact system
that takes another output expression is noticed at inputs where the two are more than t apart, and a system that is
itself off by up to t where they are more than 2 t apart: a wrong output is then still more than t from any right one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from fractions import Fraction
from typing import TypeAlias

from fullproof.language.box import Box, Choices, Interval, Side
from fullproof.language.shallow_trees import conjunction
from fullproof.language.substitute import literal
from fullproof.language.syntax import Binary, Call, Comparison, Expression, Unary
from fullproof.language.types import Variable

MOST_STEPS = 12
GROWTHS = (Fraction(2), Fraction(3, 2), Fraction(5, 4), Fraction(9, 8))
"""How many times larger distances are requested from the solver."""


Distance: TypeAlias = Fraction | float
"""A number of tolerances; infinity is the only float."""


class Margin(IntEnum):
    """A lower bound on the distance, in tolerances, of all outputs that must be distinguished."""

    NONE = 0
    ONCE = 1
    TWICE = 2


def apart(
    outputs: Sequence[Variable], one: Mapping[str, Expression], other: Mapping[str, Expression], factor: Fraction
) -> Expression:
    """The condition that two answers differ, by more than ``factor`` tolerances where outputs have one."""
    return Unary("not", conjunction(_near(v, one[v.name], other[v.name], factor) for v in outputs))


def distance(outputs: Iterable[Variable], one: Box, other: Box) -> Distance:
    """How many tolerances the nearest values of two sets of answers are apart.

    Infinite where an output without a tolerance is never the same. Needs: ``one`` is not empty.
    A pair without an answer is infinitely far away.
    """
    if other.is_empty():
        return math.inf
    largest = Fraction(0)
    for v in outputs:
        gap = _gap(one.sides[v.name], other.sides[v.name])
        if gap is None or (gap and not v.tolerance):
            return math.inf
        if v.tolerance:
            largest = max(largest, gap / v.tolerance)
    return largest


def _gap(one: Side, other: Side) -> Fraction | None:
    """The distance of two sets of numbers; of others None where they have nothing in common, else 0."""
    if isinstance(one, Interval) and isinstance(other, Interval):
        above = [a.low - b.high for a, b in ((one, other), (other, one)) if a.low is not None and b.high is not None]
        return max([*above, Fraction(0)])
    shared = isinstance(one, Choices) and any(value in other for value in one.values)
    return Fraction(0) if shared else None


def _near(variable: Variable, one: Expression, other: Expression, factor: Fraction) -> Expression:
    if not variable.tolerance:
        return Comparison((one, other), ("==",))
    return Comparison((Call("abs", (Binary("-", one, other),)), literal(factor * variable.tolerance)), ("<=",))
