"""Values for the parameters of inputs: which of all that are right find the most faults?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Protocol

from fullproof.language.types import BoolType, EnumType, IntType, RealType, Value, Variable
from fullproof.language.values import coerce, in_range
from fullproof.model.sts import Gate, Sts

_TRIES = 20
_SMALL = 9
_PARTS = 4


class Chooser(Protocol):
    """Proposes values for one input; whether the purpose allows them is asked afterwards."""

    def propose(self, gate: Gate, switch: int, known: Mapping[str, Value]) -> tuple[Value, ...]:
        """Values within the types of the gate, for a switch; ``known`` are the model's variables now."""


class Simplest:
    """Always the same: zero, false, the first of an enum, or the end of the range that is nearest to it."""

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
        numbers = {c.value for c in model.description.constants if not isinstance(c.value, bool | str)}
        self._numbers = sorted(numbers | {n + d for n in numbers for d in (-1, 1)})
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
        random = self._random
        dice = random.random()
        if pool and dice < 0.2:
            return random.choice(pool)
        match parameter.type:
            case BoolType():
                return random.random() < 0.5
            case EnumType(values=values):
                return random.choice(values)
            case IntType() | RealType() if self._numbers and dice < 0.4:
                number = random.choice(self._numbers)
                return coerce(number if isinstance(parameter.type, RealType) else int(number), parameter.type)
            case IntType(low=low, high=high):
                if low is not None and high is not None and dice < 0.8:
                    return random.randint(low, high)
                return (low if low is not None else high - _SMALL if high is not None else 0) + random.randint(
                    0, _SMALL
                )
            case RealType(low=low_real, high=high_real):
                low_end = low_real if low_real is not None else Fraction(0)
                high_end = high_real if high_real is not None else low_end + _SMALL
                return low_end + (high_end - low_end) * Fraction(random.randint(0, _PARTS * _SMALL), _PARTS * _SMALL)


class AtEnds:
    """The ends of the types, and small numbers around zero; edges of guards are the business of the path."""

    def __init__(self, model: Sts, random: Random) -> None:
        self.random = random
        self._model = model

    def propose(self, gate: Gate, switch: int, known: Mapping[str, Value]) -> tuple[Value, ...]:  # noqa: ARG002  # protocol
        """One end for each parameter."""
        return tuple(self.random.choice(self._ends(parameter)) for parameter in gate.parameters)

    def _ends(self, parameter: Variable) -> list[Value]:
        match parameter.type:
            case BoolType():
                return [False, True]
            case EnumType(values=values):
                return [values[0], values[-1]]
            case IntType(low=low, high=high) | RealType(low=low, high=high):
                ends = [end for end in (low, high) if end is not None]
                around = [value for value in (0, 1, -1) if in_range(coerce(value, parameter.type), parameter.type)]
                return [coerce(value, parameter.type) for value in [*ends, *around]] or [_simplest(parameter)]


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
