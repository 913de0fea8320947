"""Assignments in motion: new values are computed exactly and must keep to the ranges of their variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from fullproof.execute.sut import SutError
from fullproof.language.compile import compile_expression
from fullproof.language.printer import type_to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.types import Value, Variable
from fullproof.language.values import coerce, in_range
from fullproof.model.sts import Assignment


class Assigning:
    """Some assignments, compiled; carried out all at once or one after the other."""

    def __init__(self, assignments: Sequence[Assignment], scope: Scope) -> None:
        self._parts: list[tuple[Variable, Callable[[Mapping[str, Value]], Value]]] = [
            (scope.variable(a.variable), compile_expression(a.expression, scope)) for a in assignments
        ]

    def at_once(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """The new values, all computed from the old ones."""
        return {variable.name: _within(variable, new(values)) for variable, new in self._parts}

    def in_order(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """The new values, each computed from those before it."""
        current, changed = dict(values), dict[str, Value]()
        for variable, new in self._parts:
            current[variable.name] = changed[variable.name] = _within(variable, new(current))
        return changed


def _within(variable: Variable, value: Value) -> Value:
    value = coerce(value, variable.type)
    if not in_range(value, variable.type):
        text = f"{variable.name} = {value_to_text(value)} leaves {type_to_text(variable.type)}"
        raise SutError(f"the model goes wrong: {text}")
    return value
