"""``thresholds``, ``exclude`` and ``pairs`` in the fault domain of an sfsm."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from fullproof.core.errors import Place, UserError
from fullproof.formats.document.document import Document
from fullproof.formats.document.per_variable import PerVariable
from fullproof.formats.document.tree import Node
from fullproof.language.syntax import Expression
from fullproof.language.types import IntType, RealType, Variable
from fullproof.language.values import number_from_json
from fullproof.model.common import ExcludedPair, Pairs, Threshold

Reader = Callable[[Node], Expression]


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
