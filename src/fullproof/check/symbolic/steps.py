"""Transitions of a symbolic machine as the solver sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.substitute import substitute
from fullproof.language.syntax import Binary, Expression, Name
from fullproof.language.types import Value, Variable
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition

PRIME = "'"
"""Marks a second copy of an output, for questions about two outputs to one input."""


@dataclass(frozen=True, slots=True, eq=False)
class GuardedStep:
    """A transition, its place among those of its state (counted from 1), and the formula of its inputs and outputs."""

    transition: SfsmTransition
    number: int
    predicate: Expression

    @property
    def where(self) -> str:
        """``state s0, transition 2 (x <= vmax / y == 0 -> s0)``"""
        t = self.transition
        return f"state {t.source}, transition {self.number} ({to_text(t.guard)} / {to_text(t.output)} -> {t.target})"


def steps_of(model: Sfsm) -> dict[str, list[GuardedStep]]:
    """The transitions of each state, in the order of the model."""
    steps: dict[str, list[GuardedStep]] = {state: [] for state in model.states}
    for t in model.transitions:
        here = steps[t.source]
        here.append(GuardedStep(t, len(here) + 1, Binary("and", t.guard, t.output)))
    return steps


def scope_of(model: Sfsm) -> Scope:
    """Inputs, outputs, a primed copy of each output, and the constants."""
    copies = tuple(replace(output, name=output.name + PRIME) for output in model.outputs)
    return model.scope_with((*model.inputs, *model.outputs, *copies))


def primed(outputs: Sequence[Variable], formula: Expression) -> Expression:
    """The formula with the second copy of every output."""
    return substitute(formula, {output.name: Name(output.name + PRIME) for output in outputs})


def restricted(values: Mapping[str, Value], variables: Sequence[Variable], *, suffix: str = "") -> dict[str, Value]:
    """The values of some variables, or of their copies."""
    return {variable.name + suffix: values[variable.name + suffix] for variable in variables}
