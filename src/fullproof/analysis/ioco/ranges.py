"""Assignments must respect the ranges of their variables: a model has no meaning after a value outside its range.

Without ranges values and expressions may grow without bound: such states are reported and not explored.
"""

from __future__ import annotations

from fractions import Fraction

from fullproof.analysis.ioco.common_language import CodedSwitch, CodedSystem
from fullproof.analysis.ioco.nodes import PairStep, SymbolicLocation, expressions_of
from fullproof.analysis.ioco.normal_form import replacements, within_bounds
from fullproof.analysis.ioco.questions import IocoQuestions, scope_of
from fullproof.analysis.ioco.substitution import instantiate
from fullproof.core.errors import UserError
from fullproof.language.formulas import conjunction, opposite
from fullproof.language.printer import type_to_text
from fullproof.language.syntax import Decimal, Integer, Name
from fullproof.language.traversal import nodes

NODES = 4_000
"""States with a larger expression are not explored."""

BITS = 4_000
"""States with a number of more bits are not explored."""


class Ranges:
    """Checks every assignment that a comparison encounters."""

    def __init__(self, asking: IocoQuestions) -> None:
        self._asking = asking

    def require(self, system: CodedSystem, switch: CodedSwitch, step: PairStep, state: SymbolicLocation) -> None:
        """Raise a UserError where an assignment of a switch, taken from a state in a step, leaves a range."""
        scope = scope_of(step.variables)
        known = replacements(system.variables, state)
        for variable, declared, update in zip(system.variables, system.model.variables, switch.updates, strict=True):
            if update == Name(variable.name):
                continue
            must = within_bounds(instantiate(update, known), variable.type, scope)
            if not must:
                continue
            outside = opposite(instantiate(conjunction(must), {}))
            if self._asking.possible(step.variables, (*step.parent.conditions, *step.conditions, outside)):
                raise UserError(
                    f"{system.model.name}: {variable.name} leaves its range, {type_to_text(declared.type)}, "
                    "so the model has no meaning there; `fullproof check` shows how",
                    at=switch.origin.at,
                )

    def fits(self, step: PairStep) -> bool:
        """Whether the states after a step are within the size limits; records where they are not."""
        for expression in expressions_of(step):
            for number, node in enumerate(nodes(expression)):
                if number > NODES or (isinstance(node, Integer | Decimal) and _bits(node.value) > BITS):
                    self._asking.give_up("a variable has grown too large to be followed; a range would bound it")
                    return False
        return True


def _bits(value: int | Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())
