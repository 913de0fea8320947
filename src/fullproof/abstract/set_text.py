"""Sets of values in readable form: ``x in (190, 200)``, ``y > 1.1 and y != 2``, ``e in {O, W}``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from fullproof.abstract.number_sets import NumberSet, Span
from fullproof.language.printer import value_to_text
from fullproof.language.types import Value

_MOST = 5


def numbers_text(name: str, numbers: NumberSet, universe: NumberSet) -> list[str]:
    """The parts of a conjunction that says that a number of the universe lies in a set.

    Needs: the set is a part of the universe, neither empty nor all of it.
    """
    hull, holes = _without_holes(numbers)
    around = [] if hull == universe else [_span_text(name, hull.spans[0], hull)]
    missing = [f"{name} != {value_to_text(numbers.number(hole))}" for hole in holes]
    if len(hull.spans) == 1 and not around and len(holes) <= _MOST:
        return missing
    points = numbers.points(most=_MOST)
    if points is not None and len(numbers.spans) > 1:
        return [f"{name} in {{{', '.join(value_to_text(numbers.number(point)) for point in points)}}}"]
    if len(hull.spans) == 1 and len(holes) <= _MOST:
        return around + missing
    parts = [_span_text(name, span, numbers) for span in numbers.spans]
    return [parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"]


def choices_text(name: str, chosen: Sequence[Value], every: Sequence[Value]) -> str:
    """Some values of a bool or an enum; needs: neither none nor all of them."""
    if isinstance(chosen[0], bool):
        return name if chosen[0] else f"not {name}"
    if len(chosen) == 1:
        return f"{name} == {value_to_text(chosen[0])}"
    if len(chosen) == len(every) - 1:
        return f"{name} != {value_to_text(next(value for value in every if value not in chosen))}"
    return f"{name} in {{{', '.join(map(value_to_text, chosen))}}}"


def _without_holes(numbers: NumberSet) -> tuple[NumberSet, list[Fraction]]:
    """The set with single missing numbers added, and those numbers."""
    step = 2 if numbers.whole else 0
    holes = [
        (high[0] + low[0]) / 2
        for (_, high), (low, _) in pairwise(numbers.spans)
        if high is not None and low is not None and low[0] - high[0] == step
    ]
    filled = numbers
    for hole in holes:
        filled |= NumberSet.related("==", hole, whole=numbers.whole)
    return filled, holes


def _span_text(name: str, span: Span, numbers: NumberSet) -> str:
    low, high = span
    if low is None or high is None:
        if high is not None:
            return f"{name} {'<=' if high[1] > 0 else '<'} {value_to_text(numbers.number(high[0]))}"
        assert low is not None
        return f"{name} {'>=' if low[1] < 0 else '>'} {value_to_text(numbers.number(low[0]))}"
    first, last = value_to_text(numbers.number(low[0])), value_to_text(numbers.number(high[0]))
    if first == last:
        return f"{name} == {first}"
    if numbers.whole:
        return f"{name} in {first}..{last}"
    return f"{name} in {'[' if low[1] < 0 else '('}{first}, {last}{']' if high[1] > 0 else ')'}"
