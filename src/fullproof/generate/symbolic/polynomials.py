"""Outputs that are any polynomial of a degree: enough inputs in every guard to determine the polynomial.

docs/proofs/transition-witnesses.md. Polynomials that agree with the answers seen form an affine space; its directions
are exactly computed, and each gets an input of the guard at which it does not vanish. One polynomial remains, which is
an output expression like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

from fullproof.generate.symbolic.rows import Inputs
from fullproof.generate.symbolic.witnesses import GuardFamily, NotCovered, WitnessPool, farthest
from fullproof.language.shallow_trees import conjunction
from fullproof.language.substitute import literal
from fullproof.language.syntax import Binary, Comparison, Expression, Name, Unary
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Variable

Vector = list[Fraction]


def constants_for(outputs: Sequence[Variable]) -> tuple[Expression, ...]:
    """The constants that an output which is not a number may be."""
    found: list[Expression] = []
    for variable in outputs:
        match variable.type:
            case BoolType():
                found += [Name(variable.name), Unary("not", Name(variable.name))]
            case EnumType(values=values):
                found += [Comparison((Name(variable.name), Name(value)), ("==",)) for value in values]
            case _:
                pass
    return tuple(found)


class Polynomials:
    """Adds inputs until they determine outputs of a degree."""

    def __init__(self, pool: WitnessPool, chosen: Sequence[int], block: Sequence[int], degree: int) -> None:
        self.chosen = list(chosen)
        self._pool, self._rows = pool, pool.rows
        self._states = [s for s in range(len(block)) if block[s] == s]
        model = pool.rows.model
        numbers = [v.name for v in model.inputs if isinstance(v.type, IntType | RealType)]
        self._monomials = [m for d in range(degree + 1) for m in combinations_with_replacement(numbers, d)]
        self._outputs = [(k, v) for k, v in enumerate(model.outputs) if isinstance(v.type, IntType | RealType)]

    @property
    def dimension(self) -> int:
        """How many inputs distinguish two polynomials, in a guard that is not thin."""
        return len(self._monomials)

    def extend(self, guard: int, families: Sequence[GuardFamily]) -> NotCovered | None:
        """Add inputs until at most one polynomial fits in a guard, and in all of its families."""
        if not self._outputs:
            return None
        condition = self._pool.forms.guards[guard]
        while True:
            inside = self._inside(guard)
            directions = _nullspace([self._vector(self._pool.points[k]) for k in inside], self.dimension)
            fresh = next((k for d in directions if (k := self._apart(guard, condition, d)) is not None), None)
            if fresh is None:
                break
            self.chosen.append(fresh)
        for family in families:
            for direction in directions:
                formula = conjunction((family.most, Comparison((self._term(direction), literal(0)), ("!=",))))
                if self._rows.find(formula) is not None:
                    return NotCovered(
                        f"between neighbouring thresholds of {family.variable!r}, too few inputs are in every moved "
                        "guard to distinguish polynomials of this degree: a larger distance or a lower degree is needed"
                    )
        for state in self._states:
            for place, variable in self._outputs:
                failed = self._settle(state, place, variable, guard, families)
                if failed is not None:
                    return failed
        return None

    def _inside(self, guard: int) -> list[int]:
        return [k for k in self.chosen if self._pool.guards[guard] >> k & 1]

    def _apart(self, guard: int, condition: Expression, direction: Vector) -> int | None:
        """An input of the guard at which a polynomial does not vanish: one that is known, or a new one."""
        for k in range(len(self._pool.points)):
            if self._pool.guards[guard] >> k & 1 and _dot(direction, self._vector(self._pool.points[k])):
                return k
        found = self._rows.find(conjunction((condition, Comparison((self._term(direction), literal(0)), ("!=",)))))
        return None if found is None else self._pool.add(found)

    def _settle(
        self, state: int, place: int, variable: Variable, guard: int, families: Sequence[GuardFamily]
    ) -> NotCovered | None:
        """The only polynomial that fits the answers of a state must fit everywhere, or a chosen input must expose
        it.
        """
        inside = self._inside(guard)
        values = [Fraction(self._pool.answers[state][k][place]) for k in inside]
        found = _solution([self._vector(self._pool.points[k]) for k in inside], values, self.dimension)
        if found is None:
            return None
        output = Comparison((Name(variable.name), self._term(found)), ("==",))
        wrong = self._rows.wrong(state, output)
        condition = self._pool.forms.guards[guard]
        shown = self._rows.find(conjunction((condition, wrong)))
        if shown is not None:
            self.chosen.append(self._pool.add(shown))
            return None
        for family in families:
            last = farthest(self._rows, family, conjunction((family.most, Unary("not", family.least), wrong)))
            if isinstance(last, NotCovered):
                return last
            if last is not None:
                self.chosen.append(self._pool.add(last))
        return None

    def _vector(self, inputs: Inputs) -> Vector:
        row = []
        for monomial in self._monomials:
            value = Fraction(1)
            for name in monomial:
                value *= Fraction(inputs[name])
            row.append(value)
        return row

    def _term(self, coefficients: Sequence[Fraction]) -> Expression:
        whole: Expression | None = None
        for coefficient, monomial in zip(coefficients, self._monomials, strict=True):
            if not coefficient:
                continue
            part: Expression = literal(int(coefficient) if coefficient.denominator == 1 else coefficient)
            for name in monomial:
                part = Binary("*", part, Name(name))
            whole = part if whole is None else Binary("+", whole, part)
        return literal(0) if whole is None else whole


def _dot(one: Vector, other: Vector) -> Fraction:
    return sum((a * b for a, b in zip(one, other, strict=True)), Fraction(0))


def _reduced(rows: Sequence[Vector], width: int) -> tuple[list[Vector], list[int]]:
    """Reduced row echelon form, and the columns of its pivots among the first ``width``."""
    table = [list(row) for row in rows]
    pivots: list[int] = []
    for column in range(width):
        rank = len(pivots)
        found = next((k for k in range(rank, len(table)) if table[k][column]), None)
        if found is None:
            continue
        table[rank], table[found] = table[found], table[rank]
        scale = table[rank][column]
        table[rank] = [value / scale for value in table[rank]]
        for k, row in enumerate(table):
            if k != rank and row[column]:
                factor = row[column]
                table[k] = [a - factor * b for a, b in zip(row, table[rank], strict=True)]
        pivots.append(column)
    return table, pivots


def _nullspace(rows: Sequence[Vector], width: int) -> list[Vector]:
    table, pivots = _reduced(rows, width)
    found = []
    for free in (c for c in range(width) if c not in pivots):
        vector = [Fraction(0)] * width
        vector[free] = Fraction(1)
        for k, column in enumerate(pivots):
            vector[column] = -table[k][free]
        found.append(vector)
    return found


def _solution(rows: Sequence[Vector], values: Sequence[Fraction], width: int) -> Vector | None:
    """Coefficients of a polynomial with these values, or None where there is none."""
    table, pivots = _reduced([[*row, value] for row, value in zip(rows, values, strict=True)], width)
    if any(row[width] and not any(row[:width]) for row in table):
        return None
    vector = [Fraction(0)] * width
    for k, column in enumerate(pivots):
        vector[column] = table[k][width]
    return vector
