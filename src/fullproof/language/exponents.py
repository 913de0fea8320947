"""The exponents of ``**``: integer constants, and small enough for the values they make."""

from __future__ import annotations

from fullproof.core.errors import UserError
from fullproof.language.limits import MAX_DEGREE
from fullproof.language.scope import ConstantValue, Scope
from fullproof.language.syntax import Binary, Expression, Integer, Name, Unary
from fullproof.language.traversal import children


def exponent_of(power: Binary, scope: Scope) -> int:
    """Return the exponent, an integer constant of at most MAX_DEGREE; anything else is an error."""
    value = _integer(power.right, scope)
    if value is None:
        raise UserError("the exponent of ** must be an integer constant", at=power.right.at)
    if abs(value) > MAX_DEGREE:
        raise UserError(f"the exponent of ** must lie between -{MAX_DEGREE} and {MAX_DEGREE}", at=power.right.at)
    return value


def check_degree(power: Binary, scope: Scope) -> None:
    """Refuse nested powers whose exponents multiply to more than MAX_DEGREE: values would exhaust the memory."""
    if _degree(power, scope) > MAX_DEGREE:
        raise UserError(f"the exponents of nested ** multiply to more than {MAX_DEGREE}", at=power.at)


def _degree(node: Expression, scope: Scope) -> int:
    if isinstance(node, Binary) and node.operator == "**":
        return max(1, abs(exponent_of(node, scope))) * _degree(node.left, scope)
    return max((_degree(child, scope) for child in children(node)), default=1)


def _integer(node: Expression, scope: Scope) -> int | None:
    """Evaluate sums, products and powers of integer literals and constants, the only exponents allowed."""
    match node:
        case Integer():
            return node.value
        case Name():
            meaning = scope.lookup(node.name, at=node.at)
            value = meaning.value if isinstance(meaning, ConstantValue) else None
            return value if isinstance(value, int) and not isinstance(value, bool) else None
        case Unary(operator="-"):
            operand = _integer(node.operand, scope)
            return None if operand is None else -operand
        case Binary():
            return _combined(node, scope)
        case _:
            return None


def _combined(node: Binary, scope: Scope) -> int | None:
    left, right = _integer(node.left, scope), _integer(node.right, scope)
    if left is None or right is None:
        return None
    match node.operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "**" if right >= 0 and left.bit_length() * right <= MAX_DEGREE:
            return int(left**right)
        case _:
            return None
