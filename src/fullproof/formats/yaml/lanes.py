"""A fast lane for YAML files with thousands of transitions.

Nearly all lines of such a file read ``- {when: x <= vmax, then: y == 0, to: s0}``, and ruamel.yaml takes eight events
and 150 microseconds for each. Lines whose meaning a regular expression can tell are replaced by a word, ruamel reads
what is left, and each word is exchanged for what the line said. A word that comes back in any other way than as an item
of a block list, on its own line (it stood in a longer text, between brackets), shows that the line was something else:
the caller then reads the whole text the slow way, as it does for every mistake.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fullproof.formats.document.tree import Fields, Node, Scalar

WORD = "fullproof-line-"
MIN_LINES = 100
"""Fewer lines are not worth the trouble."""

_PLAIN = r"[A-Za-z0-9_(](?:[A-Za-z0-9_ .()*/+<>=%-]*[A-Za-z0-9_.()*/+<>=%-])?"
_ENTRY = rf"[a-z]+: (?:{_PLAIN}|'[^'\n]*')"
_LINE = re.compile(rf"^( *- )\{{({_ENTRY}(?:, {_ENTRY})*)\}} *$", re.MULTILINE | re.ASCII)
_PART = re.compile(rf"([a-z]+): (?:({_PLAIN})|'([^'\n]*)')(?:, |\Z)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Lanes:
    """The text with simple lines replaced, and what they said, by their words."""

    skeleton: str
    nodes: dict[str, Node]


def split_lanes(text: str) -> Lanes | None:
    """Take the simple lines out of a text; None where too few of them are there."""
    if WORD in text:
        return None
    nodes: dict[str, Node] = {}
    line, counted = 1, 0

    def replace(match: re.Match[str]) -> str:
        nonlocal line, counted
        line += text.count("\n", counted, match.start())
        counted = match.start()
        node = _fields(match.group(2), line, match.end(1) - match.start() + 1)
        if node is None:
            return match.group()
        word = f"{WORD}{line}"
        nodes[word] = node
        return match.group(1) + word

    skeleton = _LINE.sub(replace, text)
    return Lanes(skeleton, nodes) if len(nodes) >= MIN_LINES else None


def _fields(body: str, line: int, column: int) -> Fields | None:
    """The entries between the braces; None where a key occurs twice, which the slow lane complains about."""
    entries: dict[str, tuple[Scalar, Node]] = {}
    for match in _PART.finditer(body):
        key, plain, quoted = match.groups()
        first = column + 1
        value = (
            Scalar(plain, line, first + match.start(2), False, True)
            if plain is not None
            else Scalar(quoted, line, first + match.start(3), True, True)
        )
        if key in entries:
            return None
        entries[key] = (Scalar(key, line, first + match.start(1), False, True), value)
    return Fields(tuple(entries.values()), line, column, True)
