"""Values from outside: JSON and YAML scalars become exact values of a type, or an error that says what was expected."""

from __future__ import annotations

import math
import re
from decimal import Decimal as StandardDecimal
from fractions import Fraction

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.language.limits import MAX_DIGITS
from fullproof.language.lists import Listed, listed
from fullproof.language.printer import type_to_text
from fullproof.language.strings import StringValue, text_at, text_of
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, StringType, Type, Value

_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE](?P<exponent>[+-]?[0-9]{1,8}))?")
_RATIO = re.compile(r"(?P<numerator>[+-]?[0-9]+)\s*/\s*(?P<denominator>[0-9]+)")


def value_from_json(raw: object, type_: Type, *, at: Place = NOWHERE) -> Value:
    """Return the exact value of ``type_`` that a scalar of JSON or YAML stands for.

    Floats count as the decimal they are written as (0.1 is 1/10), strings may hold what no number can ("20/3"), whole
    numbers may stand for reals. A bool is never a number; NaN and infinities are never values. The range of the type is
    not checked: see ``in_range``.
    """
    match type_:
        case BoolType():
            if isinstance(raw, bool):
                return raw
        case EnumType():
            if isinstance(raw, str):
                if raw in type_.values:
                    return raw
                raise UserError(f"unknown value {raw!r}{did_you_mean(raw, type_.values)}", at=at)
        case StringType():
            if isinstance(raw, str):
                return text_of(str.__str__(raw))
        case ListType() if isinstance(raw, list | tuple):
            return listed(value_from_json(item, type_.element, at=at) for item in raw)
        case IntType() | RealType():
            number = number_from_json(raw, at=at)
            if isinstance(type_, RealType) and number is not None:
                return Fraction(number)
            if number is not None and number.denominator == 1:
                return number.numerator
    raise UserError(f"{_shown(raw)} is not a value of type {type_to_text(type_)}", at=at)


def number_from_json(raw: object, *, at: Place = NOWHERE) -> int | Fraction | None:
    """Return the exact number a scalar stands for, an int where it is written as one, or None where it is not a
    number.
    """
    match raw:
        case bool():
            return None
        case int():
            _check_size(raw.bit_length() * 0.30103, at)
            return raw
        case float():
            return Fraction(repr(raw)) if math.isfinite(raw) else None
        case Fraction():
            return raw
        case StandardDecimal():
            return _from_text(str(raw), at) if raw.is_finite() else None
        case str():
            return _from_text(raw.strip(), at)
        case _:
            return None


def _from_text(text: str, at: Place) -> int | Fraction | None:
    if match := _RATIO.fullmatch(text):
        _check_size(len(text), at)
        denominator = int(match["denominator"])
        return Fraction(int(match["numerator"]), denominator) if denominator else None
    if match := _NUMBER.fullmatch(text):
        _check_size(len(text) + abs(int(match["exponent"] or 0)), at)
        return int(text) if text.lstrip("+-").isdecimal() else Fraction(text)
    return None


def _check_size(digits: float, at: Place) -> None:
    if digits > MAX_DIGITS + 2:
        raise UserError(f"a number has more than {MAX_DIGITS} digits", at=at)


def _shown(raw: object) -> str:
    text = "null" if raw is None else str(raw).lower() if isinstance(raw, bool) else repr(raw)
    return text if len(text) <= 40 else text[:37] + "..."


def count_of(type_: Type) -> int | None:
    """How many values a type has; None where there are infinitely many."""
    match type_:
        case BoolType():
            return 2
        case EnumType(values=values):
            return len(values)
        case IntType(low=int(low), high=int(high)):
            return high - low + 1
        case ListType(element=element, most=most):
            each = count_of(element)
            return None if each is None else sum(each**length for length in range(most + 1))
        case _:
            return None


def in_range(value: Value, type_: Type) -> bool:
    """Return whether a value of the right kind lies within the bounds of the type."""
    match type_:
        case BoolType():
            return isinstance(value, bool)
        case EnumType():
            return value in type_.values
        case StringType():
            return isinstance(value, StringValue)
        case ListType(element=element, most=most):
            if not isinstance(value, Listed) or len(value.items) > most:
                return False
            return all(in_range(item, element) for item in value.items)
        case IntType() | RealType():
            if isinstance(value, bool | str | StringValue) or (
                isinstance(type_, IntType) and not isinstance(value, int)
            ):
                return False
            return (type_.low is None or type_.low <= value) and (type_.high is None or value <= type_.high)


def coerce(value: Value, type_: Type) -> Value:
    """Return the value as the type holds it: whole reals are Fractions, too, and the number of a string is a string."""
    if isinstance(type_, StringType) and isinstance(value, int) and not isinstance(value, bool):
        return text_at(value)
    return Fraction(value) if isinstance(type_, RealType) and not isinstance(value, str) else value
