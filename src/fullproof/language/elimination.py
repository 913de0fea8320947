"""Whether some output exists, without a quantifier: outputs are eliminated from the conjunctions people write.

A variable is eliminated by its equation, by its bounds (Fourier and Motzkin's way, for one isolated variable), or by
trying all values of a small type. What fits none of these is left to a quantified question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from fullproof.language.evaluate import evaluate
from fullproof.language.formulas import compared, conjunction, conjuncts, disjunction, in_bounds
from fullproof.language.scope import EnumValue, Scope
from fullproof.language.substitute import literal, substitute
from fullproof.language.syntax import (
    MIRRORED,
    Binary,
    Call,
    Comparison,
    ComparisonOperator,
    Expression,
    Integer,
    Name,
    Unary,
)
from fullproof.language.traversal import free_names, nodes
from fullproof.language.type_inference import infer
from fullproof.language.types import BoolType, EnumType, IntType, RealType, StringType, Value, Variable

SMALL = 16
"""Variables of types with at most this many values are eliminated by enumeration."""

LARGE = 20_000
"""Formulas of more nodes are left to a quantifier: enumerating several variables multiplies the size."""


def eliminated(variables: Sequence[Variable], formula: Expression, scope: Scope) -> Expression | None:
    """A formula without ``variables`` that holds iff some values of their types satisfy ``formula``.

    None where no rule fits. Needs: the types have values.
    """
    parts = list(conjuncts(formula))
    for variable in sorted(variables, key=lambda v: _values(v) is not None):
        remaining = _without(variable, parts, scope)
        if remaining is None:
            return None
        parts = remaining
    return conjunction(parts)


def _without(variable: Variable, parts: list[Expression], scope: Scope) -> list[Expression] | None:
    mine = [part for part in parts if variable.name in free_names(part)]
    others = [part for part in parts if variable.name not in free_names(part)]
    if not mine:
        return parts
    values = _values(variable)
    if values is not None:
        together = conjunction(mine)
        if _ambiguous(values, scope) or len(values) * sum(1 for _ in nodes(together)) > LARGE:
            return None
        return [*others, disjunction(substitute(together, {variable.name: literal(value)}) for value in values)]
    limits = [_limit(variable, part, scope) for part in mine]
    known = [limit for limit in limits if limit is not None]
    if len(known) < len(limits):
        return None
    for limit in known:
        if limit.operator == "==":
            return [*others, *_by_equation(variable, limit.term, mine, scope)]
    if isinstance(variable.type, StringType):
        return others  # a string other than the given ones always exists
    if any(limit.operator == "!=" for limit in known):
        return None
    return [*others, *_by_bounds(variable, known, scope)]


def _values(variable: Variable) -> list[Value] | None:
    """All values of a small type."""
    match variable.type:
        case BoolType():
            return [False, True]
        case EnumType(values=names):
            return list(names)
        case IntType(low=int(low), high=int(high)) if high - low < SMALL:
            return list(range(low, high + 1))
        case _:
            return None


def _ambiguous(values: list[Value], scope: Scope) -> bool:
    """Whether a value belongs to several enum types, so that its type is unclear without its context."""
    meanings = [scope.lookup(value) for value in values if isinstance(value, str)]
    return any(isinstance(meaning, EnumValue) and len(meaning.types) > 1 for meaning in meanings)


@dataclass(frozen=True, slots=True)
class _Limit:
    """``variable operator term``, where the term does not refer to the variable."""

    operator: ComparisonOperator
    term: Expression


def _limit(variable: Variable, part: Expression, scope: Scope) -> _Limit | None:
    if not isinstance(part, Comparison) or len(part.operators) != 1:
        return None
    (left, right), operator = part.operands, part.operators[0]
    if variable.name in free_names(right):
        left, right, operator = right, left, MIRRORED[operator]
    if variable.name in free_names(right):
        return None
    return _isolated(variable, left, operator, right, scope)


def _isolated(
    variable: Variable, side: Expression, operator: ComparisonOperator, term: Expression, scope: Scope
) -> _Limit | None:
    """Move everything but the variable from ``side`` to the other side of the comparison."""
    while side != Name(variable.name):
        match side:
            case Binary(operator="+", left=kept, right=moved) | Binary(operator="+", left=moved, right=kept) if (
                variable.name not in free_names(moved)
            ):
                side, term = kept, Binary("-", term, moved)
            case Binary(operator="-", left=kept, right=moved) if variable.name not in free_names(moved):
                side, term = kept, Binary("+", term, moved)
            case Binary(operator="-", left=moved, right=kept) if variable.name not in free_names(moved):
                side, term, operator = kept, Binary("-", moved, term), MIRRORED[operator]
            case Unary(operator="-", operand=kept):
                side, term, operator = kept, Unary("-", term), MIRRORED[operator]
            case (
                Binary(operator="*" | "/" as sign, left=kept, right=factor)
                | Binary(operator="*" as sign, left=factor, right=kept)
            ) if (number := _number(factor, scope)) is not None:
                side, term = kept, Binary("/" if sign == "*" else "*", term, factor)
                operator = operator if number > 0 else MIRRORED[operator]
            case _:
                return None
    return _Limit(operator, term)


def _number(factor: Expression, scope: Scope) -> int | Fraction | None:
    """The value of a factor that is a constant number other than zero."""
    if any(variable.name in free_names(factor) for variable in scope.variables):
        return None
    value = evaluate(factor, scope, {})
    return value if value and not isinstance(value, str) else None


def _by_equation(variable: Variable, term: Expression, mine: list[Expression], scope: Scope) -> list[Expression]:
    whole = isinstance(variable.type, IntType) and isinstance(infer(term, scope), RealType)
    rounded: Expression = Call("floor", (term,)) if whole else term
    must: list[Expression] = [compared(term, "==", rounded)] if whole else []
    must += in_bounds(term, variable.type)
    return must + [substitute(part, {variable.name: rounded}) for part in mine]


def _by_bounds(variable: Variable, limits: list[_Limit], scope: Scope) -> list[Expression]:
    """Every lower bound lies below every upper bound: sufficient, since reals are dense and bounds of ints are
    integers.
    """
    lows = [limit for limit in limits if limit.operator in (">", ">=")]
    highs = [limit for limit in limits if limit.operator in ("<", "<=")]
    match variable.type:
        case IntType(low=low, high=high) | RealType(low=low, high=high):
            lows += [] if low is None else [_Limit(">=", literal(low))]
            highs += [] if high is None else [_Limit("<=", literal(high))]
    if isinstance(variable.type, IntType):
        lows, highs = [_whole(limit, scope) for limit in lows], [_whole(limit, scope) for limit in highs]
    return [
        compared(low.term, "<" if low.operator == ">" or high.operator == "<" else "<=", high.term)
        for low in lows
        for high in highs
    ]


def _whole(limit: _Limit, scope: Scope) -> _Limit:
    """The same bound for a whole number as ``>=`` or ``<=`` a whole number."""
    down: Expression = limit.term
    up: Expression = limit.term
    if isinstance(infer(limit.term, scope), RealType):
        down = Call("floor", (limit.term,))
        up = Unary("-", Call("floor", (Unary("-", limit.term),)))
    match limit.operator:
        case ">":
            return _Limit(">=", Binary("+", down, Integer(1)))
        case "<":
            return _Limit("<=", Binary("-", up, Integer(1)))
        case ">=":
            return _Limit(">=", up)
        case _:
            return _Limit("<=", down)
