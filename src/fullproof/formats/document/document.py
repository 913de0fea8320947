"""Typed access to the tree of a model file: every value is valid, or a UserError names the place and the error."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar, cast

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import all_of, did_you_mean
from fullproof.formats.document.tree import Fields, Items, Node, Scalar, describe

Read = TypeVar("Read")

_WHOLE = re.compile(r"[0-9]{1,9}\Z")


class Document:
    """One file's tree, with the access functions that all kinds of models use."""

    def __init__(self, root: Node, *, file: str) -> None:
        self.file = file
        self.root = root
        self._parsed: dict[tuple[object, str], object] = {}

    def place(self, node: Node) -> Place:
        """Where a node stands; a text that was folded or escaped has a line, but columns in it cannot be counted."""
        exact = not isinstance(node, Scalar) or node.exact
        return Place(file=self.file, line=node.line, column=node.column if exact else None)

    def error(self, message: str, node: Node) -> UserError:
        """A mistake at a node."""
        return UserError(message, at=Place(file=self.file, line=node.line, column=node.column))

    def fields(self, node: Node, what: str) -> tuple[tuple[Scalar, Node], ...]:
        """The keys of a node with their values."""
        if not isinstance(node, Fields):
            raise self.error(f"{what} should be keys with values, found {describe(node)}", node)
        for index, (key, value) in enumerate(node.entries):
            if not key.text:
                raise self.error(f"an empty key in {what}", key)
            if node.flow and isinstance(value, Scalar) and value.empty and not value.text:
                self._explain_nothing(node, index)
        return node.entries

    def record(self, node: Node, what: str, keys: Sequence[str]) -> dict[str, Node]:
        """The values of known keys; another key is an error that suggests the nearest known one."""
        found: dict[str, Node] = {}
        for key, value in self.fields(node, what):
            if key.text not in keys:
                raise self.error(f"unknown key {describe(key)} in {what}{all_of(key.text, keys)}", key)
            found[key.text] = value
        return found

    def items(self, node: Node, what: str) -> tuple[Node, ...]:
        """The items of a list."""
        if not isinstance(node, Items):
            raise self.error(f"{what} should be a list, found {describe(node)}", node)
        return node.entries

    def one_or_more(self, node: Node, what: str) -> tuple[Node, ...]:
        """The items of a list, which may be left out around a single text."""
        return (node,) if isinstance(node, Scalar) and not node.empty else self.items(node, what)

    def scalar(self, node: Node, what: str) -> Scalar:
        """A text that is there, as it is written: ``0``, ``true`` and ``null`` are texts, too."""
        if not isinstance(node, Scalar) or node.empty:
            raise self.error(f"{what} should be a text, found {describe(node)}", node)
        return node

    def name(self, node: Node, what: str) -> str:
        """A text with at least one character."""
        text = self.scalar(node, what).text
        if not text:
            raise self.error(f"{what} is empty", node)
        return text

    def names(self, nodes: Iterable[Node], what: str) -> tuple[str, ...]:
        """Distinct names."""
        found: dict[str, None] = {}
        for node in nodes:
            name = self.name(node, what)
            if name in found:
                raise self.error(f"{what} {describe(node)} is listed twice", node)
            found[name] = None
        return tuple(found)

    def known(self, node: Node, what: str, known: Collection[str]) -> str:
        """A name among known ones; another is an error that suggests the nearest."""
        name = self.name(node, what)
        if name not in known:
            raise self.error(f"unknown {what} {describe(node)}{_hint(name, known)}", node)
        return name

    def whole_number(self, node: Node, what: str) -> int:
        """A number 0, 1, 2 and so on."""
        if not isinstance(node, Scalar) or not _WHOLE.match(node.text):
            raise self.error(f"{what} should be a whole number from 0, found {describe(node)}", node)
        return int(node.text)

    def parsed(self, node: Node, what: str, parse: Callable[[str, Place], Read]) -> Read:
        """What ``parse`` makes of a text and the place where it begins.

        Large models repeat themselves: the same text is parsed once, so that equal trees are one tree, with the places
        of its first occurrence.
        """
        scalar = self.scalar(node, what)
        if scalar.flow and not scalar.quoted and _unbalanced(scalar.text):
            raise self.error(
                f"the text {describe(scalar)} ends at a comma, or lacks a parenthesis; quote an expression that has"
                " a comma in it: '...'",
                scalar,
            )
        key = (parse, scalar.text)
        if key not in self._parsed:
            self._parsed[key] = parse(scalar.text, self.place(scalar))
        return cast("Read", self._parsed[key])

    def _explain_nothing(self, node: Fields, index: int) -> None:
        """Between braces, a key without a value is often half of something else: ``when:x``, ``h == min(100, t)``."""
        wrong = node.entries[index][0]
        if ":" in wrong.text and not wrong.quoted:
            raise self.error(f"a blank is missing after the ':' of {describe(wrong)}", wrong)
        key, value = node.entries[index - 1]
        if index and isinstance(value, Scalar) and not value.quoted and not value.empty:
            parts = [value.text]
            for rest, nothing in node.entries[index:]:
                if not isinstance(nothing, Scalar) or not nothing.empty or nothing.text:
                    break
                parts.append(rest.text)
            quoted = ", ".join(parts).replace("'", "''")[:80]
            raise self.error(f"a text with a comma is quoted here: {key.text[:60]}: '{quoted}'", value)


def _unbalanced(text: str) -> bool:
    return text.count("(") != text.count(")")


def _hint(wrong: str, known: Collection[str]) -> str:
    return did_you_mean(wrong, known) if len(wrong) <= 60 else ""
