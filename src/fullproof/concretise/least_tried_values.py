"""Values for one input of a walk: from the classes of values that a switch allows, one that was tried least."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import NamedTuple

from fullproof.analysis.sts_corners import Corner, corners_of, repaired
from fullproof.analysis.sts_knowledge import Position
from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.analysis.sts_solutions import Solutions
from fullproof.concretise.tried import TriedCounts
from fullproof.concretise.value_choice import ValueChooser, changed, distant, ends_of
from fullproof.language.lists import Listed
from fullproof.language.types import IntType, ListType, RealType, Value, Variable
from fullproof.language.values import coerce, in_range

_TRIES = 6
_PLAIN = 0.3
"""How often values come from the chooser alone, regardless of earlier tries."""


class Proposal(NamedTuple):
    """Values that satisfy the guard of a switch, and the class of values they belong to."""

    values: tuple[Value, ...]
    kind: Hashable = None


class Varying:
    """Proposes values for switches: at corners of guards, next to stored values, distant values, and values observed
    before.
    """

    def __init__(self, semantics: StsSemantics, chooser: ValueChooser, tried: TriedCounts, random: Random) -> None:
        self._semantics = semantics
        self._chooser = chooser
        self._tried = tried
        self._random = random
        self._solutions = Solutions(semantics)
        self._corners: dict[int, list[Corner]] = {}
        self._kinds: dict[int, list[Hashable]] = {}

    def propose(self, number: int, position: Position) -> Proposal | None:
        """Values for a switch in a state, None where none are found."""
        compiled, known = self._semantics.compiled[number], self._semantics.given(position)
        if not compiled.parameters:
            return Proposal(()) if compiled.guard(known) else None
        for _ in range(_TRIES):
            kind = self._least_tried(number)
            chosen = self._chosen(number, kind, known)
            if chosen is not None and compiled.guard(known | chosen):
                return Proposal(tuple(chosen[p.name] for p in compiled.parameters), kind)
            self._tried.kinds[kind] += 1
        values = self._solutions.find(number, position)
        return None if values is None else Proposal(values)

    def _least_tried(self, number: int) -> Hashable:
        if number not in self._kinds:
            self._kinds[number] = self._all_kinds(number)
        kinds = self._kinds[number]
        if self._random.random() < _PLAIN or not kinds:
            return (number, "plain")
        least = min(self._tried.kinds[kind] for kind in kinds)
        return self._random.choice([kind for kind in kinds if self._tried.kinds[kind] == least])

    def _all_kinds(self, number: int) -> list[Hashable]:
        corners = self._corners[number] = corners_of(self._semantics, number)
        found: list[Hashable] = [(number, "corner", k, side) for k in range(len(corners)) for side in (-1, 0, 1)]
        for place, parameter in enumerate(self._semantics.compiled[number].parameters):
            wide = isinstance(parameter.type, IntType | RealType | ListType)
            names = ("earlier", "remembered", "beside", "end", "far") if wide else ("earlier", "remembered")
            found += [(number, name, place) for name in names]
        return found

    def _chosen(self, number: int, kind: Hashable, known: Mapping[str, Value]) -> dict[str, Value] | None:
        compiled = self._semantics.compiled[number]
        gate = self._semantics.inputs[compiled.switch.gate]
        names = [p.name for p in compiled.parameters]
        chosen = dict(zip(names, self._chooser.propose(gate, number, known), strict=True))
        corners = self._corners.get(number, [])
        chosen = repaired(corners, known, chosen)
        match kind:
            case (_, "corner", int(place), int(side)):
                corner = corners[place]
                parameter, root = corner.parameter, corner.root({**known, **chosen})
                value: Value | None = None if root is None else root + side * _step(parameter)
            case (_, str(name), int(place)):
                parameter = compiled.parameters[place]
                value = self._special(name, parameter, known)
            case _:
                return chosen
        if value is None or not in_range(coerce(value, parameter.type), parameter.type):
            return None
        return {**chosen, parameter.name: coerce(value, parameter.type)}

    def _special(self, name: str, parameter: Variable, known: Mapping[str, Value]) -> Value | None:
        remembered = [value for value in known.values() if in_range(value, parameter.type)]
        match name:
            case "earlier":
                pool = [value for value in self._tried.earlier if in_range(value, parameter.type)]
            case "remembered":
                pool = remembered
            case "beside":
                pool = [v + d for v in remembered if not isinstance(v, str | bool) for d in (-1, 1)]
                pool += [changed(v, self._item(parameter), self._random) for v in remembered if isinstance(v, Listed)]
            case "end":
                pool = ends_of(parameter)
            case _:
                pool = [distant(parameter, self._random)]
        return self._random.choice(pool) if pool else None

    def _item(self, parameter: Variable) -> Value:
        """An element for a list."""
        assert isinstance(parameter.type, ListType)
        return self._random.choice(ends_of(replace(parameter, type=parameter.type.element)))


def _step(parameter: Variable) -> int | Fraction:
    return 1 if isinstance(parameter.type, IntType) else Fraction(1, 4)
