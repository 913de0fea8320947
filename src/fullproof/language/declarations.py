"""Declarations: from their parsed form to typed variables, with constants in the bounds evaluated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.language.complaints import RESERVED
from fullproof.language.evaluate import evaluate
from fullproof.language.lists import MOST
from fullproof.language.printer import to_text, type_to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression, Name
from fullproof.language.traversal import free_names
from fullproof.language.tree_builder import Declaration
from fullproof.language.type_inference import expect_type
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, StringType, Type, Value, Variable
from fullproof.language.values import coerce, in_range

_NAME = re.compile(r"[^\W\d]\w*")


def check_name(name: str, *, at: Place) -> None:
    """Require a name that expressions can refer to."""
    if name in RESERVED:
        raise UserError(f"{name!r} is a word of the language and cannot be a name", at=at)
    if not _NAME.fullmatch(name):
        raise UserError(f"{name!r} is not a name; expected a letter, then letters, digits and _", at=at)


def declare(declaration: Declaration, *, name: str, constants: Mapping[str, Value], at: Place) -> Variable:
    """Return the variable; empty ranges, repeated values and initial values outside their type are errors."""
    check_name(name, at=at)
    scope = Scope((), constants)
    type_ = _type(declaration, scope, at)
    initial = tolerance = None
    if declaration.initial is not None:
        initial = _initial(declaration.initial, type_, name, scope)
    if declaration.tolerance is not None:
        tolerance = _tolerance(declaration.tolerance, type_, scope)
    return Variable(name=name, type=type_, initial=initial, tolerance=tolerance)


def _type(declaration: Declaration, scope: Scope, at: Place) -> Type:
    match declaration.word:
        case "bool":
            return BoolType()
        case "string":
            return StringType()
        case "enum":
            return _enum(declaration.values)
        case "list":
            return _list(declaration, scope, at)
        case "int":
            low, high = (_bound(part, scope, IntType()) for part in (declaration.low, declaration.high))
            type_: IntType | RealType = IntType(_whole(low), _whole(high))
        case _:
            low, high = (_bound(part, scope, RealType()) for part in (declaration.low, declaration.high))
            type_ = RealType(low, high)
    if type_.low is not None and type_.high is not None and type_.low > type_.high:
        place = declaration.low.at if declaration.low is not None else at
        raise UserError(f"the range {type_to_text(type_).split()[1]} is empty", at=place)
    return type_


def _list(declaration: Declaration, scope: Scope, at: Place) -> ListType:
    assert declaration.element is not None and declaration.most is not None
    element = _type(declaration.element, scope, at)
    if isinstance(element, RealType | ListType):
        raise UserError("a list holds values of type bool, int, enum or string, no reals", at=at)
    expect_type(declaration.most, scope, IntType(), what="the greatest length")
    most = evaluate(declaration.most, scope, {})
    if not isinstance(most, int) or not 1 <= most <= MOST:
        raise UserError(f"the greatest length of a list is a number from 1 to {MOST}", at=declaration.most.at)
    return ListType(element, most)


def _enum(names: tuple[Name, ...]) -> EnumType:
    seen: set[str] = set()
    for value in names:
        if value.name in seen:
            raise UserError(f"enum value {value.name!r} is listed twice", at=value.at)
        seen.add(value.name)
    return EnumType(tuple(value.name for value in names))


def _bound(part: Expression | None, scope: Scope, type_: Type) -> Fraction | None:
    if part is None:
        return None
    expect_type(part, scope, type_, what="the bound")
    value = evaluate(part, scope, {})
    return None if isinstance(value, str) else Fraction(value)


def _whole(value: Fraction | None) -> int | None:
    return None if value is None else value.numerator


def _initial(part: Expression, type_: Type, name: str, scope: Scope) -> Value:
    if isinstance(type_, EnumType):
        if isinstance(part, Name) and part.name in type_.values:
            return part.name
        wrong = to_text(part)
        raise UserError(f"initial value {wrong!r} is not in {type_to_text(type_)}{_near(wrong, type_)}", at=part.at)
    if isinstance(type_, ListType):  # only the list's own type determines the enum of its values
        scope = Scope((Variable(name=name, type=type_),), scope.constants)
        unknown = free_names(part) & {name}
        if unknown:
            raise UserError(f"the initial value of {name!r} refers to {name!r} itself", at=part.at)
    expect_type(part, scope, type_, what=name)
    value = coerce(evaluate(part, scope, {}), type_)
    if not in_range(value, type_):
        raise UserError(f"initial value {value_to_text(value)} lies outside {type_to_text(type_)}", at=part.at)
    return value


def _near(wrong: str, type_: EnumType) -> str:
    hint = did_you_mean(wrong, type_.values)
    return hint if "did you mean" in hint else ""


def _tolerance(part: Expression, type_: Type, scope: Scope) -> Fraction:
    if not isinstance(type_, RealType):
        raise UserError("only a real has a tolerance", at=part.at)
    expect_type(part, scope, type_, what="the tolerance")
    value = evaluate(part, scope, {})
    if isinstance(value, str) or value < 0:
        raise UserError(f"a tolerance must be >= 0, got {value_to_text(value)}", at=part.at)
    return Fraction(value)
