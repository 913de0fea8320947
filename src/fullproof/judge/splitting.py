"""The parts of an output expression that other expressions of the fault domain tell apart.

A system that answers with part of what an output expression allows may use another expression of its fault domain. It
is equivalent only if it shows every part: the symbolic traces of paper 000, Part I, are sequences of input/output
classes, not of transitions. At inputs where the alphabet is separable (Part II) there is one part only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from fullproof.language.compile import compile_expression
from fullproof.language.printing import to_text
from fullproof.language.residual import residual
from fullproof.language.scope import Scope
from fullproof.language.syntax import Binary, Boolean, Expression, Unary
from fullproof.language.types import Value, Variable
from fullproof.smt import Sat, open_solver

Signs = tuple[bool, ...]

_MOST_PARTS = 64
_SOLVER_TIMEOUT = 2.0


class Splitting:
    """The output expressions of a model and its fault domain."""

    def __init__(self, scope: Scope, outputs: Sequence[Variable], expressions: Sequence[Expression]) -> None:
        self._scope = scope
        self._outputs = Scope(tuple(outputs), scope.constants)
        self._expressions = tuple(dict.fromkeys(expressions))
        self._holds: list[Callable[[Mapping[str, Value]], Value]] = [
            compile_expression(expression, scope) for expression in self._expressions
        ]
        self._known: dict[tuple[Expression, tuple[tuple[str, Value], ...]], Mapping[Signs, str]] = {}

    def part(self, values: Mapping[str, Value]) -> Signs:
        """Which expressions hold for observed inputs and outputs."""
        return tuple(bool(holds(values)) for holds in self._holds)

    def parts(self, expression: Expression, inputs: Mapping[str, Value]) -> Mapping[Signs, str]:
        """The parts of an expression for given inputs, as text; none where it has one part only.

        A solver that cannot tell leaves parts out, which are then not waited for.
        """
        key = (expression, tuple(sorted(inputs.items())))
        if key not in self._known:
            self._known[key] = self._split(expression, inputs)
        return self._known[key]

    def _split(self, expression: Expression, inputs: Mapping[str, Value]) -> Mapping[Signs, str]:
        own = residual(expression, self._scope, inputs)
        left = [residual(other, self._scope, inputs) for other in self._expressions]
        telling = [other for other in dict.fromkeys(left) if other != own and not isinstance(other, Boolean)]
        if not telling:
            return {}
        solver = open_solver(self._outputs, timeout=_SOLVER_TIMEOUT)
        solver.add(own)
        found: dict[Signs, str] = {}
        while len(found) <= _MOST_PARTS and isinstance(answer := solver.check(), Sat):
            values = {**inputs, **answer.model}
            signs = self.part(values)
            here = [o if compile_expression(o, self._outputs)(answer.model) else Unary("not", o) for o in telling]
            found[signs] = " and ".join(to_text(condition) for condition in (own, *here))
            solver.add(Unary("not", _all(here)))
        return found if len(found) > 1 else {}


def _all(parts: Sequence[Expression]) -> Expression:
    whole = parts[0]
    for part in parts[1:]:
        whole = Binary("and", whole, part)
    return whole
