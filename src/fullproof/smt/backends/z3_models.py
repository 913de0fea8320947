"""z3's models as exact values; irrational ones are kept apart until someone has rounded and checked them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import z3

from fullproof.language.types import BoolType, EnumType, IntType, Value, Variable
from fullproof.language.values import coerce
from fullproof.smt.answers import Unknown

Values = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Irrational:
    """A model in which some values are algebraic numbers, as roots of x ** 2 == 2 are."""

    rational: Mapping[str, Value]
    algebraic: Mapping[str, Any]

    def rounded(self, digits: int) -> Values:
        """Return the values with the algebraic ones replaced by rationals less than 10 ** -digits away."""
        near = {name: _fraction(number.approx(digits)) for name, number in self.algebraic.items()}
        return {**self.rational, **near}


def read_model(model: Any, variables: Iterable[Variable], symbols: Mapping[str, Any]) -> Values | Irrational | Unknown:
    """Return a value for every variable, also for those the formulas leave open."""
    values: Values = {}
    algebraic: dict[str, Any] = {}
    for variable in variables:
        try:
            term = model.eval(symbols[variable.name], model_completion=True)
            if z3.is_algebraic_value(term):
                algebraic[variable.name] = term
            else:
                values[variable.name] = _value(term, variable)
        except (z3.Z3Exception, AttributeError, ValueError):
            # Numbers of more than 4300 digits cannot be read; a term without a number is none of ours.
            return Unknown(f"the value of {variable.name} cannot be read")
    return Irrational(values, algebraic) if algebraic else values


def _value(term: Any, variable: Variable) -> Value:
    match variable.type:
        case BoolType():
            return bool(z3.is_true(term))
        case EnumType(values=values):
            return values[int(term.as_long())]
        case IntType():
            return coerce(int(term.as_long()), variable.type)
        case _:
            return _fraction(term)


def _fraction(term: Any) -> Fraction:
    return Fraction(term.numerator_as_long(), term.denominator_as_long())
