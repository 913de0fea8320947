"""What is left of an expression once some of its variables have values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fullproof.language.evaluate import evaluate
from fullproof.language.scope import EnumValue, Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import Binary, Boolean, Call, Comparison, Conditional, Expression, Name, Unary
from fullproof.language.traversal import free_names
from fullproof.language.types import Value, Variable


def residual(expression: Expression, scope: Scope, values: Mapping[str, Value]) -> Expression:
    """Return an expression for readers with the same meaning under ``values``: parts that they determine are evaluated.

    Needs: well typed in the scope, not temporal. Exponents stay as they are, since they must be constants anyway. An
    enum variable leaves its value behind, which may belong to several types: the result need not be well typed.
    """
    names = free_names(expression)
    open_names = {n for n in names if n not in values and isinstance(scope.lookup(n), Variable)}
    if not open_names:
        if isinstance(expression, Name) and isinstance(scope.lookup(expression.name), EnumValue):
            return expression
        return literal(evaluate(expression, scope, values))
    match expression:
        case Unary():
            return replace(expression, operand=residual(expression.operand, scope, values))
        case Binary(operator="**"):
            return replace(expression, left=residual(expression.left, scope, values))
        case Binary():
            left, right = residual(expression.left, scope, values), residual(expression.right, scope, values)
            return _simplified(replace(expression, left=left, right=right))
        case Comparison():
            return replace(expression, operands=tuple(residual(e, scope, values) for e in expression.operands))
        case Call():
            return replace(expression, arguments=tuple(residual(e, scope, values) for e in expression.arguments))
        case Conditional():
            parts = (expression.condition, expression.then, expression.otherwise)
            condition, then, otherwise = (residual(e, scope, values) for e in parts)
            if isinstance(condition, Boolean):
                return then if condition.value else otherwise
            return replace(expression, condition=condition, then=then, otherwise=otherwise)
        case _:
            return expression


def _simplified(node: Binary) -> Expression:
    """Simplify where a truth value decides the result."""
    left, right = node.left, node.right
    match node.operator:
        case "and":
            if isinstance(left, Boolean):
                return right if left.value else left
            if isinstance(right, Boolean):
                return left if right.value else right
        case "or":
            if isinstance(left, Boolean):
                return left if left.value else right
            if isinstance(right, Boolean):
                return right if right.value else left
        case "->":
            if isinstance(left, Boolean):
                return right if left.value else Boolean(True)
            if isinstance(right, Boolean) and right.value:
                return right
    return node
