"""Lists as values: a string such as ``[1, 2]`` that holds its elements.

Two lists are equal iff their texts are, so that whatever remembers and compares values by equality does so with lists,
too; a text is not a number, so that nothing calculates with one (docs/adr/031-lists-are-texts.md). Solvers see the
length and the elements (``smt/backends/z3_lists.py``).
"""

from __future__ import annotations

from collections.abc import Iterable

from fullproof.language.strings import StringValue, quoted, text_of
from fullproof.language.types import BoolType, Element, EnumType, IntType, StringType, Value

MOST = 64
"""The greatest length that a type may allow: a solver sees each element."""


class Listed(str):
    """A list as a value. Its text is the list as expressions write it."""

    __slots__ = ("items",)
    items: tuple[Value, ...]

    def __reduce__(self) -> tuple[object, tuple[tuple[Value, ...]]]:
        return listed, (self.items,)

    def __deepcopy__(self, memo: object) -> Listed:
        return self


def listed(items: Iterable[Value]) -> Listed:
    """The list of some elements."""
    elements = tuple(items)
    value = Listed(f"[{', '.join(map(_text, elements))}]")
    value.items = elements
    return value


def default_of(type_: Element) -> Value:
    """What ``p[i]`` is where the list has no element i: false, 0, the first value of an enum, the empty string."""
    match type_:
        case BoolType():
            return False
        case EnumType(values=values):
            return values[0]
        case StringType():
            return text_of("")
        case IntType():
            return 0


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return quoted(value.text) if isinstance(value, StringValue) else str(value)


EMPTY = listed(())
