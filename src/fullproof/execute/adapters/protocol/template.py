r"""What is sent for an input: texts, bytes in hex, numbers, parts with their length before and their checksum after.

In a mapping file a template is one part or a list of them::

    "GET {key}\r\n"                                 # a text; {x} is a value of the input or a captured one
    hex: 30 0A 00 01                                 # bytes; {x} here stands for bytes in hex
    u16: '{x}'                                       # a number; or u8, u32le, i16, f32, varint, decimal
    {length: u16, of: [...], plus: 2, between: ""}   # the length of parts and, after `between`, the parts
    {checksum: crc16-modbus, of: [...], as: u16le}   # parts and their checksum
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.execute.adapters.mapping import MappingFile, fill_in
from fullproof.execute.adapters.protocol.number import CHECKSUMS, NUMBERS, encode, is_encoding

_NAME = re.compile(r"\{([A-Za-z_][\w.]*)\}")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})*")
_SUFFIXES = ("of", "plus", "between", "as")


@dataclass(frozen=True, slots=True)
class TemplatePart:
    """A piece of a message: ``kind`` is text, hex, number, length or checksum."""

    kind: str
    at: Place
    text: str = ""
    encoding: str = ""
    of: tuple[TemplatePart, ...] = ()
    plus: int = 0
    between: str = ""
    """What stands between the length and the parts."""

    def render(self, values: Mapping[str, str]) -> bytes:
        """The bytes with values in the place of ``{x}``; a UserError where a value does not fit."""
        try:
            return self._rendered(values)
        except UserError as error:
            raise UserError(error.message, at=self.at if error.at == NOWHERE else error.at) from None

    def _rendered(self, values: Mapping[str, str]) -> bytes:
        text = filled(self.text, values)
        inner = rendered(self.of, values)
        match self.kind:
            case "text":
                return text.encode("utf-8", "surrogateescape")
            case "hex":
                plain = "".join(text.split())
                if not _HEX.fullmatch(plain):
                    raise UserError(f"{text!r} is not bytes in hex, expected pairs of digits such as 0A FF")
                return bytes.fromhex(plain)
            case "number":
                return encode(_number(text), self.encoding)
            case "length":
                between = filled(self.between, values).encode()
                return encode(len(inner) + self.plus, self.encoding) + between + inner
            case _:
                return inner + encode(CHECKSUMS[self.text][0](inner), self.encoding)


def rendered(parts: tuple[TemplatePart, ...], values: Mapping[str, str]) -> bytes:
    """A whole message."""
    return b"".join(part.render(values) for part in parts)


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with values in the place of ``{x}``; what has no value yet is empty."""
    return _NAME.sub(lambda found: values.get(found[1], ""), text)


def check_names(text: str, known: Collection[str], *, at: Place) -> None:
    """A UserError where ``{x}`` in a text is not the name of a value."""
    for name in _NAME.findall(text):
        if name not in known:
            hint = did_you_mean(name, known) or f"; known are {', '.join(sorted(known))}"
            raise UserError(f"there is no value {{{name}}} to fill in{hint}", at=at)


def read_template(mapping: MappingFile, key: str, names: Collection[str]) -> tuple[TemplatePart, ...]:
    """The parts of a template; ``names`` are the values that may be filled in."""
    entries = mapping.listed(key)
    return tuple(_part(entries, entry, names) for entry in entries)


def is_part(mapping: MappingFile, key: str) -> bool:
    """Whether the keys below a key are those of a part of a template."""
    given = mapping.part(key)
    return given is not None and any(name in _KINDS or is_encoding(name) for name in given)


_KINDS = ("text", "hex", "length", "checksum")


def _part(entries: MappingFile, entry: str, names: Collection[str]) -> TemplatePart:
    at = entries.place(entry)
    if entries.is_text(entry):
        return TemplatePart("text", at, _text(entries, entry, names))
    given = entries.part(entry)
    assert given is not None
    kinds = [name for name in given if name not in _SUFFIXES]
    if len(kinds) != 1 or not (kinds[0] in _KINDS or is_encoding(kinds[0])):
        found = ", ".join(kinds) or "nothing"
        raise UserError(f"expected one of text, hex, length, checksum or a number such as u16, found {found}", at=at)
    kind = kinds[0]
    if kind == "length":
        return _with_length(given, names, at)
    if kind == "checksum":
        return _with_checksum(given, names, at)
    _only(given, (kind,))
    text = _text(given, kind, names)
    part = TemplatePart(kind if kind in _KINDS else "number", given.place(kind), text, encoding=kind)
    if not _NAME.search(text):
        part.render({})  # a constant that does not fit is found before anything is sent
    return part


def _with_length(given: MappingFile, names: Collection[str], at: Place) -> TemplatePart:
    _only(given, ("length", "of", "plus", "between"))
    encoding = given.text("length") or ""
    if not is_encoding(encoding) or encoding.startswith("f"):
        raise UserError(f"{encoding!r} is not a way to write a length, expected {NUMBERS}", at=given.place("length"))
    between = _text(given, "between", names) if "between" in given else ""
    plus = given.whole("plus", least=-(1 << 20)) or 0
    return TemplatePart("length", at, encoding=encoding, of=_inner(given, names), plus=plus, between=between)


def _with_checksum(given: MappingFile, names: Collection[str], at: Place) -> TemplatePart:
    _only(given, ("checksum", "of", "as"))
    name = given.text("checksum") or ""
    if name not in CHECKSUMS:
        hint = did_you_mean(name, CHECKSUMS) or f", expected {', '.join(CHECKSUMS)}"
        raise UserError(f"{name!r} is not a checksum{hint}", at=given.place("checksum"))
    encoding = given.text("as") or CHECKSUMS[name][1]
    if not is_encoding(encoding):
        raise UserError(f"{encoding!r} is not a way to write a number, expected {NUMBERS}", at=given.place("as"))
    return TemplatePart("checksum", at, name, encoding, _inner(given, names))


def _inner(given: MappingFile, names: Collection[str]) -> tuple[TemplatePart, ...]:
    if "of" not in given:
        raise UserError("expected a key 'of' with the parts that are counted", at=given.place("of"))
    return read_template(given, "of", names)


def _only(given: MappingFile, keys: Collection[str]) -> None:
    for name in given:
        if name not in keys:
            raise UserError(f"{name!r} does not belong to {next(iter(keys))!r}", at=given.place(name))


def _text(given: MappingFile, key: str, names: Collection[str]) -> str:
    text = fill_in(given.text(key) or "", at=given.place(key))
    check_names(text, names, at=given.place(key))
    return text


def _number(text: str) -> float:
    try:
        number = Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        raise UserError(f"{text!r} is not a number") from None
    return int(number) if number.denominator == 1 else float(number)
