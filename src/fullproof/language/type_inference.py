"""Types of expressions, with errors that say where and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.core.errors import UserError
from fullproof.language.exponents import check_degree, exponent_of
from fullproof.language.printer import to_text
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
    Quoted,
    Temporal,
    Unary,
)
from fullproof.language.traversal import children
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, StringType, Type, Variable

BOOL, INT, REAL, STRING = BoolType(), IntType(), RealType(), StringType()


@dataclass(frozen=True, slots=True)
class _OpenList:
    """The type of a list during inference: the element type may still be open; None for the empty list."""

    element: BoolType | IntType | EnumType | EnumValue | None
    most: int


_Open: TypeAlias = Type | EnumValue | _OpenList
"""While operands are compared: an enum value that may belong to several types is still open."""


def infer(expression: Expression, scope: Scope) -> Type:
    """Return the type; a variable's is its declared one with its range, every other number is unbounded."""
    found = _open_type(expression, scope)
    value = found.element if isinstance(found, _OpenList) else found
    if isinstance(value, EnumValue) and len(value.types) > 1:
        raise UserError(
            f"{_show(expression)} belongs to several enum types; compare it with a variable", at=expression.at
        )
    return _closed(found)


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
        case (ListType(), ListType() | _OpenList()) if _join(expected, found) is not None:
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
    """Return whether the type is real, without deciding between enum types."""
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
    if ordering and isinstance(common, ListType | _OpenList):
        left = comparison.operands[0]
        raise UserError(f"{_is(left, found[0])}, lists have no order: {ordering} cannot compare them", at=left.at)
    if ordering and isinstance(common, EnumValue) and len(common.types) > 1:
        left = comparison.operands[0]
        raise UserError(f"{_show(left)} belongs to several enum types, so {ordering} has no meaning", at=left.at)
    return _closed(common)


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
        case ListType():
            return f"list of {describe(type_.element)}"


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
            return _list_call(node, scope) if node.function in LIST_FUNCTIONS else _call(node, scope)
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


def _list_call(node: Call, scope: Scope) -> _Open:
    if node.function == "list":
        return _literal_list(node, scope)
    wanted = {"at": 2, "in": 2, "append": 2}.get(node.function, 1)
    if len(node.arguments) != wanted and node.function != "at":
        count = {1: "one argument", 2: "two arguments"}[wanted]
        raise UserError(f"{node.function} takes {count}, not {len(node.arguments)}", at=node.at)
    first = node.arguments[1 if node.function == "in" else 0]
    items = _open_type(first, scope)
    if not isinstance(items, ListType | _OpenList):
        sign = {"at": "[...]"}.get(node.function, node.function)
        raise UserError(f"{_is(first, items)}, {sign} needs a list", at=first.at)
    items = _opened(items)
    match node.function:
        case "len":
            return INT
        case "rest":
            return _OpenList(items.element, max(items.most - 1, 0))
        case "at":
            expect_type(node.arguments[1], scope, INT, what="an index")
            element = items.element if len(node.arguments) == 2 else _element(node.arguments[2], scope)
            if element is None:
                raise UserError(f"{_show(first)} has no elements", at=first.at)
            joined = _join_lists(items, _OpenList(element, 1))
            assert joined is not None and joined.element is not None  # a default has the type of the elements
            return joined.element
    item = node.arguments[0 if node.function == "in" else 1]
    longer = _join_lists(items, _OpenList(_element(item, scope), items.most + 1))
    if longer is None:
        raise UserError(f"{_is(item, _open_type(item, scope))}, but {_is(first, items)}", at=item.at)
    return BOOL if node.function == "in" else longer


def list_type(node: Call, scope: Scope) -> ListType:
    """The type of the list that a function of lists makes or looks into, an element that is looked for included."""
    arguments = node.arguments
    if node.function == "in":
        node = Call("append", arguments[::-1])
    elif node.function == "at" and len(arguments) == 3:
        node = Call("append", (arguments[0], arguments[2]))
    found = _list_call(node, scope)
    closed = _closed(found if isinstance(found, _OpenList) else _open_type(arguments[0], scope))
    assert isinstance(closed, ListType)
    return closed


def _literal_list(node: Call, scope: Scope) -> _OpenList:
    found = _OpenList(None, len(node.arguments))
    for item in node.arguments:
        joined = _join_lists(found, _OpenList(_element(item, scope), len(node.arguments)))
        if joined is None:
            one = node.arguments[0]
            raise UserError(f"{_is(item, _open_type(item, scope))}, but {_is(one, _open_type(one, scope))}", at=item.at)
        found = joined
    return found


def _element(item: Expression, scope: Scope) -> BoolType | IntType | EnumType | EnumValue:
    found = _open_type(item, scope)
    if isinstance(found, RealType | ListType | _OpenList):
        raise UserError(f"{_is(item, found)}; a list holds values of type bool, int, enum or string", at=item.at)
    return INT if isinstance(found, IntType) and not isinstance(found, StringType) else found


def _opened(type_: ListType | _OpenList) -> _OpenList:
    """The type without the range of its ints: ranges concern values, and an index may yield 0 outside of a range."""
    element = type_.element
    if isinstance(element, IntType) and not isinstance(element, StringType):
        element = INT
    return _OpenList(element, type_.most)


def _closed(found: _Open) -> Type:
    """The type; an enum value that is still open gets the first of its types."""
    if isinstance(found, _OpenList):
        element = found.element.types[0] if isinstance(found.element, EnumValue) else found.element
        return ListType(BOOL if element is None else element, found.most)
    return found.types[0] if isinstance(found, EnumValue) else found


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
        case ((ListType() | _OpenList()), (ListType() | _OpenList())):
            return _join_lists(_opened(a), _opened(b))
    return None


def _join_lists(a: _OpenList, b: _OpenList) -> _OpenList | None:
    most = max(a.most, b.most)
    if a.element is None or b.element is None:
        return _OpenList(a.element or b.element, most)
    joined = _join(a.element, b.element)
    if joined is None or isinstance(joined, RealType | ListType | _OpenList):
        return None
    return _OpenList(joined, most)


def _show(expression: Expression) -> str:
    text = to_text(expression)
    return text if len(text) <= 40 else text[:37] + "..."


def _is(expression: Expression, found: _Open) -> str:
    return f"{_show(expression)} is {_described(found, 'an enum value')}"


def _name(expression: Expression, found: _Open) -> str:
    return f"{_kind_word(found)} {_show(expression)}"


def _kind_word(found: _Open) -> str:
    text = _described(found, "enum value")
    return text if isinstance(found, EnumValue) else text.split()[0]


def _described(found: _Open, value: str) -> str:
    if isinstance(found, _OpenList) and found.element is None:
        return "list"
    return value if isinstance(found, EnumValue) else describe(_closed(found))
