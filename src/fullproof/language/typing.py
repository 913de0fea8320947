"""Types of expressions, with errors that say where and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from fullproof.core.errors import UserError
from fullproof.language.exponents import check_degree, exponent_of
from fullproof.language.printing import to_text
from fullproof.language.scope import ConstantValue, EnumValue, Scope
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
from fullproof.language.types import BoolType, EnumType, IntType, RealType, StringType, Type, Variable
from fullproof.language.walking import children

BOOL, INT, REAL, STRING = BoolType(), IntType(), RealType(), StringType()

_Open: TypeAlias = Type | EnumValue
"""While operands are compared: an enum value that may belong to several types is still open."""


def infer(expression: Expression, scope: Scope) -> Type:
    """Return the type; a variable's is its declared one with its range, every other number is unbounded."""
    found = _open_type(expression, scope)
    if not isinstance(found, EnumValue):
        return found
    if len(found.types) > 1:
        raise UserError(
            f"{_show(expression)} belongs to several enum types; compare it with a variable", at=expression.at
        )
    return found.types[0]


def expect_type(expression: Expression, scope: Scope, expected: Type, *, what: str = "") -> None:
    """Require a value that may be assigned to a variable of type ``expected``; ``what`` names that variable.

    An int may stand where a real is expected, not the other way round. Ranges are not checked: they concern values.
    """
    found = _open_type(expression, scope)
    match expected, found:
        case (EnumType(), EnumValue(types=types)) if expected in types:
            return
        case (EnumType(), EnumType()) if expected == found:
            return
        case (StringType(), StringType()):
            return
        case (StringType(), _) | (_, StringType()):
            pass
        case (BoolType(), BoolType()) | (IntType(), IntType()) | (RealType(), RealType() | IntType()):
            return
    wanted = f"{what} is {describe(expected)}" if what else f"expected {describe(expected)}"
    whole = isinstance(expected, IntType) and not isinstance(expected, StringType)
    hint = "; use floor(...)" if whole and isinstance(found, RealType) else ""
    raise UserError(f"{_is(expression, found)}, but {wanted}{hint}", at=expression.at)


def expect_boolean(expression: Expression, scope: Scope) -> None:
    """Require a condition."""
    found = _open_type(expression, scope)
    if not isinstance(found, BoolType):
        raise UserError(f"{_is(expression, found)}, expected a condition (bool)", at=expression.at)


def is_real(expression: Expression, scope: Scope) -> bool:
    """Tell whether the type is real, without deciding between enum types."""
    return isinstance(_open_type(expression, scope), RealType)


def comparison_type(comparison: Comparison, scope: Scope) -> Type:
    """Return the type in which the operands of a chain are compared: bool, an enum, or real for any numbers."""
    found = [_open_type(operand, scope) for operand in comparison.operands]
    common: _Open = found[0]
    for i, following in enumerate(found[1:], start=1):
        joined = _join(common, following)
        if joined is None:
            left, right = comparison.operands[i - 1 : i + 1]
            raise UserError(f"{_is(left, found[i - 1])}, cannot be compared with {_name(right, following)}", at=left.at)
        common = joined
    ordering = next((o for o in comparison.operators if o not in ("==", "!=")), None)
    if ordering and isinstance(common, BoolType):
        left = comparison.operands[0]
        raise UserError(
            f"{_is(left, found[0])}, truth values have no order: {ordering} cannot compare them", at=left.at
        )
    if ordering and isinstance(common, StringType):
        left = comparison.operands[0]
        raise UserError(f"{_is(left, found[0])}, strings have no order: {ordering} cannot compare them", at=left.at)
    if isinstance(common, EnumValue):
        if ordering and len(common.types) > 1:
            left = comparison.operands[0]
            raise UserError(f"{_show(left)} belongs to several enum types, so {ordering} has no meaning", at=left.at)
        return common.types[0]
    return common


def describe(type_: Type) -> str:
    """Return the type's name without its range."""
    match type_:
        case BoolType():
            return "bool"
        case StringType():
            return "string"
        case IntType():
            return "int"
        case RealType():
            return "real"
        case EnumType():
            return f"enum {', '.join(type_.values)}"


