"""Conjunctions that bound each variable by itself (``y == 2 + x / 100 and 0 <= z < x``), solved without a solver.

Once some variables have values, most output expressions of most models have this shape for the others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from fullproof.language.evaluate import COMPARE, raw_value
from fullproof.language.lists import Listed
from fullproof.language.scope import Scope
from fullproof.language.syntax import MIRRORED, Binary, Comparison, ComparisonOperator, Expression, Name, Unary
from fullproof.language.traversal import free_names
from fullproof.language.type_inference import comparison_type
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, Value, Variable
from fullproof.language.values import in_range


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Numbers between two bounds; None is no bound. ``whole`` leaves out what is not an integer, and has closed
    ends.
    """

    low: Fraction | None = None
    high: Fraction | None = None
    low_open: bool = False
    high_open: bool = False
    whole: bool = False

    def is_empty(self) -> bool:
        """Return whether no number is left."""
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, int | Fraction) or (self.whole and Fraction(value).denominator != 1):
            return False
        above = self.low is None or value > self.low or (value == self.low and not self.low_open)
        return above and (self.high is None or value < self.high or (value == self.high and not self.high_open))


@dataclass(frozen=True, slots=True)
class Choices:
    """Some values of an enum or of bool, in their order."""

    values: tuple[Value, ...]

    def is_empty(self) -> bool:
        """Return whether no value is left."""
        return not self.values

    def __contains__(self, value: object) -> bool:
        return value in self.values


@dataclass(frozen=True, slots=True)
class Lists:
    """All lists of a type: there is always one, the empty list."""

    type: ListType

    def is_empty(self) -> bool:
        """Return whether no list is left."""
        return False

    def __contains__(self, value: object) -> bool:
        return isinstance(value, Listed) and in_range(value, self.type)


Side: TypeAlias = Interval | Choices | Lists


@dataclass(frozen=True, slots=True)
class Box:
    """One set of values for each variable; ``contradiction`` where an empty box has no variable to show it."""

    sides: Mapping[str, Side]
    contradiction: bool = False

    def is_point(self) -> bool:
        """Return whether at most one value of each variable is left."""
        return all(
            (isinstance(side, Interval) and side.low is not None and side.low == side.high)
            or (isinstance(side, Choices) and len(side.values) <= 1)
            for side in self.sides.values()
        )

    def is_empty(self) -> bool:
        """Return whether nothing is left."""
        return self.contradiction or any(side.is_empty() for side in self.sides.values())


def box_of(
    expression: Expression, scope: Scope, values: Mapping[str, Value], unknowns: tuple[Variable, ...]
) -> Box | None:
    """Return exactly the values of ``unknowns`` within their types that satisfy the expression, as one set each.

    None where the expression does not have the shape. Needs: well typed in the scope, ``values`` for all other
    variables.
    """
    if not unknowns:
        return Box({}, contradiction=raw_value(expression, scope, values) is not True)
    sides = {v.name: whole_type(v) for v in unknowns}
    return Box(sides) if _narrow(expression, True, _Frame(scope, values), sides) else None


@dataclass(frozen=True, slots=True)
class _Frame:
    scope: Scope
    values: Mapping[str, Value]


def whole_type(variable: Variable) -> Side:
    """All values of a type."""
    match variable.type:
        case BoolType():
            return Choices((False, True))
        case EnumType(values):
            return Choices(values)
        case IntType(low, high):
            return Interval(low=_fraction(low), high=_fraction(high), whole=True)
        case RealType(low, high):
            return Interval(low=low, high=high)
        case ListType():
            return Lists(variable.type)


def _fraction(value: int | None) -> Fraction | None:
    return None if value is None else Fraction(value)


