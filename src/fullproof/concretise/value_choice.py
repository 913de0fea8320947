"""Strategies for choosing, among the valid values of input parameters, those that find the most faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Protocol

from fullproof.analysis.sts_corners import numbers_of, texts_of
from fullproof.language.lists import EMPTY, Listed, listed
from fullproof.language.strings import text_of
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, StringType, Value, Variable
from fullproof.language.values import coerce, in_range
from fullproof.model.sts import Gate, Sts

_TRIES = 20
_SMALL = 9
_PARTS = 4
_FAR = 0.5
_SIZES = (4, 5, 6, 7, 8, 10, 12, 15, 16, 20, 31, 32)
"""Powers of two next to which fixed-width integers overflow."""
_RARE = 0.2
_AGAIN = 0.3
"""How often the next element of a list is equal to the one before it."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ODD = ("", " ", "0", 'a "b" \\c', "line\nbreak", "Größe 漢字 😀", "x" * 300)
"""Strings that systems often misinterpret, truncate, or fail to quote."""


class ValueChooser(Protocol):
    """Proposes values for one input; whether the purpose allows them is checked afterwards."""

    def propose(self, gate: Gate, switch: int, known: Mapping[str, Value]) -> tuple[Value, ...]:
        """Values within the types of the gate, for a switch; ``known`` are the model's variables now."""


class Simplest:
    """Fixed values: zero, false, the first of an enum, or the end of the range nearest to zero."""

    def propose(self, gate: Gate, switch: int, known: Mapping[str, Value]) -> tuple[Value, ...]:  # noqa: ARG002  # protocol
        """The simplest values."""
        return tuple(_simplest(parameter) for parameter in gate.parameters)


class Mixed:
    """Random values, among which neighbours of one type are equal half of the time.

    Of two inputs for one switch, each pair of neighbouring parameters is equal in one, different in the other: faults
    that compare or mix up parameters show only in one of the cases, and random numbers are hardly ever equal. From
    the third input on, which neighbours are equal is random, too.
    """

    def __init__(self, model: Sts, random: Random) -> None:
        self._random = random
        self._numbers = numbers_of(model)
        self._texts = texts_of(model)
        self._count: dict[int, int] = {}

    def propose(self, gate: Gate, switch: int, known: Mapping[str, Value]) -> tuple[Value, ...]:
        """The next values for a switch."""
        count = self._count.get(switch)
        if count is None:
            count = self._random.randrange(2)
        self._count[switch] = count + 1
        chosen: list[Value] = []
        for place in range(len(gate.parameters)):
            chosen.append(self._next(gate.parameters, chosen, known, repeat=self._repeats(count, place)))
        return tuple(chosen)

    def _repeats(self, count: int, place: int) -> bool:
        return (count + place) % 2 == 0 if count < 3 else self._random.random() < 0.5

    def _next(
        self, parameters: Sequence[Variable], chosen: list[Value], known: Mapping[str, Value], *, repeat: bool
    ) -> Value:
        place = len(chosen)
        parameter = parameters[place]
        if place and repeat and in_range(chosen[-1], parameter.type) and _alike(parameters[place - 1], parameter):
            return chosen[-1]
        pool = [value for value in known.values() if in_range(value, parameter.type)]
        for _ in range(_TRIES):
            value = self._draw(parameter, pool)
            if in_range(value, parameter.type) and value not in chosen:
                return value
        return value if in_range(value, parameter.type) else _simplest(parameter)

    def _draw(self, parameter: Variable, pool: list[Value]) -> Value:
        if isinstance(parameter.type, ListType):
            return self._list(parameter, parameter.type, pool)
        return self._single(parameter, parameter.type, pool)

    def _single(self, parameter: Variable, type_: BoolType | EnumType | IntType | RealType, pool: list[Value]) -> Value:
        random = self._random
        dice = random.random()
        if pool and dice < 0.2:
            near = random.choice(pool)
            if not isinstance(type_, IntType | RealType) or isinstance(near, bool | str) or dice >= 0.05:
                return near
            return coerce(near + random.choice((-1, 1)), type_)
        match type_:
            case BoolType():
                return random.random() < 0.5
            case EnumType(values=values):
                return random.choice(values)
            case StringType():
                return self._string(parameter)
            case IntType() | RealType() if self._numbers and dice < 0.4:
                number = random.choice(self._numbers)
                return coerce(number if isinstance(type_, RealType) else int(number), type_)
            case IntType() | RealType() if dice < _FAR:
                return distant(parameter, random)
            case IntType(low=low, high=high):
                if low is not None and high is not None and dice < 0.8:
                    return random.randint(low, high)
                if low is None and high is None:
                    return random.randint(-_SMALL, _SMALL) if dice > 0.9 else random.randint(0, _SMALL)
                return (low if low is not None else (high or 0) - _SMALL) + random.randint(0, _SMALL)
            case RealType(low=low_real, high=high_real):
                low_end = low_real if low_real is not None else Fraction(0)
                high_end = high_real if high_real is not None else low_end + _SMALL
                return low_end + (high_end - low_end) * Fraction(random.randint(0, _PARTS * _SMALL), _PARTS * _SMALL)

    def _list(self, parameter: Variable, type_: ListType, pool: list[Value]) -> Value:
        """A stored list, or one that differs from it in an element; else any list, often a short or full one."""
        random, dice = self._random, self._random.random()
        element = replace(parameter, type=type_.element)
        near = random.choice(pool) if pool and dice < 0.2 else None
        if isinstance(near, Listed):
            return near if dice < 0.1 else changed(near, self._draw(element, []), random)
        length = random.choice((0, 1, type_.most)) if dice < 0.5 else random.randint(0, type_.most)
        found: list[Value] = []
        for _ in range(length):
            again = bool(found) and random.random() < _AGAIN
            found.append(found[-1] if again else self._draw(element, []))
        return listed(item for item in found if in_range(item, type_.element))

    def _string(self, parameter: Variable) -> Value:
        """A string that the model mentions, every second time; else a letter, which may come again, or any other
        string.
        """
        random = self._random
        if self._texts and random.random() < 0.5:
            return random.choice(self._texts)
        return text_of(random.choice(_LETTERS)) if random.random() < 0.5 else distant(parameter, random)


