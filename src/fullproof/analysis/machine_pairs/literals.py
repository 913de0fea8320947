"""Conditions split into conjuncts, with negations moved into comparisons."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.language.formulas import conjuncts, disjunction, links, negation
from fullproof.language.syntax import OPPOSITE, Binary, Boolean, Comparison, Expression, Unary


def parts_of(condition: Expression) -> Iterator[Expression]:
    """Conditions that hold together iff ``condition`` does; a negated comparison becomes the opposite comparison."""
    for one in conjuncts(condition):
        match one:
            case Unary(operator="not", operand=inner):
                yield from _parts_of_not(inner)
            case _:
                yield one


def _parts_of_not(inner: Expression) -> Iterator[Expression]:
    match inner:
        case Boolean(value=value):
            yield Boolean(not value)
        case Unary(operator="not", operand=twice):
            yield from parts_of(twice)
        case Binary(operator="or", left=left, right=right):
            yield from parts_of(negation(left))
            yield from parts_of(negation(right))
        case Binary(operator="->", left=left, right=right):
            yield from parts_of(left)
            yield from parts_of(negation(right))
        case Comparison(operands=(left, right), operators=(operator,)):
            yield Comparison((left, right), (OPPOSITE[operator],))
        case Comparison():
            yield disjunction(part for link in links(inner) for part in _parts_of_not(link))
        case _:
            yield negation(inner)
