"""JSON text to a tree with positions, which the standard library's parser does not keep."""

from __future__ import annotations

import json
import re

from fullproof.core.errors import UserError
from fullproof.formats.document.tree import MAX_DEPTH, Fields, Items, Node, Scalar
from fullproof.formats.source import TextPlaces

_BLANK = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_WORD = re.compile(r"[^\s,:\[\]{}\"]+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")
_LITERALS = ("true", "false", "null")


def parse_json(text: str, *, file: str) -> Node:
    """Read one JSON value. Numbers and truth values are scalars with the text as written, null is an empty one."""
    return _Parser(text, file).document()


class _Parser:
    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.at = 0
        self.places = TextPlaces(text, file=file)
        self.position = self.places.position

    def document(self) -> Node:
        node = self.value(0)
        self.skip()
        if self.at < len(self.text):
            raise self.error("expected the end of the file")
        return node

    def value(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise self.error(f"brackets are nested more than {MAX_DEPTH} deep")
        self.skip()
        match self.text[self.at : self.at + 1]:
            case "{":
                return self.fields(depth)
            case "[":
                return self.items(depth)
            case '"':
                return self.string()
            case _:
                return self.word()

    def fields(self, depth: int) -> Fields:
        line, column = self.position(self.at)
        entries: dict[str, tuple[Scalar, Node]] = {}
        self.at += 1
        while not self.closes("}", first=not entries):
            self.skip()
            if not self.text.startswith('"', self.at):
                raise self.error("expected a key between double quotes")
            start = self.at
            key = self.string()
            if key.text in entries:
                first = entries[key.text][0].line
                raise self.error(f"key {key.text[:60]!r} occurs twice, first on line {first}", start)
            self.skip()
            if not self.text.startswith(":", self.at):
                raise self.error("expected ':' after the key")
            self.at += 1
            entries[key.text] = (key, self.value(depth + 1))
        return Fields(tuple(entries.values()), line, column)

    def items(self, depth: int) -> Items:
        line, column = self.position(self.at)
        entries: list[Node] = []
        self.at += 1
        while not self.closes("]", first=not entries):
            entries.append(self.value(depth + 1))
        return Items(tuple(entries), line, column)

    def closes(self, bracket: str, *, first: bool) -> bool:
        """Go past the closing bracket, or past the comma before the next entry."""
        self.skip()
        if self.text.startswith(bracket, self.at):
            self.at += 1
            return True
        if not first:
            if not self.text.startswith(",", self.at):
                raise self.error(f"expected ',' or {bracket!r}")
            self.at += 1
            self.skip()
            if self.text.startswith(bracket, self.at):
                raise self.error(f"a comma before {bracket!r} is not JSON")
        return False

    def string(self) -> Scalar:
        match = _STRING.match(self.text, self.at)
        if match is None:
            raise self.error("this quote is never closed")
        raw = match.group()
        line, column = self.position(self.at)
        value = raw[1:-1]
        plain = value.isprintable() and "\\" not in value
        if not plain:
            try:
                value = json.loads(raw)
                value.encode()
            except json.JSONDecodeError as error:
                message = error.msg.removesuffix(" at")
                raise self.error(message[0].lower() + message[1:], self.at + error.pos) from None
            except UnicodeEncodeError:
                raise self.error("half of a surrogate pair is not a character") from None
        self.at = match.end()
        return Scalar(value, line, column + 1, quoted=True, exact=plain)

    def word(self) -> Scalar:
        match = _WORD.match(self.text, self.at)
        if match is None:
            found = self.text[self.at : self.at + 1]
            raise self.error("expected a value" + (f", found {found!r}" if found else ""))
        word = match.group()
        if word not in _LITERALS and not _NUMBER.match(word):
            raise self.error(f"{word[:60]!r} is not JSON, expected a text between double quotes or a number")
        line, column = self.position(self.at)
        self.at = match.end()
        return Scalar("~" if word == "null" else word, line, column)

    def skip(self) -> None:
        match = _BLANK.match(self.text, self.at)
        if match is not None:
            self.at = match.end()

    def error(self, message: str, offset: int | None = None) -> UserError:
        at_end = offset is None and self.at >= len(self.text)
        place = self.places.place(len(self.text.rstrip()) if at_end else self.at if offset is None else offset)
        return UserError(("the file ends too early: " if at_end else "") + message, at=place)
