"""Random inputs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice

from fullproof.artefacts.suite import json_value
from fullproof.core.errors import Bug
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, Value, Variable

DRAWS = 500
"""How many random inputs are drawn from all, and between known ones."""

Inputs = Mapping[str, Value]


def drawn(variables: Sequence[Variable], chance: random.Random) -> Iterator[Inputs]:
    """Random inputs within their types, without those that floats do not represent exactly."""
    for _ in range(DRAWS):
        point = {v.name: _value(v, chance) for v in variables}
        if _is_exact(point):
            yield point


def drawn_between(variables: Sequence[Variable], known: Sequence[Inputs], chance: random.Random) -> Iterator[Inputs]:
    """Inputs on lines between known ones, which meet narrow sets of inputs."""
    for _ in range(DRAWS if len(known) > 1 else 0):
        one, other = chance.sample(known, 2)
        part = Fraction(chance.randint(0, 1000), 1000)
        point = {v.name: _mixed(one[v.name], other[v.name], part) for v in variables}
        if _is_exact(point):
            yield point


def different(points: Iterator[Inputs], *, most: int, without: Sequence[Inputs]) -> list[Inputs]:
    """The first few of some inputs that differ from one another and from others."""
    met = {tuple(sorted(point.items())) for point in without}

    def new() -> Iterator[Inputs]:
        for point in points:
            key = tuple(sorted(point.items()))
            if key not in met:
                met.add(key)
                yield point

    return list(islice(new(), most))


def _value(variable: Variable, chance: random.Random) -> Value:
    match variable.type:
        case BoolType():
            return chance.random() < 0.5
        case EnumType(values=values):
            return chance.choice(values)
        case IntType(low=low, high=high) | RealType(low=low, high=high):
            least = low if low is not None else (high - 1000 if high is not None else -1000)
            most = high if high is not None else least + 2000
            if isinstance(variable.type, IntType):
                return chance.randint(int(least), int(most))
            return Fraction(least) + Fraction(most - least) * Fraction(chance.randint(0, 1000), 1000)
        case ListType():
            raise Bug("only a machine of kind sts has lists")


def _mixed(one: Value, other: Value, part: Fraction) -> Value:
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return one + (other - one) * part
    if isinstance(one, bool | str) or isinstance(other, bool | str):
        return one if part < Fraction(1, 2) else other
    return round(one + (other - one) * part)


def _is_exact(point: Inputs) -> bool:
    return not any(isinstance(value, Fraction) and isinstance(json_value(value), str) for value in point.values())
