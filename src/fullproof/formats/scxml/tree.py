"""XML as elements and attributes that know where they stand, to the character; nothing is ever expanded or fetched.

Document types, and with them entities, are refused: a model needs none, and entities are a way to attack readers of
XML.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.formats.source import TextPlaces

MAX_DEPTH = 60
"""Elements inside elements: readers may recurse."""

_ATTRIBUTE = re.compile(r"""\s+([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(\w+));")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


@dataclass(frozen=True, slots=True)
class Attribute:
    """A text between quotes; ``place`` leads from an offset in it to the file."""

    text: str
    place: Callable[[int], Place]

    @property
    def at(self) -> Place:
        """Where the text begins."""
        return self.place(0)


@dataclass(slots=True)
class Element:
    """A tag with its attributes, each named by its namespace ('' for none) and its local name."""

    namespace: str
    tag: str
    attributes: dict[tuple[str, str], Attribute]
    at: Place
    children: list[Element] = field(default_factory=list)
    text: str = ""
    """The first words between its tags that are no elements, and where they stand."""
    text_at: Place = NOWHERE
    content: Attribute | None = None
    """All text between its tags."""

    def get(self, name: str, namespace: str = "") -> Attribute | None:
        """An attribute, where it is there."""
        return self.attributes.get((namespace, name))


def parse_xml(text: str, *, file: str) -> Element:
    """The root element, or a UserError at the character where the text stops being XML."""
    return _Builder(text, file).parsed()


class _Builder:
    def __init__(self, text: str, file: str) -> None:
        self.data = text.encode("utf-8")
        self.text = text
        self.stack: list[Element] = []
        self.root: Element | None = None
        self.parser = expat.ParserCreate("utf-8", namespace_separator=" ")
        self.parser.ordered_attributes = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.place = TextPlaces(text, file=file).place
        self._last = (0, 0)

    def parsed(self) -> Element:
        try:
            self.parser.Parse(self.data, True)
        except expat.ExpatError as error:
            what = expat.errors.messages.get(error.code, "").replace("not well-formed (invalid token)", "invalid token")
            here = self.offset(self.parser.ErrorByteIndex)
            hint = "; in a value, < is &lt; and & is &amp;" if self.text[here : here + 1] in ("<", "&") else ""
            raise UserError(f"not well-formed XML: {what}{hint}", at=self.place(here)) from None
        except UnicodeEncodeError:
            raise UserError("not well-formed XML: a character that UTF-8 does not have", at=self.place(0)) from None
        if self.root is None:
            raise UserError("not well-formed XML: there is no element", at=self.place(0))
        return self.root

    def offset(self, index: int) -> int:
        """The character at a byte; bytes are asked for in their order, so that each is counted once."""
        last_byte, last_character = self._last
        if index < last_byte:
            last_byte = last_character = 0
        character = last_character + len(self.data[last_byte:index].decode("utf-8", errors="ignore"))
        self._last = (index, character)
        return character

    def doctype(self, *_: object) -> NoReturn:
        here = self.offset(self.parser.CurrentByteIndex)
        at = self.place(max(self.text.rfind("<!DOCTYPE", 0, here + 1), 0))
        raise UserError("a document type declaration; it could only define entities, which are not read", at=at)

    def start(self, name: str, pairs: list[str]) -> None:
        begin = self.offset(self.parser.CurrentByteIndex)
        at = self.place(begin)
        if len(self.stack) >= MAX_DEPTH:
            raise UserError(f"elements are nested more than {MAX_DEPTH} deep", at=at)
        namespace, tag = _split(name)
        names, values = pairs[::2], pairs[1::2]
        found = self.located(begin)
        attributes: dict[tuple[str, str], Attribute] = {}
        for number, (attribute, value) in enumerate(zip(names, values, strict=True)):
            exact = found[number] if len(found) == len(names) else None
            attributes[_split(attribute)] = self.attribute(value, exact, at)
        element = Element(namespace, tag, attributes, at)
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            self.root = element
        self.stack.append(element)

    def located(self, begin: int) -> list[tuple[int, str]]:
        """Where the values of the attributes of a start tag begin, and how they are written; xmlns is left out."""
        position = begin + 1
        while self.text[position] not in " \t\n/>":
            position += 1
        found: list[tuple[int, str]] = []
        while match := _ATTRIBUTE.match(self.text, position):
            which = 2 if match[2] is not None else 3
            if match[1] != "xmlns" and not match[1].startswith("xmlns:"):
                found.append((match.start(which), match[which]))
            position = match.end()
        return found

    def attribute(self, value: str, written: tuple[int, str] | None, at: Place) -> Attribute:
        if written is not None and "&" not in written[1]:  # every character stands for itself
            first, size = written[0], len(value)
            return Attribute(value, lambda offset: self.place(first + min(offset, size)))
        offsets = None if written is None else _offsets(written[1], value)
        if written is None or offsets is None:  # cannot happen where the XML is well-formed; a line is still right
            return Attribute(value, lambda _: Place(file=at.file, line=at.line))
        begin = written[0]
        return Attribute(value, lambda offset: self.place(begin + offsets[min(offset, len(offsets) - 1)]))

    def end(self, _: str) -> None:
        self.stack.pop()

    def characters(self, text: str) -> None:
        here = self.stack[-1]
        if here.content is not None:
            here.content = Attribute(here.content.text + text, here.content.place)
        elif text.strip():
            first = self.offset(self.parser.CurrentByteIndex)
            here.content = Attribute(text, lambda offset: self.place(min(first + offset, len(self.text))))
        if text.strip() and not here.text:
            begin = self.offset(self.parser.CurrentByteIndex)
            here.text_at = self.place(begin + len(text) - len(text.lstrip()))
            here.text = text.strip()


def _split(name: str) -> tuple[str, str]:
    namespace, _, local = name.rpartition(" ")
    return namespace, local


def _offsets(written: str, value: str) -> list[int] | None:
    """For each character of a value, and for its end, where it stands in what is written."""
    offsets: list[int] = []
    decoded: list[str] = []
    position = 0
    while position < len(written):
        offsets.append(position)
        match = _REFERENCE.match(written, position)
        if match is None:
            decoded.append(" " if written[position] in "\n\t" else written[position])
            position += 1
            continue
        decoded.append(
            chr(int(match[1], 16)) if match[1] else chr(int(match[2])) if match[2] else _NAMED.get(match[3], "?")
        )
        position = match.end()
    return [*offsets, len(written)] if "".join(decoded) == value else None
