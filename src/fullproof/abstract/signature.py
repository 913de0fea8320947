"""The signs of expressions at valuations, by exact evaluation, and the sign vectors seen for each input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from fullproof.language.compile import compile_expression
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import conjunction
from fullproof.language.substitute import literal
from fullproof.language.syntax import Comparison, Expression, Name, Unary
from fullproof.language.types import Value, Variable

Signs: TypeAlias = tuple[bool, ...]
Valuation: TypeAlias = Mapping[str, Value]
Input: TypeAlias = tuple[Value, ...]
"""The values of the input variables, in their order."""


class ExpressionSigns:
    """Evaluates the signs of some expressions, and records for each input the sign vectors seen with it."""

    def __init__(self, expressions: Sequence[Expression], scope: Scope, inputs: Sequence[Variable] = ()) -> None:
        self.expressions = tuple(expressions)
        self.literals = [(Unary("not", e), e) for e in expressions]
        """For each expression, the literal for false and the literal for true."""
        self.seen: dict[Input, set[Signs]] = {}
        self._names = tuple(variable.name for variable in inputs)
        self._holds = [compile_expression(e, scope) for e in expressions]

    def __call__(self, valuation: Valuation) -> Signs:
        """The signs at a valuation, recorded for its input."""
        signs = tuple([holds(valuation) is True for holds in self._holds])
        self.seen.setdefault(self.input_of(valuation), set()).add(signs)
        return signs

    def input_of(self, valuation: Valuation) -> Input:
        """The values of the inputs in a valuation."""
        return tuple([valuation[name] for name in self._names])

    def named(self, given: Input) -> dict[str, Value]:
        """The same by name."""
        return dict(zip(self._names, given, strict=True))


def formula_of(valuation: Valuation) -> Expression:
    """The condition that variables have these values."""
    return conjunction(
        (Name(name) if value else Unary("not", Name(name)))
        if isinstance(value, bool)
        else Comparison((Name(name), literal(value)), ("==",))
        for name, value in valuation.items()
    )
