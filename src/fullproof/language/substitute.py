"""Replacing names by expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from fullproof.language.lists import Listed
from fullproof.language.strings import StringValue
from fullproof.language.syntax import (
    Binary,
    Boolean,
    Call,
    Comparison,
    Conditional,
    Decimal,
    Expression,
    Integer,
    Name,
    Quoted,
    Temporal,
    Unary,
)
from fullproof.language.types import Value


def substitute(expression: Expression, replacements: Mapping[str, Expression]) -> Expression:
    """Return the expression with every name in ``replacements`` replaced, all at once; the rest stays shared."""
    match expression:
        case Name():
            return replacements.get(expression.name, expression)
        case Boolean() | Integer() | Decimal():
            return expression
        case Unary():
            return replace(expression, operand=substitute(expression.operand, replacements))
        case Binary():
            left, right = substitute(expression.left, replacements), substitute(expression.right, replacements)
            return replace(expression, left=left, right=right)
        case Comparison() | Temporal():
            return replace(expression, operands=_each(expression.operands, replacements))
        case Call():
            return replace(expression, arguments=_each(expression.arguments, replacements))
        case Conditional():
            parts = (expression.condition, expression.then, expression.otherwise)
            return Conditional(*_each(parts, replacements), at=expression.at)


def _each(parts: tuple[Expression, ...], replacements: Mapping[str, Expression]) -> tuple[Expression, ...]:
    return tuple(substitute(part, replacements) for part in parts)


def literal(value: Value) -> Expression:
    """Return an expression that stands for the value and prints as text that can be parsed."""
    match value:
        case bool():
            return Boolean(value)
        case Listed():
            return Call("list", tuple(literal(item) for item in value.items))
        case str():
            return Name(value)
        case StringValue():
            return Quoted(value)
        case int() | Fraction() if value < 0:
            return Unary("-", literal(-value))
        case int():
            return Integer(value)
        case Fraction():
            return _rational(value)


def _rational(value: Fraction) -> Expression:
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest == 1:
        return Decimal(value)
    return Binary("/", Integer(value.numerator), Integer(value.denominator))