def _narrow(node: Expression, wanted: bool, frame: _Frame, sides: dict[str, Side]) -> bool:
    """Restrict the sides to the values for which the node has the wanted truth value; False where that is not a box."""
    if not free_names(node) & sides.keys():
        if raw_value(node, frame.scope, frame.values) is not wanted:
            _empty(sides)
        return True
    match node:
        case Name():
            side = sides[node.name]
            assert isinstance(side, Choices)  # well typed: a condition that is a name is a bool
            sides[node.name] = Choices(tuple(v for v in side.values if v is wanted))
            return True
        case Unary(operator="not"):
            return _narrow(node.operand, not wanted, frame, sides)
        case Binary(operator="and") if wanted:
            return _narrow(node.left, True, frame, sides) and _narrow(node.right, True, frame, sides)
        case Binary(operator="or") if not wanted:
            return _narrow(node.left, False, frame, sides) and _narrow(node.right, False, frame, sides)
        case Comparison() if wanted:
            type_ = comparison_type(node, frame.scope)
            ranks = _ranks(type_.values) if isinstance(type_, EnumType) else None
            links = zip(node.operands, node.operators, node.operands[1:], strict=False)
            return all(_narrow_by(_Link(a, o, b, ranks), frame, sides) for a, o, b in links)
        case _:
            return False


@dataclass(frozen=True, slots=True)
class _Link:
    """Two neighbours in a chain; ``ranks`` orders the values of the chain's enum type, which one neighbour alone may
    not determine.
    """

    left: Expression
    operator: ComparisonOperator
    right: Expression
    ranks: Mapping[Value, int] | None


def _narrow_by(link: _Link, frame: _Frame, sides: dict[str, Side]) -> bool:
    unknown = [bool(free_names(operand) & sides.keys()) for operand in (link.left, link.right)]
    if not any(unknown):
        values = [raw_value(operand, frame.scope, frame.values) for operand in (link.left, link.right)]
        a, b = (link.ranks[value] for value in values) if link.ranks is not None else values
        if not COMPARE[link.operator](a, b):
            _empty(sides)
        return True
    mine, operator, other = link.left, link.operator, link.right
    if unknown[1]:
        mine, operator, other = link.right, MIRRORED[link.operator], link.left
    if all(unknown) or not isinstance(mine, Name):
        return False
    narrowed = _cut(sides[mine.name], operator, raw_value(other, frame.scope, frame.values), link.ranks)
    if narrowed is not None:
        sides[mine.name] = narrowed
    return narrowed is not None


def _empty(sides: dict[str, Side]) -> None:
    for name in sides:
        sides[name] = Choices(())


def _cut(side: Side, operator: str, value: Value, ranks: Mapping[Value, int] | None) -> Side | None:
    """The part of a side that is in a relation to a value, or None where it has a hole."""
    if isinstance(value, Listed):
        if operator == "==":
            return Choices((value,) if value in side else ())
        left = Choices(tuple(v for v in side.values if v != value)) if isinstance(side, Choices) else None
        return side if value not in side else left
    if isinstance(side, Choices):
        ranks = _ranks((False, True)) if ranks is None else ranks
        bound = ranks[value] if side.values else 0
        return Choices(tuple(v for v in side.values if COMPARE[operator](ranks[v], bound)))
    if operator == "!=":
        return side if value not in side else None
    assert not isinstance(value, str) and not isinstance(side, Lists)  # well typed
    cut = side
    if operator in ("==", ">", ">="):
        cut = _raise_low(cut, Fraction(value), operator == ">")
    if operator in ("==", "<", "<="):
        cut = _lower_high(cut, Fraction(value), operator == "<")
    return cut


def _ranks(values: tuple[Value, ...]) -> dict[Value, int]:
    return {value: rank for rank, value in enumerate(values)}


def _raise_low(side: Interval, bound: Fraction, strict: bool) -> Interval:
    if side.whole:
        bound, strict = Fraction(math.floor(bound) + 1 if strict else math.ceil(bound)), False
    if side.low is not None and (bound < side.low or (bound == side.low and not strict)):
        return side
    return replace(side, low=bound, low_open=strict)


def _lower_high(side: Interval, bound: Fraction, strict: bool) -> Interval:
    if side.whole:
        bound, strict = Fraction(math.ceil(bound) - 1 if strict else math.floor(bound)), False
    if side.high is not None and (bound > side.high or (bound == side.high and not strict)):
        return side
    return replace(side, high=bound, high_open=strict)
