"""The words of conditions and values in SCXML: a part of ECMAScript's expressions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from fullproof.core.errors import Place, UserError
from fullproof.formats.scxml.tree import Attribute

_TOKEN = re.compile(
    r"""(?P<blank>\s+)
    |(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    |(?P<name>[^\W\d][\w$]*)
    |(?P<string>'[^'\\]*'|"[^"\\]*")
    |(?P<sign>===|!==|\*\*|==|!=|<=|>=|&&|\|\||[-+*/%<>!()?:,.])
    """,
    re.VERBOSE,
)
_FOREIGN = {
    "=": "an assignment inside an expression; did you mean ==?",
    "&": "bits are not known here; did you mean &&?",
    "|": "bits are not known here; did you mean ||?",
    "'": "a text without its closing quote, or with a backslash",
    '"': "a text without its closing quote, or with a backslash",
    "[": "lists are not known here",
    "{": "objects are not known here",
    ";": "statements are not known here, only one expression",
}


@dataclass(frozen=True, slots=True)
class ScxmlToken:
    """A word; ``kind`` is number, name, string, sign or end."""

    kind: str
    text: str
    at: Place


def tokens(source: Attribute) -> list[ScxmlToken]:
    """The words of an expression, and its end."""
    found: list[ScxmlToken] = []
    position, text = 0, source.text
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            sign = text[position]
            raise UserError(_FOREIGN.get(sign, f"unexpected {sign!r} in an expression"), at=source.place(position))
        if match.lastgroup and match.lastgroup != "blank":
            found.append(ScxmlToken(match.lastgroup, match.group(), source.place(position)))
        position = match.end()
    for number, following in pairwise(found):
        if number.kind == "number" and following.kind == "name" and _touch(number, following):
            raise UserError(f"unexpected {following.text[:20]!r} after a number", at=following.at)
    return [*found, ScxmlToken("end", "", source.place(len(text)))]


def _touch(first: ScxmlToken, second: ScxmlToken) -> bool:
    return (first.at.line, (first.at.column or 0) + len(first.text)) == (second.at.line, second.at.column)
