"""Sets of numbers as unions of spans, exactly."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from fullproof.language.shallow_trees import conjunction, disjunction
from fullproof.language.substitute import literal
from fullproof.language.syntax import Comparison, ComparisonOperator, Expression, Name

End: TypeAlias = tuple[Fraction, int]
"""A boundary: a number, and whether the cut is just before it (-1) or just after it (1)."""
Span: TypeAlias = tuple[End | None, End | None]
"""The numbers between two cuts; None means unbounded on that side."""


@dataclass(frozen=True, slots=True)
class NumberSet:
    """Spans in order that do not touch. ``whole`` sets hold integers only, and their spans begin and end with one."""

    spans: tuple[Span, ...]
    whole: bool

    @staticmethod
    def related(operator: ComparisonOperator, value: Fraction, *, whole: bool) -> NumberSet:
        """All numbers that are in a relation to this one."""
        before, after = (value, -1), (value, 1)
        spans: dict[ComparisonOperator, list[Span]] = {
            "==": [(before, after)],
            "!=": [(None, before), (after, None)],
            "<": [(None, before)],
            "<=": [(None, after)],
            ">": [(after, None)],
            ">=": [(before, None)],
        }
        return _joined(spans[operator], whole)

    @staticmethod
    def within(low: Fraction | int | None, high: Fraction | int | None, *, whole: bool) -> NumberSet:
        """All numbers between two inclusive bounds."""
        first = None if low is None else (Fraction(low), -1)
        return _joined([(first, None if high is None else (Fraction(high), 1))], whole)

    def __and__(self, other: NumberSet) -> NumberSet:
        """The numbers in both."""
        return _joined([(_later(a, c), _sooner(b, d)) for a, b in self.spans for c, d in other.spans], self.whole)

    def __or__(self, other: NumberSet) -> NumberSet:
        """The numbers in either."""
        return _joined([*self.spans, *other.spans], self.whole)

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, int | Fraction):
            return False
        number = Fraction(value)
        return any((a is None or a < (number, 0)) and (b is None or (number, 0) < b) for a, b in self.spans)

    def complement(self) -> NumberSet:
        """All other numbers."""
        rest: list[Span] = []
        start: End | None = None
        for k, (low, high) in enumerate(self.spans):
            if k or low is not None:
                rest.append((start, low))
            if high is None:
                return _joined(rest, self.whole)
            start = high
        return _joined([*rest, (start, None)], self.whole)

    def is_empty(self) -> bool:
        """Whether there is no number in it."""
        return not self.spans

    def points(self, *, most: int) -> list[Fraction] | None:
        """The members in order, where there are at most this many."""
        found: list[Fraction] = []
        for low, high in self.spans:
            if low is None or high is None or (low[0] != high[0] and not self.whole) or high[0] - low[0] >= most:
                return None
            found += [low[0] + k for k in range(int(high[0] - low[0]) + 1)]
        return found if len(found) <= most else None

    def condition(self, name: str) -> Expression:
        """The set as a condition on a variable."""
        return disjunction(self._between(Name(name), low, high) for low, high in self.spans)

    def number(self, value: Fraction) -> Fraction | int:
        """A member as the type of the set writes it."""
        return int(value) if self.whole else value

    def _between(self, variable: Expression, low: End | None, high: End | None) -> Expression:
        limits: list[Expression] = []
        if low is not None:
            limits.append(Comparison((variable, literal(self.number(low[0]))), (">=" if low[1] < 0 else ">",)))
        if high is not None:
            limits.append(Comparison((variable, literal(self.number(high[0]))), ("<=" if high[1] > 0 else "<",)))
        return conjunction(limits)


def _later(one: End | None, other: End | None) -> End | None:
    return one if other is None else other if one is None else max(one, other)


def _sooner(one: End | None, other: End | None) -> End | None:
    return one if other is None else other if one is None else min(one, other)


def _joined(spans: Iterable[Span], whole: bool) -> NumberSet:
    """The spans in order, without empty ones, adjacent ones merged."""
    kept = [_to_integers(span) if whole else span for span in spans]
    kept = [(low, high) for low, high in kept if low is None or high is None or low < high]
    joined: list[Span] = []
    for low, high in sorted(kept, key=lambda span: (span[0] is not None, span[0] or (Fraction(0), 0))):
        if joined and _touch(joined[-1][1], low, whole):
            first, last = joined[-1]
            joined[-1] = (first, None if last is None or high is None else max(last, high))
        else:
            joined.append((low, high))
    return NumberSet(tuple(joined), whole)


def _touch(high: End | None, low: End | None, whole: bool) -> bool:
    if high is None or low is None:
        return True
    return low <= high or (whole and low[0] - high[0] <= 1)


def _to_integers(span: Span) -> Span:
    low, high = span
    if low is not None:
        low = (Fraction(math.ceil(low[0]) if low[1] < 0 else math.floor(low[0]) + 1), -1)
    if high is not None:
        high = (Fraction(math.floor(high[0]) if high[1] > 0 else math.ceil(high[0]) - 1), 1)
    return low, high
