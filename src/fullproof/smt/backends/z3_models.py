"""z3's models as exact values; irrational values are kept separate until they are rounded and checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import z3

from fullproof.language.lists import listed
from fullproof.language.types import BoolType, EnumType, IntType, ListType, Type, Value, Variable
from fullproof.language.values import coerce
from fullproof.smt.answers import Unknown
from fullproof.smt.backends.z3_lists import Bundle

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
    """Return a value for every variable, including those that the formulas leave free."""
    values: Values = {}
    algebraic: dict[str, Any] = {}
    for variable in variables:
        try:
            symbol = symbols[variable.name]
            if isinstance(variable.type, ListType):
                values[variable.name] = _list(model, symbol, variable.type)
                continue
            term = model.eval(symbol, model_completion=True)
            if z3.is_algebraic_value(term):
                algebraic[variable.name] = term
            else:
                values[variable.name] = _value(term, variable.type)
        except (z3.Z3Exception, AttributeError, ValueError):
            # Numbers of more than 4300 digits cannot be read, nor can a term that is not a numeral.
            return Unknown(f"the value of {variable.name} cannot be read")
    return Irrational(values, algebraic) if algebraic else values


def _list(model: Any, symbol: Bundle, type_: ListType) -> Value:
    length = int(model.eval(symbol.length, model_completion=True).as_long())
    terms = (model.eval(term, model_completion=True) for term in symbol.elements[:length])
    return listed(_value(term, type_.element) for term in terms)


def _value(term: Any, type_: Type) -> Value:
    match type_:
        case BoolType():
            return bool(z3.is_true(term))
        case EnumType(values=values):
            return values[int(term.as_long())]
        case IntType():
            return coerce(int(term.as_long()), type_)
        case _:
            return _fraction(term)


def _fraction(term: Any) -> Fraction:
    return Fraction(term.numerator_as_long(), term.denominator_as_long())
