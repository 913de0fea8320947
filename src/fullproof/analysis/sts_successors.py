"""Some successors of a concrete state: enough for finding paths, without a solver where guesses suffice."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from fullproof.analysis.sts_corners import Corner, corners_of, numbers_of, repaired, texts_of
from fullproof.analysis.sts_knowledge import Position
from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.analysis.sts_solutions import Solutions
from fullproof.language.formulas import atoms
from fullproof.language.lists import EMPTY, listed
from fullproof.language.strings import StringValue
from fullproof.language.traversal import free_names
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, Type, Value
from fullproof.language.values import coerce, count_of, in_range
from fullproof.model.sts import Sts

_FEW = 33
"""A variable with at most this many values is looked at value by value, another one interval by interval."""
_TARGETS = 6
"""How many kinds of states one switch is followed to."""

Cell = tuple[Hashable, ...]


class SwitchTaken(NamedTuple):
    """A switch taken with values."""

    number: int
    values: tuple[Value, ...]
    target: Position


class StateCells:
    """A partition of the states: by location, and by what guards can distinguish of the variables.

    A variable with few values counts with its value. Another one counts only where a guard compares it with something
    else than a parameter it is equal to, and then by the interval between two numbers that the model refers to.
    """

    def __init__(self, model: Sts) -> None:
        self._marks = numbers_of(model)
        self._texts = set(texts_of(model))
        small = {v.name for v in model.variables if (count_of(v.type) or _FEW + 1) <= _FEW}
        compared = _compared(model)
        self._places = [
            (place, v.name in small) for place, v in enumerate(model.variables) if v.name in small | compared
        ]

    def of(self, position: Position) -> Cell:
        """The kind of a state."""
        values = position.values
        return (position.location, *(values[k] if exact else self.part(values[k]) for k, exact in self._places))

    def part(self, value: Value) -> Hashable:
        """The value itself where the model refers to it or it is not a number, else between which such numbers it
        lies.
        """
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            return value
        if isinstance(value, StringValue):
            return value if value in self._texts else "another string"
        place = bisect_left(self._marks, value)
        exact = place < len(self._marks) and self._marks[place] == value
        return value if exact else ("between", place)


class Successors:
    """Follows switches with values at the corners of guards, at the ends of types, and the simplest ones."""

    def __init__(self, semantics: StsSemantics, cells: StateCells) -> None:
        self._semantics = semantics
        self._cells = cells
        self._solutions = Solutions(semantics)
        self._corners = [corners_of(semantics, number) for number in range(len(semantics.compiled))]
        self._leaving: dict[str, list[int]] = {location: [] for location in semantics.model.states}
        for number, switch in enumerate(semantics.model.transitions):
            self._leaving[switch.source].append(number)

    def of(self, position: Position) -> Iterator[SwitchTaken]:
        """Steps of every switch that can be taken, to different kinds of states."""
        for number in self._leaving[position.location]:
            yield from self.by(number, position)

    def by(self, number: int, position: Position) -> Iterator[SwitchTaken]:
        """Steps of one switch."""
        compiled, known = self._semantics.compiled[number], self._semantics.given(position)
        found: set[Cell] = set()
        tried: set[tuple[Value, ...]] = set()
        for chosen in self._candidates(number, known):
            values = tuple(chosen[p.name] for p in compiled.parameters)
            if values in tried:
                continue
            tried.add(values)
            target = self._semantics.step(number, position, values)
            if target is not None and self._cells.of(target) not in found:
                found.add(self._cells.of(target))
                yield SwitchTaken(number, values, target)
                if len(found) >= _TARGETS:
                    return
        if found or not compiled.parameters:
            return
        solved = self._solutions.find(number, position)
        target = None if solved is None else self._semantics.step(number, position, solved)
        if solved is not None and target is not None:
            yield SwitchTaken(number, solved, target)

    def _candidates(self, number: int, known: Mapping[str, Value]) -> Iterator[dict[str, Value]]:
        parameters, corners = self._semantics.compiled[number].parameters, self._corners[number]
        plain = {p.name: _plain(p.type) for p in parameters}
        if not all(plain.values()):
            return
        first = repaired(corners, known, {name: values[0] for name, values in plain.items()})
        yield first
        for corner in corners:
            yield from _at(corner, known, first)
        for name, values in plain.items():
            for value in values[1:]:
                yield repaired(corners, known, {**first, name: value})
        if len(parameters) > 1:
            yield repaired(corners, known, {name: values[-1] for name, values in plain.items()})


def _at(corner: Corner, known: Mapping[str, Value], chosen: dict[str, Value]) -> Iterator[dict[str, Value]]:
    parameter = corner.parameter
    root = corner.root({**known, **chosen})
    for side in () if root is None else (0, 1, -1):
        value = coerce((root or 0) + side, parameter.type)
        if in_range(value, parameter.type):
            yield {**chosen, parameter.name: value}


def _plain(type_: Type) -> list[Value]:
    """The simplest value, then others that differ from it in kind."""
    match type_:
        case BoolType():
            return [False, True]
        case EnumType(values=values):
            return list(values[:_TARGETS])
        case IntType(low=low, high=high) | RealType(low=low, high=high):
            wanted = [0, 1, *(end for end in (low, high) if end is not None), -1]
            fitting = [coerce(value, type_) for value in wanted]
            return list(dict.fromkeys(value for value in fitting if in_range(value, type_)))
        case ListType(element=element, most=most):
            simple = _plain(element)
            lengths = dict.fromkeys((0, 1, most))
            found = [listed([simple[0]] * length) for length in lengths] if simple else [EMPTY]
            return list(dict.fromkeys([*found, *(listed([value]) for value in simple[1:])]))


def _compared(model: Sts) -> set[str]:
    variables = {v.name for v in model.variables}
    found: set[str] = set()
    for switch in model.transitions:
        for atom in atoms(switch.guard):
            names = free_names(atom)
            ties = getattr(atom, "operators", ()) in (("==",), ("!=",))
            if names <= variables or not ties:
                found |= names & variables
    return found
