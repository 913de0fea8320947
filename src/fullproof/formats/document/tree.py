"""What YAML and JSON have in common: trees of scalars, fields and items that know where they stand.

A scalar keeps the text it was written with: ``0``, ``1.0``, ``true`` and ``no`` are texts until a reader asks for more.
Named tuples, because large files have millions of them.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

MAX_DEPTH = 40
"""Levels of nesting: a model needs six, and readers may recurse."""


class Scalar(NamedTuple):
    """A text. ``line`` and ``column`` are those of its first character, inside the quotes where there are any."""

    text: str
    line: int
    column: int
    quoted: bool = False
    """Written between quotes or as a block: nothing in the text is syntax."""
    flow: bool = False
    """Stands between the brackets of YAML's flow style, where a comma ends it."""
    exact: bool = True
    """Every character of the text stands in the file as it is, on one line: columns can be counted."""

    @property
    def empty(self) -> bool:
        """Nothing was written, not even a colon (no text), or nothing after a colon, or ``~``, or null (``~``)."""
        return not self.quoted and self.text in ("", "~")


class Fields(NamedTuple):
    """Keys with their values, in the order of the file; no key occurs twice."""

    entries: tuple[tuple[Scalar, Node], ...]
    line: int
    column: int
    flow: bool = False


class Items(NamedTuple):
    """A list."""

    entries: tuple[Node, ...]
    line: int
    column: int


Node: TypeAlias = Scalar | Fields | Items


def describe(node: Node) -> str:
    """What a node is, for messages."""
    match node:
        case Items():
            return "a list"
        case Fields():
            return "keys with values"
        case Scalar() if node.empty:
            return "nothing"
        case Scalar():
            return repr(node.text) if len(node.text) <= 60 else repr(node.text[:57] + "...")
