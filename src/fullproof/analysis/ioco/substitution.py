"""Substitution of names by expressions, with constant folding, so that states stay small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from fullproof.language.evaluate import evaluate
from fullproof.language.formulas import FALSE, opposite
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import (
    TRUE,
    Binary,
    Boolean,
    Call,
    Comparison,
    Conditional,
    Decimal,
    Expression,
    Integer,
    Name,
    Unary,
)
from fullproof.language.traversal import children
from fullproof.language.types import Value

_CLOSED = Scope()


def instantiate(expression: Expression, replacements: Mapping[str, Expression]) -> Expression:
    """Return an expression with the same meaning once the names in ``replacements`` are replaced, all at once.

    Needs: every name is a variable (no constants, no enum values), not temporal.
    """
    match expression:
        case Name():
            return replacements.get(expression.name, expression)
        case Unary():
            return _folded(replace(expression, operand=instantiate(expression.operand, replacements)))
        case Binary():
            left, right = instantiate(expression.left, replacements), instantiate(expression.right, replacements)
            return _folded(replace(expression, left=left, right=right))
        case Comparison():
            operands = tuple(instantiate(part, replacements) for part in expression.operands)
            return _folded(replace(expression, operands=operands))
        case Call():
            arguments = tuple(instantiate(part, replacements) for part in expression.arguments)
            return _folded(replace(expression, arguments=arguments))
        case Conditional():
            condition = instantiate(expression.condition, replacements)
            if isinstance(condition, Boolean):
                return instantiate(expression.then if condition.value else expression.otherwise, replacements)
            then, otherwise = (instantiate(part, replacements) for part in (expression.then, expression.otherwise))
            return replace(expression, condition=condition, then=then, otherwise=otherwise)
        case _:
            return expression


def is_literal(expression: Expression) -> bool:
    """Return whether the expression is the text of one value, as ``literal`` writes it."""
    match expression:
        case Boolean() | Integer() | Decimal():
            return True
        case Call(function="list", arguments=arguments):
            return all(is_literal(argument) for argument in arguments)
        case Unary(operator="-", operand=operand):
            return is_literal(operand) and not isinstance(operand, Unary)
        case Binary(operator="/", left=Integer(), right=Integer(value=value)):
            return value != 0
        case _:
            return False


def value_of(expression: Expression) -> Value:
    """Return the value of an expression without variables."""
    return evaluate(expression, _CLOSED, {})


def _folded(node: Expression) -> Expression:
    if all(is_literal(child) for child in children(node)):
        return literal(value_of(node))
    match node:
        case Unary(operator="not"):
            return opposite(node.operand)
        case Binary(operator="and" | "or" | "->"):
            return _connective(node)
        case Binary(operator="+" | "-"):
            return _sum(node)
        case Comparison(operands=(left, right), operators=(operator,)) if left == right:
            return Boolean(operator in ("==", "<=", ">="))
        case _:
            return node


def _connective(node: Binary) -> Expression:
    left, right = node.left, node.right
    if node.operator == "->":
        return _connective(Binary("or", opposite(left), right))
    neutral, deciding = (TRUE, FALSE) if node.operator == "and" else (FALSE, TRUE)
    if deciding in (left, right) or left == opposite(right):
        return deciding
    if left in (neutral, right):
        return right
    return left if right == neutral else Binary(node.operator, left, right)


def _sum(node: Binary) -> Expression:
    """``x + 2 - 1`` as ``x + 1``, so that counters that have returned to an earlier value are recognised."""
    if node.operator == "+" and is_literal(node.left):
        return _sum(Binary("+", node.right, node.left))
    if not is_literal(node.right):
        return node
    added = _number(node.right) * (1 if node.operator == "+" else -1)
    inner = node.left
    if isinstance(inner, Binary) and inner.operator in ("+", "-") and is_literal(inner.right):
        added += _number(inner.right) * (1 if inner.operator == "+" else -1)
        inner = inner.left
    if added == 0:
        return inner
    return Binary("+", inner, literal(added)) if added > 0 else Binary("-", inner, literal(-added))


def _number(expression: Expression) -> int | Fraction:
    value = value_of(expression)
    assert not isinstance(value, str)
    return value
