"""Constructed syntax trees: conjunctions, negations, ranges and values as expressions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fullproof.language.shallow_trees import conjunction, disjunction
from fullproof.language.substitute import literal
from fullproof.language.syntax import (
    OPPOSITE,
    TRUE,
    Binary,
    Boolean,
    Call,
    Comparison,
    ComparisonOperator,
    Expression,
    Integer,
    Name,
    Unary,
)
from fullproof.language.types import IntType, ListType, RealType, Type, Value

__all__ = [
    "FALSE",
    "atoms",
    "compared",
    "conjunction",
    "conjuncts",
    "disjunction",
    "has_values",
    "in_bounds",
    "links",
    "negation",
    "opposite",
]

FALSE = Boolean(False)


def negation(formula: Expression) -> Expression:
    """``not a``"""
    return Unary("not", formula)


def opposite(condition: Expression) -> Expression:
    """``not a`` in readable form: without ``not`` where a truth value or a comparison has an opposite.

    A chain such as ``1 <= x <= 5`` has none.
    """
    match condition:
        case Boolean():
            return Boolean(not condition.value, at=condition.at)
        case Unary(operator="not"):
            return condition.operand
        case Comparison(operators=(operator,)):
            return Comparison(condition.operands, (OPPOSITE[operator],), at=condition.at)
        case _:
            return Unary("not", condition, at=condition.at)


def compared(left: Expression, operator: ComparisonOperator, right: Expression) -> Comparison:
    """``left < right`` and the like."""
    return Comparison((left, right), (operator,))


def has_values(values: Iterable[tuple[str, Value]]) -> Expression:
    """``x == 200 and y == 0``; the variables need not be numbers."""
    return conjunction(
        (Name(name) if value else negation(Name(name)))
        if isinstance(value, bool)
        else compared(Name(name), "==", literal(value))
        for name, value in values
    )


def in_bounds(term: Expression, type_: Type) -> list[Expression]:
    """What a term of the right kind must satisfy to be a value of the type: its bounds, none for bool and enum."""
    match type_:
        case IntType() | RealType():
            low: list[Expression] = [] if type_.low is None else [compared(literal(type_.low), "<=", term)]
            high: list[Expression] = [] if type_.high is None else [compared(term, "<=", literal(type_.high))]
            return low + high
        case ListType():
            return _in_list_bounds(term, type_)
        case _:
            return []


def _in_list_bounds(term: Expression, type_: ListType) -> list[Expression]:
    length = Call("len", (term,))
    found: list[Expression] = [compared(length, "<=", Integer(type_.most))]
    for index in range(type_.most):
        behind = compared(length, "<=", Integer(index))
        bounds = in_bounds(Call("at", (term, Integer(index), Integer(0))), type_.element)
        found += [Binary("or", behind, bound) for bound in bounds]
    return found


def conjuncts(formula: Expression) -> Iterator[Expression]:
    """The parts of a conjunction, chains of comparisons taken apart."""
    stack = [formula]
    while stack:
        node = stack.pop()
        if isinstance(node, Binary) and node.operator == "and":
            stack += [node.right, node.left]
        elif isinstance(node, Comparison) and len(node.operators) > 1:
            yield from links(node)
        elif node != TRUE:
            yield node


def links(chain: Comparison) -> list[Comparison]:
    """``a <= b`` and ``b <= c`` for ``a <= b <= c``."""
    pairs = zip(chain.operands, chain.operators, chain.operands[1:], strict=False)
    return [Comparison((left, right), (operator,), at=chain.at) for left, operator, right in pairs]


def atoms(formula: Expression) -> Iterator[Expression]:
    """The comparisons and truth values below the connectives of a formula."""
    stack = [formula]
    while stack:
        node = stack.pop()
        if isinstance(node, Binary) and node.operator in ("and", "or", "->"):
            stack += [node.right, node.left]
        elif isinstance(node, Unary) and node.operator == "not":
            stack.append(node.operand)
        elif isinstance(node, Comparison) and len(node.operators) > 1:
            yield from links(node)
        elif not isinstance(node, Boolean):
            yield node