class AtEnds:
    """The ends of the types, and small numbers around zero; the path condition covers the edges of guards."""

    def __init__(self, model: Sts, random: Random) -> None:
        self.random = random
        self._model = model

    def propose(self, gate: Gate, switch: int, known: Mapping[str, Value]) -> tuple[Value, ...]:  # noqa: ARG002  # protocol
        """One end for each parameter."""
        return tuple(self.random.choice(ends_of(parameter)) for parameter in gate.parameters)


def ends_of(parameter: Variable) -> list[Value]:
    """The ends of a type, and small numbers around zero."""
    match parameter.type:
        case BoolType():
            return [False, True]
        case EnumType(values=values):
            return [values[0], values[-1]]
        case StringType():
            return [text_of(text) for text in _ODD]
        case IntType(low=low, high=high) | RealType(low=low, high=high):
            ends = [end for end in (low, high) if end is not None]
            around = [value for value in (0, 1, -1) if in_range(coerce(value, parameter.type), parameter.type)]
            return [coerce(value, parameter.type) for value in [*ends, *around]] or [_simplest(parameter)]
        case ListType(element=element, most=most):
            of_one = ends_of(replace(parameter, type=element))
            mixed = listed(of_one[place % len(of_one)] for place in range(most))
            full = [mixed, *(listed([item] * most) for item in of_one)]
            return list(dict.fromkeys([EMPTY, *(listed([item]) for item in of_one), *full]))


def distant(parameter: Variable, random: Random) -> Value:
    """A number of any size: most are far from zero, on both sides of it, where the type has room for them.

    For strings, a word that no model is likely to mention, or a hostile one.
    """
    match parameter.type:
        case StringType() if random.random() < _RARE:
            return text_of(random.choice(_ODD))
        case StringType():
            return text_of("".join(random.choice(_LETTERS) for _ in range(random.randint(2, _SMALL))))
        case IntType(low=low, high=high) if low is not None and high is not None:
            return random.randint(low, high)
        case IntType(low=low, high=high):
            size = (1 << random.choice(_SIZES)) + random.randint(-1, 1) * random.randint(0, _SMALL)
            if low is not None or high is not None:
                return low + size if low is not None else (high or 0) - size
            return -size if random.random() < 0.5 else size
        case RealType(low=low_real, high=high_real):
            part = Fraction((1 << random.choice(_SIZES)) * _PARTS + random.randint(-_PARTS, _PARTS), _PARTS)
            if low_real is not None and high_real is not None:
                return low_real + (high_real - low_real) * Fraction(random.randint(0, 2**12), 2**12)
            if low_real is not None or high_real is not None:
                return low_real + part if low_real is not None else (high_real or 0) - part
            return -part if random.random() < 0.5 else part
        case ListType(element=element, most=most):
            other = replace(parameter, type=element)
            return listed(distant(other, random) for _ in range(random.randint(0, most)))
        case _:
            return _simplest(parameter)


def changed(items: Listed, item: Value, random: Random) -> Listed:
    """The list without its last element, or with another element in one place."""
    if not items.items or random.random() < _AGAIN:
        return listed(items.items[:-1])
    place = random.randrange(len(items.items))
    return listed((*items.items[:place], item, *items.items[place + 1 :]))


def _alike(one: Variable, other: Variable) -> bool:
    return type(one.type) is type(other.type)


def _simplest(parameter: Variable) -> Value:
    match parameter.type:
        case BoolType():
            return False
        case EnumType(values=values):
            return values[0]
        case IntType(low=low, high=high) | RealType(low=low, high=high):
            value: int | Fraction = 0
            if low is not None and low > 0:
                value = low
            elif high is not None and high < 0:
                value = high
            return coerce(value, parameter.type)
        case ListType():
            return EMPTY
