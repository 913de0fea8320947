"""The functions of lists on values: the one definition behind evaluation and compiled closures.

All of them are total, as all arithmetic is (docs/adr/002-total-arithmetic.md): an index that no element has gives the
default of the element's type. ``append`` never drops anything: a list that becomes longer than its variable allows
leaves its range, which ``check`` reports, as it does for numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fullproof.core.errors import Bug
from fullproof.language.lists import default_of, listed
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import Binary, Call, Comparison, Conditional, Expression, Temporal, Unary
from fullproof.language.traversal import children
from fullproof.language.type_inference import list_type


def list_function(node: Call, scope: Scope) -> Callable[..., Any]:
    """The function of a call, from the values of its arguments to its value."""
    match node.function:
        case "list":
            return lambda *items: listed(items)
        case "len":
            return lambda items: len(items.items)
        case "in":
            return lambda item, items: item in items.items
        case "append":
            return lambda items, item: listed((*items.items, item))
        case "rest":
            return lambda items: listed(items.items[1:])
        case "at":
            return _at(node, scope)
        case _:
            raise Bug(f"{node.function} is not a function of lists")


def _at(node: Call, scope: Scope) -> Callable[..., Any]:
    if len(node.arguments) == 2:
        default = default_of(list_type(node, scope).element)
        return lambda items, index: items.items[index] if 0 <= index < len(items.items) else default
    return lambda items, index, other: items.items[index] if 0 <= index < len(items.items) else other


def with_defaults(expression: Expression, scope: Scope) -> Expression:
    """The expression with the default beside each index: ``p[i]`` keeps its type where ``[]`` is put in place of p.

    Needs: well typed in the scope.
    """
    match expression:
        case Call(function="at", arguments=(items, index)):
            default = literal(default_of(list_type(expression, scope).element))
            parts = (with_defaults(items, scope), with_defaults(index, scope), default)
            return Call("at", parts, at=expression.at)
        case Unary():
            return replace(expression, operand=with_defaults(expression.operand, scope))
        case Binary(left=left, right=right):
            return replace(expression, left=with_defaults(left, scope), right=with_defaults(right, scope))
        case Comparison() | Temporal():
            return replace(expression, operands=tuple(with_defaults(part, scope) for part in expression.operands))
        case Call():
            return replace(expression, arguments=tuple(with_defaults(part, scope) for part in expression.arguments))
        case Conditional():
            return Conditional(*(with_defaults(part, scope) for part in children(expression)), at=expression.at)
        case _:
            return expression
