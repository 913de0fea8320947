"""Mapping files: small YAML files that say how the inputs and outputs of a model are spelt by a system."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import all_of
from fullproof.execute.observation import python_value
from fullproof.formats.document.tree import Fields, Items, Node, Scalar, describe
from fullproof.formats.source import read_source
from fullproof.formats.yaml.reader import parse_yaml
from fullproof.language.types import Value

_VARIABLE = re.compile(r"\$\{(\w+)\}")


class MappingFile:
    """A part of a mapping file whose keys are known beforehand; every error names its place."""

    def __init__(self, node: Node, *, file: str, keys: Collection[str] | None) -> None:
        self._file = file
        if not isinstance(node, Fields):
            raise UserError(f"expected keys with values, found {describe(node)}", at=self._place(node))
        self._node = node
        self._fields = {key.text: (key, value) for key, value in node.entries}
        for key, _ in node.entries:
            if keys is not None and key.text not in keys:
                raise UserError(f"unknown key {key.text!r}{all_of(key.text, sorted(keys))}", at=self._place(key))

    def __contains__(self, key: str) -> bool:
        return key in self._fields

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def place(self, key: str) -> Place:
        """Where the value of a key stands, or the whole part where there is no such key."""
        return self._place(self._fields[key][1] if key in self._fields else self._node)

    def text(self, key: str) -> str | None:
        """The text of a key, or None where it is absent."""
        if key not in self._fields:
            return None
        value = self._fields[key][1]
        if not isinstance(value, Scalar) or value.empty:
            raise UserError(f"expected a text for {key!r}, found {describe(value)}", at=self._place(value))
        return value.text

    def part(self, key: str, keys: Collection[str] | None = None) -> MappingFile | None:
        """The keys below a key."""
        if key not in self._fields:
            return None
        return MappingFile(self._fields[key][1], file=self._file, keys=keys)

    def is_text(self, key: str) -> bool:
        """Whether the value of a key is a text rather than keys or a list."""
        return key in self._fields and isinstance(self._fields[key][1], Scalar)

    def is_keys(self, key: str) -> bool:
        """Whether the value of a key has keys itself."""
        return key in self._fields and isinstance(self._fields[key][1], Fields)

    def texts(self, key: str) -> list[tuple[str, Place]]:
        """The texts of a key, one or a list of them, each with its place."""
        if key not in self._fields:
            return []
        value = self._fields[key][1]
        entries = value.entries if isinstance(value, Items) else (value,)
        found = []
        for entry in entries:
            if not isinstance(entry, Scalar) or entry.empty:
                raise UserError(f"expected texts for {key!r}, found {describe(entry)}", at=self._place(entry))
            found.append((entry.text, self._place(entry)))
        return found

    def listed(self, key: str) -> MappingFile:
        """The entries of a list, or the one value that stands for it, under the keys 0, 1, ..."""
        value = self._fields[key][1]
        entries = value.entries if isinstance(value, Items) else (value,)
        named = tuple((Scalar(str(n), entry.line, entry.column), entry) for n, entry in enumerate(entries))
        return MappingFile(Fields(named, value.line, value.column), file=self._file, keys=None)

    def whole(self, key: str, *, least: int = 0, most: int = 1 << 31) -> int | None:
        """The whole number of a key, or None where it is absent."""
        if key not in self._fields:
            return None
        number = self.plain(key)
        if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
            wanted = f"a whole number from {least}" + (f" to {most}" if most < 1 << 31 else " on")
            raise UserError(
                f"expected {wanted} for {key!r}, found {describe(self._fields[key][1])}", at=self.place(key)
            )
        return number

    def choice(self, key: str, choices: Collection[str], default: str) -> str:
        """The text of a key that is one of some words."""
        text = self.text(key)
        if text is not None and text not in choices:
            raise UserError(f"{text!r} is not known here, expected {' or '.join(choices)}", at=self.place(key))
        return default if text is None else text

    def plain(self, key: str) -> object:
        """The value of a key as JSON has it: unquoted numbers, true, false and null are what they look like."""
        return _plain(self._fields[key][1])

    def _place(self, node: Node) -> Place:
        return Place(file=self._file, line=node.line, column=node.column)


def read_mapping(path: Path, *, keys: Collection[str]) -> MappingFile:
    """Read a mapping file, or raise a UserError."""
    return MappingFile(parse_yaml(read_source(path), file=str(path)), file=str(path), keys=keys)


def fill_in(text: str, *, at: Place) -> str:
    """Put variables of the environment in the place of ``${NAME}``, so that no file holds a secret."""

    def value(found: re.Match[str]) -> str:
        if found[1] not in os.environ:
            raise UserError(f"the environment has no variable {found[1]}", at=at)
        return os.environ[found[1]]

    return _VARIABLE.sub(value, text)


def spelt(value: Value | None) -> str:
    """A value as text: of a fraction without a finite decimal, the nearest float; nothing for no value."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value
    number = python_value(value)
    return number if isinstance(number, str) else repr(number if isinstance(number, int | list) else float(number))


_WORDS: dict[str, object] = {"true": True, "false": False, "null": None, "~": None}


def _plain(node: Node) -> object:
    match node:
        case Fields():
            return {key.text: _plain(value) for key, value in node.entries}
        case Items():
            return [_plain(entry) for entry in node.entries]
        case Scalar(quoted=True):
            return node.text
        case Scalar():
            return _WORDS[node.text] if node.text in _WORDS else _number(node.text)


def _number(text: str) -> object:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
