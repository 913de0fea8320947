"""Satisfiability by trying every valuation of finitely many values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from fullproof.language.evaluate import evaluate
from fullproof.language.lists import listed
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.language.types import BoolType, EnumType, IntType, ListType, Value, Variable


def domain(variable: Variable) -> list[Value]:
    """All values of a bool, an enum or a bounded int."""
    match variable.type:
        case BoolType():
            return [False, True]
        case EnumType(values=values):
            return list(values)
        case IntType(low=int(low), high=int(high)):
            return list(range(low, high + 1))
        case ListType(element=element, most=most):
            each = domain(replace(variable, type=element))
            return [listed(items) for length in range(most + 1) for items in product(each, repeat=length)]
    raise ValueError(f"{variable.name} has infinitely many values")


def every(variables: Sequence[Variable]) -> Iterator[dict[str, Value]]:
    """All valuations of the variables."""
    for values in product(*(domain(variable) for variable in variables)):
        yield {variable.name: value for variable, value in zip(variables, values, strict=True)}


def satisfiable(condition: Expression, scope: Scope) -> bool:
    """Tell whether some valuation makes the condition true."""
    return any(evaluate(condition, scope, values) is True for values in every(scope.variables))


def exists_forall(exists: Sequence[Variable], forall: Sequence[Variable], formula: Expression, scope: Scope) -> bool:
    """Tell whether some values of ``exists`` make the formula true for all values of ``forall``."""
    return any(
        all(evaluate(formula, scope, {**outer, **inner}) is True for inner in every(forall)) for outer in every(exists)
    )
