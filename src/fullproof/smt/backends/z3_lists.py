"""Lists as z3 terms: a length and as many elements as the type allows.

Elements beyond the length have the default of their type, so that two lists are equal iff all parts are, and an index
out of range finds the default without a further case. Every operation preserves this invariant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import z3

from fullproof.language.types import BoolType, Element, EnumType, IntType, ListType


@dataclass(frozen=True, slots=True)
class Bundle:
    """A list: the term of its length, the terms of its elements, and the default beyond the last element.

    The default is None where no element determines the sort, as in ``[]``.
    """

    length: Any
    elements: tuple[Any, ...]
    default: Any

    @property
    def symbols(self) -> tuple[Any, ...]:
        """All parts."""
        return (self.length, *self.elements)

    def padded(self, count: int, default: Any) -> tuple[Any, ...]:
        """The elements, padded with defaults to the given length."""
        return self.elements + (default,) * (count - len(self.elements))


def symbol(name: str, type_: ListType, context: Any) -> Bundle:
    """The parts of a variable."""
    make = z3.Bool if isinstance(type_.element, BoolType) else z3.Int
    elements = tuple(make(f"{name}[{index}]", context) for index in range(type_.most))
    return Bundle(z3.Int(f"len({name})", context), elements, _default(elements[0]))


def _default(term: Any) -> Any:
    """The default of a sort: the first value of an enum has rank 0, and 0 is the empty string."""
    return z3.BoolVal(False, term.ctx) if z3.is_bool(term) else z3.IntVal(0, term.ctx)


def conditions(bundle: Bundle, type_: ListType) -> list[Any]:
    """The conditions that the type imposes on the parts of a variable."""
    found = [bundle.length >= 0, bundle.length <= type_.most]
    for index, term in enumerate(bundle.elements):
        inside = _within(term, type_.element)
        found.append(z3.If(bundle.length > index, inside, term == bundle.default))
    return found


def _within(term: Any, element: Element) -> Any:
    low: int | None = None
    high: int | None = None
    match element:
        case EnumType(values=values):
            low, high = 0, len(values) - 1
        case IntType():
            low, high = element.low, element.high
    parts = [z3.BoolVal(True, term.ctx)]
    parts += [] if low is None else [term >= low]
    parts += [] if high is None else [term <= high]
    return z3.And(*parts)


def literal(items: Sequence[Any], context: Any) -> Bundle:
    """``[a, b]``"""
    return Bundle(z3.IntVal(len(items), context), tuple(items), _default(items[0]) if items else None)


def appended(items: Bundle, item: Any) -> Bundle:
    """``append(p, x)``"""
    default = _default(item)
    padded = items.padded(len(items.elements) + 1, default)
    elements = tuple(z3.If(items.length == place, item, term) for place, term in enumerate(padded))
    return Bundle(items.length + 1, elements, default)


def rest(items: Bundle) -> Bundle:
    """``rest(p)``"""
    return Bundle(z3.If(items.length > 0, items.length - 1, 0), items.elements[1:], items.default)


def element_at(items: Bundle, index: Any, default: Any = None) -> Any:
    """``p[i]``; the default is that of the elements, and says of which sort it is where there are none."""
    found = default if items.default is None else items.default
    for place in reversed(range(len(items.elements))):
        found = z3.If(index == place, items.elements[place], found)
    return found


def contains(items: Bundle, item: Any) -> Any:
    """``x in p``"""
    found = [z3.BoolVal(False, items.length.ctx)]
    found += [z3.And(items.length > place, term == item) for place, term in enumerate(items.elements)]
    return z3.Or(*found)


def equal(one: Bundle, other: Bundle) -> Any:
    """``p == q``"""
    _, pairs = _together(one, other)
    return z3.And(one.length == other.length, *(a == b for a, b in pairs))


def chosen(condition: Any, then: Bundle, otherwise: Bundle) -> Bundle:
    """``if c then p else q``"""
    default, pairs = _together(then, otherwise)
    elements = tuple(z3.If(condition, a, b) for a, b in pairs)
    return Bundle(z3.If(condition, then.length, otherwise.length), elements, default)


def _together(one: Bundle, other: Bundle) -> tuple[Any, list[tuple[Any, Any]]]:
    """The default of both, and their elements side by side."""
    default = other.default if one.default is None else one.default
    count = max(len(one.elements), len(other.elements))
    return default, list(zip(one.padded(count, default), other.padded(count, default), strict=True))
