"""The meaning of an expression: exact evaluation, one obvious case per construct.

``compile_expression`` is its fast twin; both agree with the solver's translation (docs/adr/002-total-arithmetic.md).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from fullproof.core.errors import Bug
from fullproof.language.arithmetic import divide, modulo, power
from fullproof.language.exponents import exponent_of
from fullproof.language.list_functions import list_function
from fullproof.language.lists import Listed
from fullproof.language.scope import ConstantValue, EnumValue, Scope
from fullproof.language.syntax import (
    LIST_FUNCTIONS,
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
from fullproof.language.type_inference import comparison_type, is_real
from fullproof.language.types import EnumType, Value, Variable

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def evaluate(expression: Expression, scope: Scope, values: Mapping[str, Value]) -> Value:
    """Return the value where the variables have ``values``: a Fraction where the type is real, even where it is whole.

    Needs: the expression is well typed in the scope, and every variable in it has a value of its type.
    """
    value = raw_value(expression, scope, values)
    return Fraction(value) if is_real(expression, scope) else value


def raw_value(node: Expression, scope: Scope, values: Mapping[str, Value]) -> Any:
    """Return the value, which may be an int where the type is real: inside an expression both are equivalent."""
    match node:
        case Boolean() | Integer() | Decimal():
            return node.value
        case Name():
            return _named(node, scope, values)
        case Unary():
            operand = raw_value(node.operand, scope, values)
            return not operand if node.operator == "not" else -operand
        case Binary():
            return _binary(node, scope, values)
        case Comparison():
            return _chain(node, scope, values)
        case Call():
            arguments = [raw_value(argument, scope, values) for argument in node.arguments]
            return (
                list_function(node, scope)(*arguments) if node.function in LIST_FUNCTIONS else _called(node, arguments)
            )
        case Conditional():
            branch = node.then if raw_value(node.condition, scope, values) else node.otherwise
            return raw_value(branch, scope, values)
        case Temporal():
            raise Bug("a temporal formula has no value in a single state")


def _named(node: Name, scope: Scope, values: Mapping[str, Value]) -> Value:
    meaning = scope.lookup(node.name, at=node.at)
    match meaning:
        case Variable():
            return values[node.name]
        case ConstantValue() | EnumValue():
            return meaning.value


def _binary(node: Binary, scope: Scope, values: Mapping[str, Value]) -> Any:
    left = raw_value(node.left, scope, values)
    if node.operator == "**":
        return power(left, exponent_of(node, scope))
    right = raw_value(node.right, scope, values)
    match node.operator:
        case "and":
            return left and right
        case "or":
            return left or right
        case "->":
            return not left or right
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return divide(left, right)
        case "%":
            return modulo(left, right)


def _chain(node: Comparison, scope: Scope, values: Mapping[str, Value]) -> bool:
    operands = [raw_value(operand, scope, values) for operand in node.operands]
    if isinstance(operands[0], str) and not isinstance(operands[0], Listed):
        type_ = comparison_type(node, scope)
        if not isinstance(type_, EnumType):
            raise Bug(f"{operands[0]!r} is the value of an expression that is not an enum")
        operands = [type_.values.index(operand) for operand in operands]
    return all(COMPARE[o](a, b) for a, o, b in zip(operands, node.operators, operands[1:], strict=False))


def _called(node: Call, arguments: list[Any]) -> Any:
    match node.function:
        case "abs":
            return abs(arguments[0])
        case "floor":
            return math.floor(arguments[0])
        case "min":
            return min(arguments)
        case "max":
            return max(arguments)
        case _:
            raise Bug(f"{node.function} is a function of lists")
