"""A guard with lower priority than others, kept short where guards obviously exclude each other."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from fullproof.language.formulas import conjuncts, links, opposite
from fullproof.language.scope import ConstantValue, Scope
from fullproof.language.shallow_trees import joined_as_written
from fullproof.language.syntax import (
    MIRRORED,
    TRUE,
    Binary,
    Boolean,
    Comparison,
    ComparisonOperator,
    Decimal,
    Expression,
    Integer,
    Name,
    Unary,
)
from fullproof.language.types import EnumType, Variable

_SIGNS: dict[ComparisonOperator, frozenset[int]] = {
    "==": frozenset({0}), "!=": frozenset({-1, 1}), "<": frozenset({-1}), ">": frozenset({1}),
    "<=": frozenset({-1, 0}), ">=": frozenset({0, 1}),
}  # fmt: skip
"""The signs of left - right with which a comparison holds."""


def guard_unless(guard: Expression, higher: Iterable[Expression], scope: Scope | None) -> Expression | None:
    """``guard and not h`` for all higher ones, without those that exclude it anyway; None where nothing is left.

    ``scope`` says what the names of guards mean, where that is known.

    None is returned only where that is syntactically obvious: an unsatisfiable guard may remain.
    """
    parts = list(conjuncts(guard))
    fresh: list[Expression] = []
    # Single conditions first: what they add makes the others shorter.
    for other in sorted(higher, key=lambda condition: len(list(conjuncts(condition))) > 1):
        theirs = list(conjuncts(other))
        if any(exclude(mine, their, scope) for mine in parts for their in theirs):
            continue
        missing = [part for part in theirs if not any(_implies(mine, part, scope) for mine in parts)]
        if not missing:
            return None
        added = opposite(other if len(missing) == len(theirs) else joined_as_written("and", missing))
        if added not in parts:
            fresh.append(added)
            parts += conjuncts(added)
    if not fresh:
        return guard
    return joined_as_written("and", [*([] if guard == TRUE else _written_parts(guard)), *fresh])


def _written_parts(guard: Expression) -> list[Expression]:
    """The parts of a conjunction, with chains such as ``1 <= x <= 5`` left whole."""
    parts: list[Expression] = []
    stack = [guard]
    while stack:
        node = stack.pop()
        if isinstance(node, Binary) and node.operator == "and":
            stack += [node.right, node.left]
        else:
            parts.append(node)
    return parts


def exclude(first: Expression, second: Expression, scope: Scope | None) -> bool:
    """Whether two conditions are syntactically known never to hold together; False otherwise."""
    if first == Boolean(False) or second == Boolean(False):
        return True
    if first == Unary("not", second) or second == Unary("not", first):
        return True
    if not isinstance(first, Comparison) or not isinstance(second, Comparison):
        return False
    return any(_disjoint(a, b, scope) for a in _both_ways(first) for b in _both_ways(second))


def _implies(first: Expression, second: Expression, scope: Scope | None) -> bool:
    """Whether the first condition syntactically implies the second; False otherwise."""
    return first == second or exclude(first, opposite(second), scope)


_Link = tuple[Expression, ComparisonOperator, Expression]


def _both_ways(comparison: Comparison) -> list[_Link]:
    found: list[_Link] = []
    for link in links(comparison):
        (left, right), (operator,) = link.operands, link.operators
        found += [(left, operator, right), (right, MIRRORED[operator], left)]
    return found


def _disjoint(first: _Link, second: _Link, scope: Scope | None) -> bool:
    """``t < 3`` and ``t >= 5`` are: no t stands in both relations."""
    (term, operator, bound), (other, other_operator, other_bound) = first, second
    if term != other:
        return False
    if bound == other_bound:
        return not _SIGNS[operator] & _SIGNS[other_operator]
    low, high = _number(bound, term, scope), _number(other_bound, term, scope)
    if low is None or high is None or low == high:
        return low is not None and low == high and not _SIGNS[operator] & _SIGNS[other_operator]
    if low > high:
        low_signs, high_signs = _SIGNS[other_operator], _SIGNS[operator]
    else:
        low_signs, high_signs = _SIGNS[operator], _SIGNS[other_operator]
    # A value below both bounds, at the low one, between them, at the high one, above both.
    return not any((a in low_signs) and (b in high_signs) for a, b in ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1)))


def _number(bound: Expression, term: Expression, scope: Scope | None) -> Fraction | None:
    """The number that a bound stands for; a value of an enum counts by its position in the type of the term."""
    match bound:
        case Integer() | Decimal():
            return Fraction(bound.value)
        case Unary(operator="-", operand=operand):
            number = _number(operand, term, scope)
            return None if number is None else -number
        case Name() if scope is not None and bound.name in scope:
            return _named(bound.name, term, scope)
        case _:
            return None


def _named(name: str, term: Expression, scope: Scope) -> Fraction | None:
    meaning = scope.lookup(name)
    if isinstance(meaning, ConstantValue):
        return None if isinstance(meaning.value, str | bool) else Fraction(meaning.value)
    if isinstance(meaning, Variable) or not isinstance(term, Name) or term.name not in scope:
        return None
    variable = scope.lookup(term.name)
    if isinstance(variable, Variable) and isinstance(variable.type, EnumType) and name in variable.type.values:
        return Fraction(variable.type.values.index(name))
    return None
