"""``paving: {x: 50, y: 5 in -20..20}`` in the fault domain of a statemachine: a width for each variable."""

from __future__ import annotations

import re
from fractions import Fraction

from fullproof.core.errors import Place, UserError
from fullproof.formats.document.per_variable import PerVariable
from fullproof.language.printer import value_to_text
from fullproof.language.types import IntType, RealType, Variable
from fullproof.language.values import number_from_json
from fullproof.model.common import Paving

_PAVING = re.compile(r"(?P<width>\S+?)(?:\s+in\s+(?P<low>\S+?)\.\.(?P<high>\S+))?\Z")
_MOST = 1_000


def paving_text(paving: Paving) -> str:
    """A text that reads back."""
    numbers = (paving.width, paving.low, paving.high)
    width, low, high = (value_to_text(number) for number in numbers)
    return f"{width} in {low}..{high}"


def _paving(variable: Variable, text: str, at: Place) -> Paving:
    if not isinstance(variable.type, IntType | RealType):
        raise UserError(f"{variable.name} is not a number and cannot be paved", at=at)
    match = _PAVING.match(text.strip())
    if match is None:
        raise UserError(f"expected a width such as 5 or 5 in -20..20, found {text[:60]!r}", at=at)
    low, high = variable.type.low, variable.type.high
    width = _number(match["width"], at)
    if match["low"] is not None:
        low, high = _number(match["low"], at), _number(match["high"], at)
    if low is None or high is None:
        raise UserError(f"{variable.name} has no bounds, write for example {match['width']} in -20..20", at=at)
    if width <= 0 or low >= high or (Fraction(high) - low) / width > _MOST:
        raise UserError(f"expected a width above 0 that gives at most {_MOST} intervals, found {text[:60]!r}", at=at)
    return Paving(variable=variable.name, width=Fraction(width), low=Fraction(low), high=Fraction(high))


def _number(text: str, at: Place) -> Fraction:
    number = number_from_json(text, at=at)
    if number is None:
        raise UserError(f"{text[:60]!r} is not a number", at=at)
    return Fraction(number)


PAVING = PerVariable(
    key="paving",
    option="--paving",
    noun="variable",
    value="a width",
    wanted="a variable and a width, such as x=5",
    read=_paving,
)
