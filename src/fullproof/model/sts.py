"""Symbolic transition systems (STS): gates with parameters, location variables, ioco."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.language.syntax import Expression
from fullproof.language.types import Variable
from fullproof.model.common import Description, require_distinct, require_known
from fullproof.model.interface import GateInterface


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """An input or output gate with its interaction parameters."""

    name: str
    parameters: tuple[Variable, ...] = ()


TAU: Final = "tau"
"""The gate of internal steps, which are unobservable. It is not declared and carries no values."""

INTERNAL = Gate(name=TAU)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """``variable := expression``"""

    variable: str
    expression: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """``source --gate, guard, update--> target``; all assignments of a switch happen at once.

    The gate is an input, an output, or ``TAU``.
    """

    source: str
    gate: str
    guard: Expression
    assignments: tuple[Assignment, ...]
    target: str
    requirements: tuple[str, ...] = ()
    at: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sts:
    """A symbolic transition system; every variable has an initial value."""

    kind: ClassVar[str] = "sts"
    choices: ClassVar[tuple[str, ...]] = ()
    """Choice points among the states: only a statemachine has them."""

    name: str
    initial: str
    states: tuple[str, ...]
    variables: tuple[Variable, ...]
    inputs: tuple[Gate, ...]
    outputs: tuple[Gate, ...]
    transitions: tuple[Switch, ...]
    description: Description = Description()

    @property
    def interface(self) -> GateInterface:
        """What its inputs and outputs are."""
        inputs, outputs = ({gate.name: gate.parameters for gate in gates} for gates in (self.inputs, self.outputs))
        return GateInterface(inputs, outputs)

    def __post_init__(self) -> None:
        require_distinct(self.states, what="state")
        require_distinct((v.name for v in self.variables), what="variable")
        require_distinct((g.name for g in self.inputs + self.outputs), what="gate")
        require_known(self.initial, self.states, what="initial state")
        if any(gate.name == TAU for gate in self.inputs + self.outputs):
            raise UserError(reserved(TAU))
        gates = [gate.name for gate in self.gates]
        variables = [v.name for v in self.variables]
        for t in self.transitions:
            require_known(t.source, self.states, what="state", at=t.at)
            require_known(t.target, self.states, what="state", at=t.at)
            require_known(t.gate, gates, what="gate", at=t.at)
            for assignment in t.assignments:
                require_known(assignment.variable, variables, what="variable", at=t.at)

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The gates that a switch may have: inputs, outputs, and that of internal steps."""
        return (*self.inputs, *self.outputs, INTERNAL)


def reserved(name: str) -> str:
    """Why a gate cannot have this name."""
    return f"gate {name!r} cannot be declared: it is the internal step, which a switch takes by gate: {TAU}"
