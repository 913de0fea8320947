"""Conditions that give each of some variables a value: ``y == 2 * x and e == On``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from fullproof.language.evaluate import evaluate
from fullproof.language.scope import Scope
from fullproof.language.syntax import Binary, Comparison, Expression, Name
from fullproof.language.traversal import free_names
from fullproof.language.types import IntType, Value, Variable
from fullproof.language.values import coerce, in_range


def solved_for(expression: Expression, names: Collection[str]) -> dict[str, Expression] | None:
    """The terms that the variables equal, or None where the condition is not a conjunction of one equation for each.

    Terms do not refer to the variables themselves, so that the other variables leave exactly one value to each.
    """
    wanted = frozenset(names)
    found: dict[str, Expression] = {}
    stack = [expression]
    while stack:
        node = stack.pop()
        match node:
            case Binary(operator="and", left=left, right=right):
                stack += [right, left]
            case Comparison(operands=(Name(name=name), term), operators=("==",)) if _gives(name, term, wanted):
                pass
            case Comparison(operands=(term, Name(name=name)), operators=("==",)) if _gives(name, term, wanted):
                pass
            case _:
                return None
        if isinstance(node, Comparison):
            if name in found:
                return None
            found[name] = term
    return found if found.keys() == wanted else None


def only_answer(
    terms: Mapping[str, Expression], variables: Sequence[Variable], scope: Scope, given: Mapping[str, Value]
) -> dict[str, Value] | None:
    """The values that the terms give the variables, or None where one of them is not a value of its type.

    The scope has the variables, too, for the values of their enums.
    """
    found: dict[str, Value] = {}
    for variable in variables:
        value = evaluate(terms[variable.name], scope, given)
        if isinstance(variable.type, IntType) and isinstance(value, Fraction) and value.denominator == 1:
            value = int(value)
        value = coerce(value, variable.type)
        if not in_range(value, variable.type):
            return None
        found[variable.name] = value
    return found


def _gives(name: str, term: Expression, wanted: frozenset[str]) -> bool:
    return name in wanted and not free_names(term) & wanted
