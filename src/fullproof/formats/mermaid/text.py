"""Texts in Mermaid: character references, and columns that count what stands in the file."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fullproof.formats.columns import ColumnTable
from fullproof.formats.diagrams.text import decoded_references

NAMED: Mapping[str, str] = {
    "amp": "&", "colon": ":", "gt": ">", "lt": "<", "lsqb": "[", "rsqb": "]", "nbsp": "\u00a0", "num": "#",
    "quot": '"', "semi": ";", "equals": "=", "lpar": "(", "rpar": ")", "percnt": "%", "lbrace": "{", "rbrace": "}",
}  # fmt: skip

_REFERENCE = re.compile(r"#(?:(?P<hex>x[0-9a-fA-F]{1,6})|(?P<number>[0-9]{1,7})|(?P<name>[a-z]{2,7}));")
_UNSAFE = re.compile(r"[^\w .,+*/=()\[\]!?'|@$-]|^ | $| (?= )")
_DIRECTION = re.compile(r"(?i:direction) ")


def decoded(columns: ColumnTable, line: int, column: int, raw: str) -> str:
    """Decode a text that ends its line; ``columns`` learns where its characters stand."""
    return decoded_references(columns, line, column, raw, _REFERENCE, _character)


def _character(match: re.Match[str]) -> str | None:
    if match["name"]:
        return NAMED.get(match["name"])
    code = int(match["hex"][1:], 16) if match["hex"] else int(match["number"])
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else None


def escaped(text: str) -> str:
    """A text in which nothing is syntax for Mermaid, and which ``decoded`` reads as the same."""
    text = _UNSAFE.sub(lambda match: f"#{ord(match.group())};", text)
    return _DIRECTION.sub(lambda match: match.group()[:-1] + "#32;", text)
