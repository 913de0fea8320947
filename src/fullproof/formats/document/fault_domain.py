"""What the fault domains of some kinds have: ``paving`` of a statemachine, ``thresholds`` and the like of an sfsm."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from fullproof.core.errors import Place, UserError
from fullproof.formats.document.document import Document
from fullproof.formats.document.per_variable import PerVariable
from fullproof.formats.document.tree import Node
from fullproof.language.printer import value_to_text
from fullproof.language.syntax import Expression
from fullproof.language.types import IntType, RealType, Variable
from fullproof.language.values import number_from_json
from fullproof.model.common import ExcludedPair, Pairs, Paving, Threshold

Reader = Callable[[Node], Expression]
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


def _threshold(variable: Variable, text: str, at: Place) -> Threshold:
    type_ = variable.type
    if not isinstance(type_, IntType | RealType):
        raise UserError(f"{variable.name} is not a number and has no thresholds", at=at)
    if type_.low is None or type_.high is None:
        raise UserError(f"{variable.name} has no bounds, and its thresholds could be anywhere: give it bounds", at=at)
    number = number_from_json(text, at=at)
    if number is None or number <= 0:
        raise UserError(f"expected a distance above 0 such as 0.5, found {text[:60]!r}", at=at)
    return Threshold(variable=variable.name, distance=Fraction(number))


THRESHOLDS = PerVariable(
    key="thresholds",
    option="--threshold",
    noun="input",
    value="a distance",
    wanted="an input and a distance, such as x=0.5",
    read=_threshold,
)


def read_excluded(
    document: Document, node: Node | None, guard: Reader | None, output: Reader | None
) -> tuple[ExcludedPair, ...]:
    """``exclude: [{when: x == 200, then: y == 0}]``: pairs of guard and output that no system has."""
    if node is None or guard is None or output is None:
        return ()
    found = []
    for item in document.items(node, "exclude"):
        record = document.record(item, "a pair of exclude", ("when", "then"))
        for key in ("when", "then"):
            if key not in record:
                raise document.error(f"the key {key!r} is missing in a pair of exclude", item)
        found.append(ExcludedPair(guard=guard(record["when"]), output=output(record["then"])))
    return tuple(found)


def read_pairs(document: Document, node: Node | None) -> Pairs:
    """``pairs: own`` or ``pairs: all``."""
    return Pairs.ALL if node is None else Pairs(document.known(node, "choice of pairs", [p.value for p in Pairs]))
