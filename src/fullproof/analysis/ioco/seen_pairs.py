"""Subsumption of pairs: a new pair is dropped where an older one contains it."""

from __future__ import annotations

from fullproof.analysis.ioco.nodes import StatePair
from fullproof.analysis.ioco.normal_form import within
from fullproof.analysis.ioco.questions import IocoQuestions, scope_of
from fullproof.analysis.ioco.substitution import instantiate, is_literal
from fullproof.language.formulas import conjunction, opposite
from fullproof.language.syntax import (
    Binary,
    Call,
    Comparison,
    Expression,
    Name,
    Unary,
)
from fullproof.language.traversal import children

_ATTEMPTS = 20
"""The number of older pairs of the same shape that the solver compares with a new one."""


class Seen:
    """The pairs met so far, by their locations."""

    def __init__(self, asking: IocoQuestions) -> None:
        self._asking = asking
        self._exact: set[object] = set()
        self._shapes: dict[object, list[StatePair]] = {}

    def add(self, pair: StatePair) -> bool:
        """Keep a pair; False where an older one contains it."""
        exact = pair.variables, pair.conditions, pair.model, pair.other
        if exact in self._exact:
            return False
        shape = pair.other.location, tuple(state.location for state in pair.model)
        older = self._shapes.setdefault(shape, [])
        if self._is_contained(pair, older):
            return False
        self._exact.add(exact)
        older.append(pair)
        return True

    def _is_contained(self, pair: StatePair, older: list[StatePair]) -> bool:
        attempts = 0
        for known in older:
            binding = _match(known, pair)
            if binding is None:
                continue
            scope = scope_of(pair.variables)
            must = [instantiate(condition, binding) for condition in known.conditions]
            for variable in known.variables:
                must += within(binding[variable.name], variable.type, scope)
            open_parts = [part for part in must if part not in pair.conditions]
            outside = opposite(instantiate(conjunction(open_parts), {}))
            attempts += 1
            if attempts > _ATTEMPTS:
                return False
            if self._asking.possible(pair.variables, (*pair.conditions, outside)) is False:
                return True
        return False


def _match(pattern: StatePair, pair: StatePair) -> dict[str, Expression] | None:
    """What the variables of one pair must be for its states to be those of the other."""
    binding: dict[str, Expression] = {}
    for general, special in zip(pattern.expressions(), pair.expressions(), strict=True):
        if not _bind(general, special, binding):
            return None
    if any(variable.name not in binding for variable in pattern.variables):
        return None
    return binding


def _bind(general: Expression, special: Expression, binding: dict[str, Expression]) -> bool:
    if isinstance(general, Name):
        return binding.setdefault(general.name, special) == special
    if is_literal(general):
        return general == special
    if type(general) is not type(special) or _label(general) != _label(special):
        return False
    parts = zip(children(general), children(special), strict=False)
    return len(children(general)) == len(children(special)) and all(_bind(g, s, binding) for g, s in parts)


def _label(node: Expression) -> object:
    match node:
        case Unary(operator=operator) | Binary(operator=operator):
            return operator
        case Comparison(operators=operators):
            return operators
        case Call(function=function):
            return function
        case _:
            return None
