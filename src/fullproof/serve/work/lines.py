"""The lines of a text on which the states, the arrows and the transitions of a diagram stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fullproof.report.diagram import DrawnArrow


class TextLines(NamedTuple):
    """A line for each state, arrow and transition, in their order; None where it is not known."""

    state_lines: list[int | None]
    arrow_lines: list[int | None]
    transition_lines: list[int | None]


def lines_of(
    states: Sequence[str], arrows: Sequence[DrawnArrow], transitions: Sequence[tuple[str, str, int | None]], text: str
) -> TextLines:
    """TextLines of what is drawn; what has no known place is looked for in the text."""
    known: dict[tuple[str, str], int] = {}
    for source, target, line in transitions:
        if line is not None:
            known.setdefault((source, target), line)
    heads = _heads(states, known, text.splitlines())
    pairs = {(source, target) for source, target, _ in transitions} | {(one.source, one.target) for one in arrows}
    _search(pairs - known.keys(), heads, text.splitlines(), known)
    listed = [known.get((source, target)) if line is None else line for source, target, line in transitions]
    return TextLines([heads.get(state) for state in states], [_line_of(one, listed, known) for one in arrows], listed)


def _line_of(arrow: DrawnArrow, transitions: list[int | None], known: dict[tuple[str, str], int]) -> int | None:
    """Of the first transition of an arrow; one that shows where a state begins has none, and is looked for."""
    return transitions[arrow.of[0]] if arrow.of else known.get((arrow.source, arrow.target))


def _heads(states: Iterable[str], known: dict[tuple[str, str], int], written: list[str]) -> dict[str, int]:
    first: dict[str, int] = {}
    for (source, _), line in known.items():
        first[source] = min(line, first.get(source, line))
    found = {state: _head_of(state.rpartition(".")[2], written, first.get(state)) for state in states}
    return {state: line for state, line in found.items() if line is not None}


def _head_of(state: str, written: list[str], transition: int | None) -> int | None:
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
        begin = states.get(source.removeprefix("start of "), 1)
        end = next((head for head in heads if head > begin), len(written) + 1)
        below = (n for n in range(begin + 1, end) if _word(target).search(written[n - 1]))
        both = (n for n, line in enumerate(written, 1) if _word(source).search(line) and _word(target).search(line))
        if (line := next(below, None) or next(both, None)) is not None:
            found[source, target] = line


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
