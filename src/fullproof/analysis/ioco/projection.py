"""Quantifier elimination: conditions that state the existence of values of some variables without a quantifier."""

from __future__ import annotations

from collections.abc import Sequence

from fullproof.analysis.ioco.substitution import instantiate
from fullproof.language.elimination import eliminated
from fullproof.language.formulas import conjunction, disjunction
from fullproof.language.scope import Scope
from fullproof.language.syntax import Binary, Expression
from fullproof.language.types import Variable

WAYS = 16
"""A condition is taken apart into at most this many alternatives."""


def projected(variables: Sequence[Variable], condition: Expression, scope: Scope) -> Expression | None:
    """A condition that holds iff some values of ``variables`` satisfy ``condition``; None where no rule fits."""
    whole = eliminated(variables, condition, scope)
    if whole is not None:
        return instantiate(whole, {})
    ways = _ways(condition)
    if ways is None or len(ways) == 1:
        return None
    found = [eliminated(variables, way, scope) for way in ways]
    parts = [part for part in found if part is not None]
    return instantiate(disjunction(parts), {}) if len(parts) == len(ways) else None


def _ways(condition: Expression) -> list[Expression] | None:
    """The alternatives of a condition, each a conjunction; None where there are too many."""
    match condition:
        case Binary(operator="or", left=left, right=right):
            both = _ways(left), _ways(right)
            if both[0] is None or both[1] is None or len(both[0]) + len(both[1]) > WAYS:
                return None
            return [*both[0], *both[1]]
        case Binary(operator="and", left=left, right=right):
            both = _ways(left), _ways(right)
            if both[0] is None or both[1] is None or len(both[0]) * len(both[1]) > WAYS:
                return None
            return [conjunction((one, two)) for one in both[0] for two in both[1]]
        case _:
            return [condition]
