"""Explicit sets of values over small types, so that loops over such variables return to a known set."""

from __future__ import annotations

import math
from collections.abc import Callable

from fullproof.generate.sts.states import ParameterPool, Term
from fullproof.language.formulas import compared, conjunction, disjunction, has_values, negation
from fullproof.language.lists import EMPTY
from fullproof.language.substitute import literal
from fullproof.language.syntax import Expression, Name, SyntaxNode
from fullproof.language.traversal import nodes
from fullproof.language.types import BoolType, EnumType, ListType, Value, Variable
from fullproof.language.values import count_of
from fullproof.smt import Answer, Sat, Unsat

MOST_VALUES = 32
"""A set of more values stays symbolic."""
_SIMPLE = 3
"""Terms of at most this many nodes are kept instead of a set."""

Decide = Callable[[list[Expression]], Answer]


def compacted(
    terms: dict[str, Term],
    condition: list[Expression],
    variables: dict[str, Variable],
    pool: ParameterPool,
    decide: Decide,
) -> tuple[dict[str, Term], list[Expression]]:
    """The same set of values as a list, where that is short and the terms are long; else the argument."""
    opened = {name: term for name, term in terms.items() if isinstance(term, SyntaxNode)}
    sizes = [_count(variables[name]) for name in opened]
    if not opened or math.prod(sizes) > MOST_VALUES:
        return terms, condition
    if not condition and all(sum(1 for _ in nodes(term)) <= _SIMPLE for term in opened.values()):
        return terms, condition
    found = _values(opened, condition, pool, decide)
    if found is None:
        return terms, condition
    return _written(terms, opened, found, variables, pool)


def _count(variable: Variable) -> float:
    count = count_of(variable.type)
    return math.inf if count is None else count


def _values(
    opened: dict[str, Expression], condition: list[Expression], pool: ParameterPool, decide: Decide
) -> list[tuple[Value, ...]] | None:
    """All joint values of the terms, by one query each; None where a solver cannot decide."""
    from fullproof.language.evaluate import evaluate

    found: list[tuple[Value, ...]] = []
    parts = list(condition)
    while True:
        match decide(parts):
            case Sat(model):
                given = {**{v.name: _some(v) for v in pool.scope.variables}, **model}
                values = tuple(evaluate(term, pool.scope, given) for term in opened.values())
                found.append(values)
                parts.append(negation(conjunction(_equal(*pair) for pair in zip(opened.values(), values, strict=True))))
            case Unsat():
                return sorted(found, key=repr)
            case _:
                return None


def _written(
    terms: dict[str, Term],
    opened: dict[str, Expression],
    found: list[tuple[Value, ...]],
    variables: dict[str, Variable],
    pool: ParameterPool,
) -> tuple[dict[str, Term], list[Expression]]:
    fixed = {name: found[0][k] for k, name in enumerate(opened) if len({values[k] for values in found}) == 1}
    places = [k for k, name in enumerate(opened) if name not in fixed]
    taken: list[str] = []
    renamed: dict[str, Expression] = {}
    for name in opened:
        if name not in fixed:
            taken.append(pool.fresh(variables[name].type, taken).name)
            renamed[name] = Name(taken[-1])
    rows = sorted({tuple(values[k] for k in places) for values in found}, key=repr)
    listed = [has_values(zip(taken, row, strict=True)) for row in rows]
    whole = len(rows) == math.prod(_count(variables[name]) for name in renamed)
    parts = _ranges(renamed, variables) if whole else [disjunction(listed)]
    return {name: renamed.get(name, fixed.get(name, term)) for name, term in terms.items()}, parts if taken else []


def _ranges(renamed: dict[str, Expression], variables: dict[str, Variable]) -> list[Expression]:
    from fullproof.language.formulas import in_bounds

    return [part for name, term in renamed.items() for part in in_bounds(term, variables[name].type)]


def _equal(term: Expression, value: Value) -> Expression:
    if isinstance(value, bool):
        return term if value else negation(term)
    return compared(term, "==", literal(value))


def _some(variable: Variable) -> Value:
    match variable.type:
        case BoolType():
            return False
        case EnumType(values=values):
            return values[0]
        case ListType():
            return EMPTY
        case _:
            return 0