def _open_type(node: Expression, scope: Scope) -> _Open:
    match node:
        case Name():
            return _name_type(node, scope)
        case Quoted():
            return STRING
        case Boolean() | Integer() | Decimal():
            return BOOL if isinstance(node, Boolean) else INT if isinstance(node, Integer) else REAL
        case Comparison():
            comparison_type(node, scope)
            return BOOL
        case Temporal() | Unary(operator="not") | Binary(operator="and" | "or" | "->"):
            for operand in children(node):
                expect_boolean(operand, scope)
            return BOOL
        case Binary():
            return _arithmetic(node, scope)
        case Unary():
            return _common_number([node.operand], scope, "-")
        case Call():
            return _call(node, scope)
        case Conditional():
            return _conditional(node, scope)


def _name_type(node: Name, scope: Scope) -> _Open:
    meaning = scope.lookup(node.name, at=node.at)
    match meaning:
        case Variable():
            return meaning.type
        case ConstantValue(value=value):
            return BOOL if isinstance(value, bool) else INT if isinstance(value, int) else REAL
        case EnumValue():
            return meaning


def _arithmetic(node: Binary, scope: Scope) -> Type:
    if node.operator == "**":
        base = _common_number([node.left], scope, "**")
        exponent = exponent_of(node, scope)
        check_degree(node, scope)
        return base if exponent >= 0 else REAL
    found = _common_number([node.left, node.right], scope, node.operator)
    return REAL if node.operator == "/" else found


def _call(node: Call, scope: Scope) -> Type:
    count = len(node.arguments)
    if node.function in ("abs", "floor") and count != 1:
        raise UserError(f"{node.function} takes one argument, not {count}", at=node.at)
    if count < 1:
        raise UserError(f"{node.function} needs an argument", at=node.at)
    found = _common_number(node.arguments, scope, node.function)
    return INT if node.function == "floor" else found


def _common_number(operands: Sequence[Expression], scope: Scope, operator: str) -> Type:
    real = False
    for operand in operands:
        found = _open_type(operand, scope)
        if isinstance(found, StringType) or not isinstance(found, IntType | RealType):
            raise UserError(f"{_is(operand, found)}, {operator} needs a number", at=operand.at)
        real = real or isinstance(found, RealType)
    return REAL if real else INT


def _conditional(node: Conditional, scope: Scope) -> _Open:
    expect_boolean(node.condition, scope)
    then, otherwise = _open_type(node.then, scope), _open_type(node.otherwise, scope)
    joined = _join(then, otherwise)
    if joined is None:
        raise UserError(
            f"{_is(node.then, then)}, but after 'else' there is {_name(node.otherwise, otherwise)}", at=node.at
        )
    return joined


def _join(a: _Open, b: _Open) -> _Open | None:
    """Return the type two operands have in common, or None."""
    match a, b:
        case BoolType(), BoolType():
            return BOOL
        case StringType(), StringType():
            return STRING
        case (StringType(), _) | (_, StringType()):
            return None
        case IntType(), IntType():
            return INT
        case ((IntType() | RealType()), (IntType() | RealType())):
            return REAL
        case EnumValue(value=value), EnumValue(types=types):
            common = tuple(t for t in a.types if t in types)
            return EnumValue(value, common) if common else None
        case (EnumValue(types=types), EnumType() as type_) | (EnumType() as type_, EnumValue(types=types)):
            return type_ if type_ in types else None
        case EnumType(), EnumType():
            return a if a == b else None
    return None


def _show(expression: Expression) -> str:
    text = to_text(expression)
    return text if len(text) <= 40 else text[:37] + "..."


def _is(expression: Expression, found: _Open) -> str:
    return f"{_show(expression)} is {'an enum value' if isinstance(found, EnumValue) else describe(found)}"


def _name(expression: Expression, found: _Open) -> str:
    kind = "enum value" if isinstance(found, EnumValue) else describe(found).split()[0]
    return f"{kind} {_show(expression)}"
