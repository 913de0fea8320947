"""Expressions as Python closures, for hot paths: the fast twin of ``evaluate``.

Each construct becomes one closure over those of its operands; Python's ``eval`` and ``exec`` are never used. Parts that
do not depend on variables are evaluated once, here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from operator import itemgetter
from typing import Any, TypeAlias

from fullproof.core.errors import Bug
from fullproof.language.arithmetic import divide, modulo, power
from fullproof.language.evaluate import raw_value
from fullproof.language.exponents import exponent_of
from fullproof.language.list_functions import list_function
from fullproof.language.scope import Scope
from fullproof.language.syntax import (
    LIST_FUNCTIONS,
    Binary,
    Call,
    Comparison,
    Conditional,
    Expression,
    Name,
    Temporal,
    Unary,
)
from fullproof.language.traversal import children
from fullproof.language.type_inference import comparison_type, is_real
from fullproof.language.types import EnumType, Value, Variable

Closure: TypeAlias = Callable[[Mapping[str, Any]], Any]

_FIXED: dict[str, Callable[[Closure, Any], Closure]] = {  # the right operand is a constant
    "==": lambda f, c: lambda v: f(v) == c,
    "!=": lambda f, c: lambda v: f(v) != c,
    "<": lambda f, c: lambda v: f(v) < c,
    "<=": lambda f, c: lambda v: f(v) <= c,
    ">": lambda f, c: lambda v: f(v) > c,
    ">=": lambda f, c: lambda v: f(v) >= c,
    "+": lambda f, c: lambda v: f(v) + c,
    "-": lambda f, c: lambda v: f(v) - c,
    "*": lambda f, c: lambda v: f(v) * c,
    "/": lambda f, c: _times(f, divide(1, c)),
    "%": lambda f, c: (lambda v: f(v) % c) if c else f,
}
_FREE: dict[str, Callable[[Closure, Closure], Closure]] = {
    "==": lambda f, g: lambda v: f(v) == g(v),
    "!=": lambda f, g: lambda v: f(v) != g(v),
    "<": lambda f, g: lambda v: f(v) < g(v),
    "<=": lambda f, g: lambda v: f(v) <= g(v),
    ">": lambda f, g: lambda v: f(v) > g(v),
    ">=": lambda f, g: lambda v: f(v) >= g(v),
    "+": lambda f, g: lambda v: f(v) + g(v),
    "-": lambda f, g: lambda v: f(v) - g(v),
    "*": lambda f, g: lambda v: f(v) * g(v),
    "/": lambda f, g: lambda v: divide(f(v), g(v)),
    "%": lambda f, g: lambda v: modulo(f(v), g(v)),
    "and": lambda f, g: lambda v: f(v) and g(v),
    "or": lambda f, g: lambda v: f(v) or g(v),
    "->": lambda f, g: lambda v: not f(v) or g(v),
}


def _times(f: Closure, c: Fraction) -> Closure:
    return lambda v: f(v) * c


def compile_expression(expression: Expression, scope: Scope) -> Callable[[Mapping[str, Value]], Value]:
    """Return a function from the variables' values to what ``evaluate`` returns for them.

    Needs: the expression is well typed in the scope and not temporal.
    """
    closure = _compiled(expression, scope)
    return _as_real(closure) if is_real(expression, scope) else closure


def _as_real(closure: Closure) -> Closure:
    def real(values: Mapping[str, Any]) -> Fraction:
        value = closure(values)
        return value if type(value) is Fraction else Fraction(value)

    return real


def _compiled(node: Expression, scope: Scope) -> Closure:
    if _is_constant(node, scope):
        constant = raw_value(node, scope, {})
        return lambda _: constant
    match node:
        case Name():
            return itemgetter(node.name)
        case Unary():
            f = _compiled(node.operand, scope)
            return (lambda v: not f(v)) if node.operator == "not" else (lambda v: -f(v))
        case Binary(operator="**"):
            return _power(_compiled(node.left, scope), exponent_of(node, scope))
        case Binary():
            return _pair(node.operator, node.left, node.right, scope)
        case Comparison():
            return _chain(node, scope)
        case Call():
            return _called(node, scope)
        case Conditional():
            c, a, b = (_compiled(part, scope) for part in children(node))
            return lambda v: a(v) if c(v) else b(v)
        case Temporal():
            raise Bug("a temporal formula has no value in a single state")
        case _:
            raise Bug(f"{node} depends on no variable")


def _is_constant(node: Expression, scope: Scope) -> bool:
    if isinstance(node, Name):
        return not isinstance(scope.lookup(node.name, at=node.at), Variable)
    return not isinstance(node, Temporal) and all(_is_constant(child, scope) for child in children(node))


def _pair(operator: str, left: Expression, right: Expression, scope: Scope) -> Closure:
    f = _compiled(left, scope)
    if operator in _FIXED and _is_constant(right, scope):
        return _FIXED[operator](f, raw_value(right, scope, {}))
    return _FREE[operator](f, _compiled(right, scope))


def _power(f: Closure, exponent: int) -> Closure:
    if exponent >= 0:
        return lambda v: f(v) ** exponent
    return lambda v: power(f(v), exponent)


def _chain(node: Comparison, scope: Scope) -> Closure:
    type_ = comparison_type(node, scope)
    if isinstance(type_, EnumType) and any(operator not in ("==", "!=") for operator in node.operators):
        ranks = {value: rank for rank, value in enumerate(type_.values)}
        operands = [_ranked(_compiled(operand, scope), ranks) for operand in node.operands]
        links = [_FREE[o](f, g) for f, o, g in zip(operands, node.operators, operands[1:], strict=False)]
    else:
        pairs = zip(node.operands, node.operators, node.operands[1:], strict=False)
        links = [_pair(operator, left, right, scope) for left, operator, right in pairs]
    joined = links[-1]
    for link in reversed(links[:-1]):
        joined = _FREE["and"](link, joined)
    return joined


def _ranked(closure: Closure, ranks: dict[str, int]) -> Closure:
    return lambda v: ranks[closure(v)]


def _called(node: Call, scope: Scope) -> Closure:
    closures = tuple(_compiled(argument, scope) for argument in node.arguments)
    if node.function in LIST_FUNCTIONS:
        function = list_function(node, scope)
        return lambda v: function(*[g(v) for g in closures])
    f = closures[0]
    match node.function:
        case "abs":
            return lambda v: abs(f(v))
        case "floor":
            return lambda v: math.floor(f(v))
        case "min":
            return lambda v: min([g(v) for g in closures])
        case "max":
            return lambda v: max([g(v) for g in closures])
        case _:
            raise Bug(f"{node.function} is a function of lists")
