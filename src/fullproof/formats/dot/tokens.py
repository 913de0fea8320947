"""The words of a Graphviz file: https://graphviz.org/doc/info/lang.html"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from fullproof.core.errors import Place, UserError

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|\#[^\n]*)
    |(?P<id>[^\W\d]\w*|-?(?:\.\d+|\d+(?:\.\d*)?))
    |(?P<mark>->|--|[{}\[\]=;,:+])
    |"(?P<quoted>[^"\\]*(?:\\.[^"\\]*)*)"
    |(?P<html><)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)
_ESCAPED = {'"': '"', "\\": "\\", "n": "\n", "l": "\n", "r": "\n", "\n": ""}
_ANGLE = re.compile(r"[<>]")
_TAG = re.compile(r"<[^>]*>")

BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
KEYWORDS = frozenset(("graph", "digraph", "subgraph", "node", "edge", "strict"))


class DotToken(NamedTuple):
    """An identifier, quoted or not, or a mark such as ``->``; ``keyword`` is its lower case where it is one."""

    text: str
    line: int
    column: int
    mark: bool = False
    keyword: str = ""


def tokens(text: str, *, file: str) -> Iterator[DotToken]:
    """Yield the tokens; comments and blanks are dropped, escapes in quoted texts undone."""
    position, line, line_start = 0, 1, 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        column = position - line_start + 1
        if match is None:
            raise UserError(_complaint(text, position), at=Place(file=file, line=line, column=column))
        end, kind = match.end(), match.lastgroup
        if kind == "id":
            word = match.group()
            lower = word.lower()
            yield DotToken(word, line, column, keyword=lower if lower in KEYWORDS else "")
        elif kind == "mark":
            yield DotToken(match.group(), line, column, mark=True)
        elif kind == "quoted":
            yield DotToken(unescape(match.group("quoted")), line, column)
        elif kind == "html":
            end = _html_end(text, position, place=Place(file=file, line=line, column=column))
            yield DotToken(html.unescape(_TAG.sub("", text[position + 1 : end - 1])).strip(), line, column)
        newlines = text.count("\n", position, end)
        if newlines:
            line += newlines
            line_start = text.rfind("\n", position, end) + 1
        position = end


def unescape(text: str) -> str:
    r"""Undo ``\"``, ``\\`` and the line breaks ``\n \l \r``; other backslashes stand for themselves."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match.group(1), match.group()), text)


def quote(text: str) -> str:
    """Write an identifier so that ``tokens`` reads it back: bare where that is allowed."""
    if BARE.match(text) and text.lower() not in KEYWORDS:
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _complaint(text: str, position: int) -> str:
    if text[position] == '"':
        return "this quote is never closed"
    if text.startswith("/*", position):
        return "this comment is never closed"
    return f"unexpected {text[position]!r} in a dot file"


def _html_end(text: str, start: int, *, place: Place) -> int:
    depth = 0
    for match in _ANGLE.finditer(text, start):
        depth += 1 if match.group() == "<" else -1
        if depth == 0:
            return match.end()
    raise UserError("this '<' is never closed", at=place)
