"""Round numbers, for readable values."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from fullproof.artefacts.suite import json_value
from fullproof.language.types import Value

STEPS = tuple(Fraction(digit) * Fraction(10) ** power for power in range(6, -7, -1) for digit in (10, 5))
"""10,000,000, 5,000,000, 1,000,000, ..., 0.00001, 0.000005: round numbers are multiples of large steps."""


def between(low: Fraction | None, high: Fraction | None) -> Fraction:
    """A round number strictly between two others, near their middle; None is no bound."""
    if low is None and high is None:
        return Fraction(0)
    if high is None:
        assert low is not None
        return Fraction(math.floor(low) + 1) if low else Fraction(1)
    if low is None:
        return Fraction(math.ceil(high) - 1) if high else Fraction(-1)
    middle = (low + high) / 2
    for step in STEPS:
        if step < high - low or (low // step + 1) * step < high:
            near = round(middle / step) * step
            for candidate in (near, near - step, near + step):
                if low < candidate < high:
                    return candidate
    return middle


def is_round(number: Fraction) -> bool:
    """Whether the number is easy to read: few digits, a finite decimal."""
    return (number * 1000).denominator == 1 and abs(number) < 10**7


def is_exact(value: Value) -> bool:
    """Whether a float printed in decimal equals this value: true for 0.1 and 17, false for 50/3."""
    return not isinstance(value, Fraction) or not isinstance(json_value(value), str)


def rounder(number: Fraction) -> Iterator[Fraction]:
    """Numbers near this one, the roundest first."""
    seen: set[Fraction] = set()
    for step in STEPS:
        if step > max(abs(number), Fraction(1)):
            continue
        for candidate in (round(number / step) * step, (number // step) * step, (number // step + 1) * step):
            if candidate not in seen:
                seen.add(candidate)
                yield candidate
