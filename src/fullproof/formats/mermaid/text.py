"""Texts in Mermaid: character references, quoted names, and columns that count what stands in the file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from fullproof.formats.columns import ColumnTable

NAMED: Mapping[str, str] = {
    "amp": "&", "colon": ":", "gt": ">", "lt": "<", "lsqb": "[", "rsqb": "]", "nbsp": "\u00a0", "num": "#",
    "quot": '"', "semi": ";", "equals": "=", "lpar": "(", "rpar": ")", "percnt": "%", "lbrace": "{", "rbrace": "}",
}  # fmt: skip

_REFERENCE = re.compile(r"#(?:(?P<hex>x[0-9a-fA-F]{1,6})|(?P<number>[0-9]{1,7})|(?P<name>[a-z]{2,7}));")
_UNSAFE = re.compile(r"[^\w .,+*/=()\[\]!?'|@$-]|^ | $| (?= )")
_DIRECTION = re.compile(r"(?i:direction) ")
_BARE = re.compile(r"(?!(?:send|after|at|when|every)\b)[\w.+*@$'|&-]+( [\w.+*@$'|&-]+)*\Z")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def decoded(columns: ColumnTable, line: int, column: int, raw: str) -> str:
    """Decode a text that ends its line; ``columns`` learns where its characters stand."""
    parts: list[str] = []
    table = list(range(1, column))
    end = 0
    for match in _REFERENCE.finditer(raw):
        character = _character(match)
        if character is None:
            continue
        parts += [raw[end : match.start()], character]
        table += [column + offset for offset in range(end, match.start() + 1)]
        end = match.end()
    if not parts:
        return raw
    parts.append(raw[end:])
    table += [column + offset for offset in range(end, len(raw) + 1)]
    columns.tables[line] = table
    return "".join(parts)


def _character(match: re.Match[str]) -> str | None:
    if match["name"]:
        return NAMED.get(match["name"])
    code = int(match["hex"][1:], 16) if match["hex"] else int(match["number"])
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else None


def escaped(text: str) -> str:
    """A text in which nothing is syntax for Mermaid, and which ``decoded`` reads as the same."""
    text = _UNSAFE.sub(lambda match: f"#{ord(match.group())};", text)
    return _DIRECTION.sub(lambda match: match.group()[:-1] + "#32;", text)


def name_text(name: str) -> str:
    """A name in a label: bare where nothing in it is syntax of labels, else between quotes, as in JSON."""
    if _BARE.match(name):
        return name
    return json.dumps(name, ensure_ascii=False)


def quoted_name(text: str) -> str | None:
    """The name that a text between quotes stands for; None where it is none."""
    if not _QUOTED.fullmatch(text):
        return None
    try:
        name = json.loads(text, strict=False)
    except ValueError:
        return None
    return name if isinstance(name, str) else None


def find_outside_quotes(text: str, wanted: str, start: int = 0, *, around: str = "()") -> int:
    """The first place of one of the wanted characters that stands outside quotes and parentheses, or -1.

    ``around`` has the signs that open and close; where lists may stand, those of lists, too.
    """
    depth = 0
    offset = start
    while offset < len(text):
        character = text[offset]
        if character == '"' and (match := _QUOTED.match(text, offset)):
            offset = match.end()
            continue
        if character in wanted and depth <= 0:
            return offset
        if character in around:
            depth += 1 if around.index(character) % 2 == 0 else -1
        offset += 1
    return -1
