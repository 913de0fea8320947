"""Texts in PlantUML: references to characters, and what is safe without one."""

from __future__ import annotations

import re

from fullproof.formats.columns import ColumnTable
from fullproof.formats.diagrams.text import decoded_references

_REFERENCE = re.compile(r"<U\+([0-9a-fA-F]{4,6})>|&#([0-9]{1,7});")
_UNSAFE = re.compile(r"[^\w .,:;+*/=()\[\]!?'|@$%#<>{}-]|<(?![ =])|^ | $| (?= )|&(?=#)|'(?=.*/)|/(?=')|(?<=')/")


def decoded(columns: ColumnTable, line: int, column: int, raw: str) -> str:
    r"""Decode a text that ends its line; ``columns`` learns where its characters stand. ``\n`` is a blank."""
    return decoded_references(columns, line, column, raw.replace(r"\n", "  "), _REFERENCE, _character)


def _character(match: re.Match[str]) -> str | None:
    code = int(match[1], 16) if match[1] else int(match[2])
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else None


def escaped(text: str) -> str:
    """A text in which nothing is syntax for PlantUML, and which ``decoded`` reads as the same."""
    return _UNSAFE.sub(lambda match: f"<U+{ord(match.group()):04X}>", text)
