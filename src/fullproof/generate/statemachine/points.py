"""Data points of a step that determine polynomials: paper 003, section 6."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

from fullproof.generate.statemachine.places import MachinePlace
from fullproof.language.types import Value
from fullproof.model.inputs import SignalEvent


def numbers_of(event: SignalEvent, place: MachinePlace) -> list[Value]:
    """The data that a step starts from: the new inputs and the other attributes."""
    return [*(value for _, value in event.inputs), *place.memory]


class Points:
    """Data points whose monomials up to a degree are linearly independent (paper 003, section 6)."""

    def __init__(self, degree: int | None) -> None:
        self._degree = degree or 0
        self._rows: list[list[Fraction]] = []

    @property
    def rank(self) -> int:
        """How many independent points there are."""
        return len(self._rows)

    def adds(self, values: Sequence[Value]) -> bool:
        """Take a point where it is independent of those before."""
        if self._degree == 0 and self._rows:
            return False
        numbers = [Fraction(value) for value in values if not isinstance(value, str)]
        row = [Fraction(1)]
        for size in range(1, self._degree + 1):
            for factors in combinations_with_replacement(numbers, size):
                term = Fraction(1)
                for factor in factors:
                    term *= factor
                row.append(term)
        for known in self._rows:
            lead = next(k for k, entry in enumerate(known) if entry)
            if row[lead]:
                scale = row[lead] / known[lead]
                row = [a - scale * b for a, b in zip(row, known, strict=True)]
        if not any(row):
            return False
        self._rows.append(row)
        return True
