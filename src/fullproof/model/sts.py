"""Symbolic transition systems (STS): gates with parameters, location variables, ioco."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from fullproof.core.errors import NOWHERE, Place
from fullproof.language.syntax import Expression
from fullproof.language.types import Variable
from fullproof.model.common import Description, require_distinct, require_known


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """An input or output gate with its interaction parameters."""

    name: str
    parameters: tuple[Variable, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """``variable := expression``"""

    variable: str
    expression: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """``source --gate, guard, update--> target``; all assignments of a switch happen at once."""

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

    name: str
    initial: str
    states: tuple[str, ...]
    variables: tuple[Variable, ...]
    inputs: tuple[Gate, ...]
    outputs: tuple[Gate, ...]
    transitions: tuple[Switch, ...]
    description: Description = Description()

    def __post_init__(self) -> None:
        require_distinct(self.states, what="state")
        require_distinct((v.name for v in self.variables), what="variable")
        require_distinct((g.name for g in self.inputs + self.outputs), what="gate")
        require_known(self.initial, self.states, what="initial state")
        gates = [g.name for g in self.inputs + self.outputs]
        variables = [v.name for v in self.variables]
        for t in self.transitions:
            require_known(t.source, self.states, what="state", at=t.at)
            require_known(t.target, self.states, what="state", at=t.at)
            require_known(t.gate, gates, what="gate", at=t.at)
            for assignment in t.assignments:
                require_known(assignment.variable, variables, what="variable", at=t.at)
