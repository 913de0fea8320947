"""Whether values satisfy the assumptions of a scope, by exact evaluation."""

from __future__ import annotations

from collections.abc import Mapping

from fullproof.language.compile import compile_expression
from fullproof.language.printer import to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.traversal import free_names
from fullproof.language.types import Value


class Assumptions:
    """The assumptions of a scope; where it has none, all values satisfy them."""

    def __init__(self, scope: Scope) -> None:
        self._conditions = [(e, compile_expression(e, scope)) for e in scope.assumptions]
        self._names = [variable.name for variable in scope.variables]

    def keep(self, values: Mapping[str, Value]) -> bool:
        """Whether values, at least of the variables that the assumptions refer to, satisfy all of them."""
        return all(holds(values) for _, holds in self._conditions)

    def broken(self, values: Mapping[str, Value]) -> str:
        """A message about the first assumption that values violate, or the empty string."""
        for expression, holds in self._conditions:
            if not holds(values):
                used = free_names(expression)
                given = ", ".join(f"{n} = {value_to_text(values[n])}" for n in self._names if n in used)
                return f"{given} violates the assumption {to_text(expression)}"
        return ""
