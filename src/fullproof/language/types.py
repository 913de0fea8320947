"""The types of the expression language: bool, int, real and enum, with inclusive ranges, string, and bounded lists."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

Value: TypeAlias = bool | int | Fraction | str
"""What an expression evaluates to: a bool, an int, an exact rational (real), or the name of an enum value.

A string is an int that holds its characters (``strings.StringValue``); a list is its text, which holds its
elements (``lists.Listed``).
"""


@dataclass(frozen=True, slots=True)
class BoolType:
    """``bool``"""


@dataclass(frozen=True, slots=True)
class IntType:
    """``int`` or ``int 0..10``; bounds are inclusive, None means unbounded."""

    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class StringType(IntType):
    """``string``: every string has a whole number, and every whole number is one. There is no order, only equality."""


@dataclass(frozen=True, slots=True)
class RealType:
    """``real`` or ``real 0..400``: exact rationals; bounds are inclusive, None means unbounded."""

    low: Fraction | None = None
    high: Fraction | None = None


@dataclass(frozen=True, slots=True)
class EnumType:
    """``enum O, W, A``: ordered as listed."""

    values: tuple[str, ...]


Element: TypeAlias = BoolType | IntType | EnumType
"""What a list may hold; a ``StringType`` is an ``IntType``."""


@dataclass(frozen=True, slots=True)
class ListType:
    """``list of int 0..3 max 4``: at most ``most`` elements of one type. There is no order, only equality."""

    element: Element
    most: int


Type: TypeAlias = BoolType | IntType | RealType | EnumType | ListType


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A typed name. ``tolerance`` (``~ 1e-6``) widens the comparison of observed real outputs."""

    name: str
    type: Type
    initial: Value | None = None
    tolerance: Fraction | None = None
