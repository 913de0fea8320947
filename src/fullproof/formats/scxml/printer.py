"""Expressions as ECMAScript writes them, for SCXML files."""

from __future__ import annotations

from fullproof.core.errors import NOWHERE, UserError
from fullproof.formats.scxml.expressions import read_expression
from fullproof.formats.scxml.tree import Attribute
from fullproof.language.formulas import links
from fullproof.language.printer import to_text
from fullproof.language.shallow_trees import LONGEST_CHAIN
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
    Temporal,
    Unary,
)

_SIGNS = {"and": "&&", "or": "||"}


def ecmascript(expression: Expression, values: frozenset[str]) -> tuple[str, bool]:
    """The text, and whether it reads back as the same tree; ``values`` are the names of enum values.

    Chains of comparisons and implications have no such text; what is written instead means the same.
    """
    text = _text(expression, values)
    try:
        return text, read_expression(Attribute(text, lambda _: NOWHERE)) == expression
    except UserError:
        return text, False


def _text(node: Expression, values: frozenset[str]) -> str:
    match node:
        case Name(name=name):
            asked = name[3:-1] if name.startswith("in(") else None
            return f"In('{asked}')" if asked is not None else f"'{name}'" if name in values else name
        case Boolean() | Integer() | Decimal() | Temporal():
            return to_text(node)
        case Unary():
            return ("!" if node.operator == "not" else "-") + _operand(node.operand, values)
        case Binary(operator="->"):
            return f"!{_operand(node.left, values)} || {_operand(node.right, values)}"
        case Binary(operator="and" | "or"):
            return f" {_SIGNS[node.operator]} ".join(_junction_part(part, values) for part in _parts(node))
        case Binary():
            return f"{_operand(node.left, values)} {node.operator} {_operand(node.right, values)}"
        case Comparison():
            each = [
                f" {link.operators[0]} ".join(_operand(side, values) for side in link.operands) for link in links(node)
            ]
            return " && ".join(each)
        case Call():
            return f"Math.{node.function}({', '.join(_text(a, values) for a in node.arguments)})"
        case Conditional():
            condition, then, otherwise = (
                _operand(part, values) for part in (node.condition, node.then, node.otherwise)
            )
            return f"{condition} ? {then} : {otherwise}"


def _parts(node: Binary) -> list[Expression]:
    """The parts that are read as one chain: those nested to the left, as long as a reader keeps such a shape."""
    parts: list[Expression] = [node.right]
    left = node.left
    while isinstance(left, Binary) and left.operator == node.operator and len(parts) < LONGEST_CHAIN - 1:
        parts.append(left.right)
        left = left.left
    return [left, *reversed(parts)]


def _junction_part(node: Expression, values: frozenset[str]) -> str:
    """Comparisons need no parentheses between && and ||."""
    single = isinstance(node, Comparison) and len(node.operators) == 1
    return _text(node, values) if single or isinstance(node, Unary) else _operand(node, values)


def _operand(node: Expression, values: frozenset[str]) -> str:
    text = _text(node, values)
    if isinstance(node, Name | Boolean | Integer | Call) or (isinstance(node, Decimal) and " " not in text):
        return text
    return f"({text})"
