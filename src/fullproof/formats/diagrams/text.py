"""Names and signs in the labels of diagrams."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from fullproof.formats.columns import ColumnTable

_BARE = re.compile(r"(?!(?:send|raise|after|at|when|every)\b)[\w.+*@$'|&-]+( [\w.+*@$'|&-]+)*\Z")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def decoded_references(
    columns: ColumnTable,
    line: int,
    column: int,
    raw: str,
    reference: re.Pattern[str],
    character: Callable[[re.Match[str]], str | None],
) -> str:
    """Decode the references to characters in a text that ends its line; ``columns`` learns where its characters stand.

    ``character`` gives the text that a reference stands for, None where it is none.
    """
    parts: list[str] = []
    table = list(range(1, column))
    end = 0
    for match in reference.finditer(raw):
        meant = character(match)
        if meant is None:
            continue
        parts += [raw[end : match.start()], meant]
        table += [column + offset for offset in range(end, match.start() + 1)]
        end = match.end()
    if not parts:
        return raw
    parts.append(raw[end:])
    table += [column + offset for offset in range(end, len(raw) + 1)]
    columns.tables[line] = table
    return "".join(parts)


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
