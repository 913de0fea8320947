"""A failing sequence with delays as a sequence diagram: time runs downwards beside tester and system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from fullproof.artefacts.run import StepRow

STEPS_SHOWN = 24
"""The number of last steps that are drawn."""
_AXIS, _TESTER, _SYSTEM = 90, 130, 470
_WIDTH = 860
_ROW, _GAP, _TALLEST = 24, 14, 70
"""Pixels of an arrow, of the shortest and of the longest delay."""
_LONGEST = 48
"""Letters of a text."""


def time_axis(steps: Sequence[StepRow]) -> str:
    """The diagram as SVG; empty for steps without times."""
    shown = steps[-STEPS_SHOWN:]
    if not any(step.at for step in shown):
        return ""
    places = list(_places(shown))
    height = places[-1] + 2 * _ROW
    body = [*_frame(height), *(line for step, y in zip(shown, places, strict=True) for line in _step(step, y, places))]
    size = f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
    return (
        f'<svg class="fp-diagram time-axis" {size} role="img" aria-label="a sequence with times">{"".join(body)}</svg>'
    )


def _places(steps: Sequence[StepRow]) -> Iterator[int]:
    """The height of each step: below the one before, with a gap for a delay, the longer the larger."""
    waits = [_seconds(step.input) for step in steps]
    longest = max((wait for wait in waits if wait is not None), default=None) or 1.0
    y = 2 * _ROW
    for wait in waits:
        if wait is not None:
            y += _GAP + int((_TALLEST - _GAP) * wait / longest)
        yield y
        y += 2 * _ROW if wait is None else _ROW


def _seconds(symbol: str) -> float | None:
    """The length of a delay, from its text."""
    if not symbol.startswith("advance "):
        return None
    top, _, bottom = symbol.removeprefix("advance ").removesuffix(" s").partition("/")
    return float(top) / float(bottom or 1)


def _frame(height: int) -> Iterator[str]:
    for x, name in ((_TESTER, "tester"), (_SYSTEM, "system")):
        yield _text(x, _ROW - 6, name, anchor="middle")
        yield f'<path d="M{x},{_ROW}V{height - 6}" stroke="currentColor" stroke-width="1" fill="none"/>'
    yield _text(_AXIS - 12, _ROW - 6, "time", anchor="end")
    yield f'<path d="M{_AXIS},{_ROW}V{height - 6}" stroke="currentColor" stroke-opacity=".4" fill="none"/>'


def _step(step: StepRow, y: int, places: Sequence[int]) -> Iterator[str]:
    yield f'<path d="M{_AXIS - 5},{y}H{_AXIS + 5}" stroke="currentColor" fill="none"/>'
    yield _text(_AXIS - 12, y + 4, step.at, anchor="end")
    if _seconds(step.input) is None:
        yield from _arrow(_TESTER, _SYSTEM, y, step.input, "fp-input")
        y += _ROW
    else:
        before = max((place for place in places if place < y), default=_ROW)
        waited = step.input.replace("advance", "wait")
        yield f'<path d="M{_TESTER},{before + 4}V{y}" stroke="currentColor" stroke-width="5" stroke-opacity=".25"/>'
        yield _text(_TESTER + 10, (before + y) // 2 + 4 + _ROW // 2, waited)
    colour = "" if step.ok else ' color="#c0392b"'
    yield f"<g{colour}>"
    yield from _arrow(_SYSTEM, _TESTER, y, step.observed, "fp-output")
    if not step.ok:
        yield _text(_SYSTEM + 12, y + 4, f"allowed: {step.allowed_text}")
    yield "</g>"


def _arrow(start: int, end: int, y: int, text: str, kind: str) -> Iterator[str]:
    back = 8 if end < start else -8
    yield f'<g class="{kind}"><path d="M{start},{y}H{end}" stroke="currentColor" fill="none"/>'
    yield f'<polygon points="{end + back},{y - 4} {end},{y} {end + back},{y + 4}" fill="currentColor"/>'
    yield f"{_text((start + end) // 2 + 40, y - 4, text, anchor='middle')}</g>"


def _text(x: int, y: int, text: str, *, anchor: str = "start") -> str:
    shown = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
    style = 'font-size="12" stroke="none" fill="currentColor"'
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" {style}>{escape(shown)}</text>'
