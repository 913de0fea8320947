"""Guards whose thresholds moved: families by where one threshold lies, docs/proofs/transition-witnesses.md.

The thresholds of a variable are the constants that guards and outputs compare it with, and its bounds. In a system, a
threshold is one of these or at least epsilon away from all of them. Between two neighbours all such thresholds behave
alike: the guard grows or shrinks as the threshold moves, so that two guards bound all the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from fullproof.core.errors import UserError
from fullproof.language.evaluate import evaluate
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import conjunction
from fullproof.language.substitute import literal
from fullproof.language.syntax import MIRRORED, Binary, Comparison, ComparisonOperator, Expression, Name, Unary
from fullproof.language.traversal import free_names, nodes
from fullproof.language.types import IntType, RealType, Variable

_UP: tuple[ComparisonOperator, ...] = (">", ">=")
_DOWN: tuple[ComparisonOperator, ...] = ("<", "<=")


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedThreshold:
    """All guards with one threshold between two neighbours: ``least`` implies each of them, each implies ``most``.

    ``upwards``: as the guard gets smaller, it loses the smaller values of the variable first.
    """

    least: Expression
    most: Expression
    variable: str
    upwards: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """The faulty variants of one guard: guards with a threshold exchanged or made strict, and families."""

    guards: tuple[Expression, ...]
    families: tuple[MovedThreshold, ...]


class _Atom(NamedTuple):
    """A comparison of a variable with a constant inside a guard; ``rising``: the guard grows with it."""

    variable: str
    operator: ComparisonOperator
    rising: bool
    put: Callable[[Expression], Expression]


def thresholds_of(variable: Variable, expressions: Iterable[Expression], scope: Scope) -> tuple[Fraction, ...]:
    """The bounds of a variable, and all constants that it is compared with, in order."""
    type_ = variable.type
    if not isinstance(type_, IntType | RealType) or type_.low is None or type_.high is None:
        raise UserError(
            f"thresholds of {variable.name!r} cannot be covered: it needs bounds, as in {variable.name}: real 0..400"
        )
    low, high = Fraction(type_.low), Fraction(type_.high)
    found = {low, high}
    for node in (n for e in expressions for n in nodes(e) if isinstance(n, Comparison)):
        for left, right in pairwise(node.operands):
            for one, other in ((left, right), (right, left)):
                if one == Name(variable.name):
                    value = _constant(other, scope)
                    if value is not None and low < value < high:
                        found.add(value)
    return tuple(sorted(found))


def moved_thresholds(
    guard: Expression, thresholds: Mapping[str, tuple[Fraction, ...]], epsilon: Mapping[str, Fraction], scope: Scope
) -> Moved:
    """The guard with any one of its thresholds moved, one at a time."""
    guards: dict[Expression, None] = {}
    families: list[MovedThreshold] = []
    for atom in _atoms(guard, True, lambda e: e, scope):
        if atom.variable not in epsilon:
            continue
        operators = _UP if atom.operator in _UP else _DOWN
        marks, step = thresholds[atom.variable], epsilon[atom.variable]
        for value in marks:
            guards.update(dict.fromkeys(atom.put(_compared(atom, o, value)) for o in operators))
        families += [
            _family(atom, low + step, high - step) for low, high in pairwise(marks) if low + step <= high - step
        ]
    guards.pop(guard, None)
    return Moved(guards=tuple(guards), families=tuple(families))


def _family(atom: _Atom, low: Fraction, high: Fraction) -> MovedThreshold:
    """For thresholds from ``low`` to ``high``, strict or not."""
    if atom.operator in _UP:
        small, large = _compared(atom, ">", high), _compared(atom, ">=", low)
    else:
        small, large = _compared(atom, "<", low), _compared(atom, "<=", high)
    least, most = (small, large) if atom.rising else (large, small)
    return MovedThreshold(
        least=atom.put(least),
        most=atom.put(most),
        variable=atom.variable,
        upwards=(atom.operator in _UP) == atom.rising,
    )


def _compared(atom: _Atom, operator: ComparisonOperator, value: Fraction) -> Expression:
    number = int(value) if value.denominator == 1 else value
    return Comparison((Name(atom.variable), literal(number)), (operator,))


def _atoms(node: Expression, rising: bool, put: Callable[[Expression], Expression], scope: Scope) -> Iterator[_Atom]:
    """The comparisons in which a guard is monotone; chains are taken apart."""
    match node:
        case Unary(operator="not", operand=operand):
            yield from _atoms(operand, not rising, lambda e: put(replace(node, operand=e)), scope)
        case Binary(operator="and" | "or" | "->" as operator, left=left, right=right):
            first = not rising if operator == "->" else rising
            yield from _atoms(left, first, lambda e: put(replace(node, left=e)), scope)
            yield from _atoms(right, rising, lambda e: put(replace(node, right=e)), scope)
        case Comparison(operands=operands, operators=operators):
            links = [Comparison(pair, (o,)) for pair, o in zip(pairwise(operands), operators, strict=True)]
            for place, (left, right) in enumerate(pairwise(operands)):
                atom = _atom(left, operators[place], right, scope)
                if atom is not None:
                    before, after = links[:place], links[place + 1 :]

                    def chain(
                        e: Expression, before: list[Comparison] = before, after: list[Comparison] = after
                    ) -> Expression:
                        return put(conjunction((*before, e, *after)))

                    yield _Atom(atom[0], atom[1], rising, chain)
        case _:
            return


def _atom(
    left: Expression, operator: ComparisonOperator, right: Expression, scope: Scope
) -> tuple[str, ComparisonOperator] | None:
    if operator not in (*_UP, *_DOWN):
        return None
    if isinstance(left, Name) and _is_input(left, scope) and _constant(right, scope) is not None:
        return left.name, operator
    if isinstance(right, Name) and _is_input(right, scope) and _constant(left, scope) is not None:
        return right.name, MIRRORED[operator]
    return None


def _is_input(name: Name, scope: Scope) -> bool:
    return any(v.name == name.name for v in scope.variables)


def _constant(expression: Expression, scope: Scope) -> Fraction | None:
    if free_names(expression) & {v.name for v in scope.variables}:
        return None
    try:
        value = evaluate(expression, scope, {})
    except UserError:
        return None
    return None if isinstance(value, bool | str) else Fraction(value)
