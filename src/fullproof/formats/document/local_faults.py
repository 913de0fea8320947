"""``thresholds``, ``exclude`` and ``pairs`` in the fault domain of an sfsm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.formats.document.document import Document
from fullproof.formats.document.tree import Node
from fullproof.language.syntax import Expression
from fullproof.language.types import IntType, RealType, Variable
from fullproof.language.values import number_from_json
from fullproof.model.common import ExcludedPair, Pairs, Threshold

Reader = Callable[[Node], Expression]


def read_thresholds(document: Document, node: Node | None, inputs: Sequence[Variable]) -> tuple[Threshold, ...]:
    """``thresholds: {x: 0.5}``: a distance for each input whose thresholds may move."""
    if node is None:
        return ()
    known = {v.name: v for v in inputs}
    found = []
    for key, value in document.fields(node, "thresholds"):
        if key.text not in known:
            raise document.error(f"unknown input {key.text[:60]!r}{did_you_mean(key.text[:60], known)}", key)
        found.append(document.parsed(value, "a distance", partial(_threshold, known[key.text])))
    return tuple(found)


def thresholds_from(texts: Sequence[str], inputs: Sequence[Variable], *, at: Place) -> tuple[Threshold, ...]:
    """The same as options: ``x=0.5``."""
    known = {v.name: v for v in inputs}
    found: dict[str, Threshold] = {}
    for text in texts:
        name, equals, distance = (part.strip() for part in text.partition("="))
        if not equals:
            raise UserError(f"--threshold {text[:60]}: expected an input and a distance, such as x=0.5", at=at)
        if name not in known:
            raise UserError(f"--threshold: unknown input {name[:60]!r}{did_you_mean(name[:60], known)}", at=at)
        found[name] = _threshold(known[name], distance, at)
    return tuple(found.values())


def _threshold(variable: Variable, text: str, at: Place) -> Threshold:
    type_ = variable.type
    if not isinstance(type_, IntType | RealType):
        raise UserError(f"{variable.name} is no number and has no thresholds", at=at)
    if type_.low is None or type_.high is None:
        raise UserError(f"{variable.name} has no bounds, and its thresholds could be anywhere: give it bounds", at=at)
    number = number_from_json(text, at=at)
    if number is None or number <= 0:
        raise UserError(f"expected a distance above 0 such as 0.5, found {text[:60]!r}", at=at)
    return Threshold(variable=variable.name, distance=Fraction(number))


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
