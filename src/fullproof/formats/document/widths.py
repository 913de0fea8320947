"""``paving: {x: 50, y: 5 in -20..20}`` in the fault domain of a statemachine: a width for each variable."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.formats.document.document import Document
from fullproof.formats.document.tree import Node
from fullproof.language.printer import value_to_text
from fullproof.language.types import IntType, RealType, Variable
from fullproof.language.values import number_from_json
from fullproof.model.common import Paving

_PAVING = re.compile(r"(?P<width>\S+?)(?:\s+in\s+(?P<low>\S+?)\.\.(?P<high>\S+))?\Z")
_MOST = 1_000


def read_paving(document: Document, node: Node, variables: Sequence[Variable]) -> tuple[Paving, ...]:
    """The widths; a variable without bounds of its own needs some here."""
    known = {v.name: v for v in variables}
    found = []
    for key, value in document.fields(node, "paving"):
        if key.text not in known:
            raise document.error(f"unknown variable {key.text[:60]!r}{did_you_mean(key.text[:60], known)}", key)
        found.append(document.parsed(value, "a width", partial(_paving, known[key.text])))
    return tuple(found)


def paving_of(texts: Sequence[str], variables: Sequence[Variable], *, at: Place) -> tuple[Paving, ...]:
    """The same as options: ``x=50``, ``y=5 in -20..20``."""
    known = {v.name: v for v in variables}
    found = []
    for text in texts:
        name, equals, width = (part.strip() for part in text.partition("="))
        if not equals:
            raise UserError(f"--paving {text[:60]}: expected a variable and a width, such as x=5", at=at)
        if name not in known:
            raise UserError(f"--paving: unknown variable {name[:60]!r}{did_you_mean(name[:60], known)}", at=at)
        found.append(_paving(known[name], width, at))
    return tuple(found)


def paving_text(paving: Paving) -> str:
    """A text that reads back."""
    numbers = (paving.width, paving.low, paving.high)
    width, low, high = (value_to_text(number) for number in numbers)
    return f"{width} in {low}..{high}"


def _paving(variable: Variable, text: str, at: Place) -> Paving:
    if not isinstance(variable.type, IntType | RealType):
        raise UserError(f"{variable.name} is no number and cannot be paved", at=at)
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
        raise UserError(f"{text[:60]!r} is no number", at=at)
    return Fraction(number)
