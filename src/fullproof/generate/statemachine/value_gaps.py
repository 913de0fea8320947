"""How far values are from a condition, so that a search can come nearer to it (branch distance: Tracey et al. 1998)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

from fullproof.language.compile import compile_expression
from fullproof.language.formulas import links, negation, opposite
from fullproof.language.scope import Scope
from fullproof.language.syntax import Binary, Comparison, Expression, Unary
from fullproof.language.types import Value

Gap: TypeAlias = Callable[[Mapping[str, Value]], Fraction]
"""0 where the condition holds, else more than that."""


def gap_of(condition: Expression, scope: Scope) -> Gap:
    """Sums for conjunctions, minima for disjunctions, differences for comparisons of numbers, else 0 or 1."""
    match condition:
        case Binary("and", left, right):
            return _joined(sum, gap_of(left, scope), gap_of(right, scope))
        case Binary("or", left, right):
            return _joined(min, gap_of(left, scope), gap_of(right, scope))
        case Unary("not", Binary("and", left, right)):
            return gap_of(Binary("or", negation(left), negation(right)), scope)
        case Unary("not", Binary("or", left, right)):
            return gap_of(Binary("and", negation(left), negation(right)), scope)
        case Unary("not", Comparison(operators=(_,)) as compared):
            return gap_of(opposite(compared), scope)
        case Comparison(operators=(_,)):
            return _difference(condition, scope)
        case Comparison():
            parts = [_difference(one, scope) for one in links(condition)]
            return lambda values: sum((part(values) for part in parts), Fraction(0))
        case _:
            holds = compile_expression(condition, scope)
            return lambda values: Fraction(not holds(values))


def _joined(join: Callable[[tuple[Fraction, Fraction]], Fraction | int], left: Gap, right: Gap) -> Gap:
    return lambda values: Fraction(join((left(values), right(values))))


def _difference(comparison: Comparison, scope: Scope) -> Gap:
    holds = compile_expression(comparison, scope)
    left, right = (compile_expression(side, scope) for side in comparison.operands)

    def gap(values: Mapping[str, Value]) -> Fraction:
        if holds(values):
            return Fraction(0)
        one, other = left(values), right(values)
        if isinstance(one, int | Fraction) and isinstance(other, int | Fraction):
            return abs(Fraction(one) - Fraction(other)) or Fraction(1)
        return Fraction(1)

    return gap
