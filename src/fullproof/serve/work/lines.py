"""The lines of a text on which the states and arrows of a diagram stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class TextLines(NamedTuple):
    """The first line for each state, and for each pair of source and target."""

    states: dict[str, int]
    arrows: dict[tuple[str, str], int]


def lines_of(states: list[str], arrows: list[list[str]], known: Mapping[tuple[str, str], int], text: str) -> TextLines:
    """TextLines of what is drawn; what has no known place is looked for in the text."""
    first: dict[str, int] = {}
    for (source, _), line in known.items():
        first[source] = min(line, first.get(source, line))
    written = text.splitlines()
    found = {state: _line_of(state.rpartition(".")[2], written, first.get(state)) for state in states}
    heads = {state: line for state, line in found.items() if line is not None}
    lines = dict(known)
    _search({(source, target) for source, target in arrows} - lines.keys(), heads, written, lines)
    return TextLines(heads, lines)


def _line_of(state: str, written: list[str], transition: int | None) -> int | None:
    """A line that begins with the name as a key, above the first transition if that is known; else with the word."""
    head = re.compile(rf"""\s*["']?{re.escape(state)}["']?\s*:""")
    for number in range(min(transition or 0, len(written)), 0, -1):
        if head.match(written[number - 1]):
            return number
    headed = (number for number, line in enumerate(written, 1) if head.match(line))
    named = (number for number, line in enumerate(written, 1) if _word(state).search(line))
    return next(headed, None) or transition or next(named, None)


def _search(
    pairs: Iterable[tuple[str, str]], states: dict[str, int], written: list[str], found: dict[tuple[str, str], int]
) -> None:
    """A line with the target below the head of the source and above the next head, or one with both names."""
    heads = sorted({*states.values(), len(written) + 1})
    for source, target in pairs:
        begin = states.get(source, 1)
        end = next((head for head in heads if head > begin), len(written) + 1)
        below = (n for n in range(begin + 1, end) if _word(target).search(written[n - 1]))
        both = (n for n, line in enumerate(written, 1) if _word(source).search(line) and _word(target).search(line))
        if (line := next(below, None) or next(both, None)) is not None:
            found[source, target] = line


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
