"""Limits that guards compare an expression with, and the guards in which one of them lies elsewhere.

A program often has a limit in one place, where a model has it in several guards: ``t < 35`` and ``t >= 35``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from fullproof.core.errors import UserError
from fullproof.language.evaluate import evaluate
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import Binary, Comparison, Expression, Unary
from fullproof.language.traversal import free_names, nodes


class GuardLimit(NamedTuple):
    """A number that an expression is compared with."""

    about: Expression
    number: Fraction


def limits_of(guards: Iterable[Expression], scope: Scope) -> tuple[GuardLimit, ...]:
    """The limits of some guards, each once."""
    comparisons = (node for guard in guards for node in nodes(guard) if isinstance(node, Comparison))
    return tuple(dict.fromkeys(limit for node in comparisons for _, limit in _places(node, scope)))


def moved(guard: Expression, limit: GuardLimit, number: Fraction, scope: Scope) -> Expression:
    """The guard with another number in place of a limit, wherever it has it."""
    match guard:
        case Comparison(operands=operands):
            places = {place for place, found in _places(guard, scope) if found == limit}
            new = literal(int(number) if number.denominator == 1 else number)
            return replace(guard, operands=tuple(new if k in places else e for k, e in enumerate(operands)))
        case Unary(operator="not", operand=operand):
            return replace(guard, operand=moved(operand, limit, number, scope))
        case Binary(operator="and" | "or" | "->", left=left, right=right):
            return replace(guard, left=moved(left, limit, number, scope), right=moved(right, limit, number, scope))
        case _:
            return guard


def _places(node: Comparison, scope: Scope) -> Iterator[tuple[int, GuardLimit]]:
    """Which operands of a comparison are limits."""
    for place, (left, right) in enumerate(pairwise(node.operands)):
        for at, fixed, about in ((place + 1, right, left), (place, left, right)):
            number = _number(fixed, scope)
            if number is not None and _number(about, scope) is None:
                yield at, GuardLimit(about, number)


def _number(expression: Expression, scope: Scope) -> Fraction | None:
    if free_names(expression) & {variable.name for variable in scope.variables}:
        return None
    try:
        value = evaluate(expression, scope, {})
    except UserError:
        return None
    return Fraction(value) if type(value) in (int, Fraction) else None
