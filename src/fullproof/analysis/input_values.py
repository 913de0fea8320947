"""All inputs of a state machine, where there are few."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TypeAlias

from fullproof.language.types import BoolType, EnumType, IntType, Value, Variable
from fullproof.language.values import count_of
from fullproof.model import StateMachine

InputValues: TypeAlias = tuple[tuple[str, Value], ...]


def all_inputs(model: StateMachine, *, most: int) -> list[InputValues] | None:
    """Every combination of input values; None where there are more than ``most``."""
    if not 0 < prod(count_of(variable.type) or 0 for variable in model.inputs) <= most:
        return None
    names = [variable.name for variable in model.inputs]
    combinations = product(*(_values(variable) for variable in model.inputs))
    return [tuple(zip(names, values, strict=True)) for values in combinations]


def _values(variable: Variable) -> list[Value]:
    match variable.type:
        case BoolType():
            return [False, True]
        case EnumType(values=values):
            return list(values)
        case IntType(low=low, high=high) if low is not None and high is not None:
            return list(range(low, high + 1))
    raise AssertionError("a type with finitely many values")
