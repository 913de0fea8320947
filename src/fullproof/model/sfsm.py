"""Symbolic finite state machines: guards over inputs, output expressions over inputs and outputs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from fullproof.core.errors import NOWHERE, Place
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.language.types import Variable
from fullproof.model.common import Description, require_distinct, require_known
from fullproof.model.interface import ValueInterface


@dataclass(frozen=True, slots=True, kw_only=True)
class SfsmTransition:
    """``source --guard/output--> target``: ``guard`` refers to inputs, ``output`` to inputs and outputs."""

    source: str
    guard: Expression
    output: Expression
    target: str
    requirements: tuple[str, ...] = ()
    at: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sfsm:
    """A symbolic finite state machine.

    ``assumptions`` are conditions over inputs and constants that the environment keeps: every statement about the
    machine considers only inputs that satisfy them and lie within the types of their variables.
    """

    kind: ClassVar[str] = "sfsm"
    choices: ClassVar[tuple[str, ...]] = ()
    """Choice points among the states: only a statemachine has them."""

    name: str
    initial: str
    states: tuple[str, ...]
    inputs: tuple[Variable, ...]
    outputs: tuple[Variable, ...]
    transitions: tuple[SfsmTransition, ...]
    assumptions: tuple[Expression, ...] = ()
    description: Description = Description()

    @property
    def interface(self) -> ValueInterface:
        """What its inputs and outputs are."""
        return ValueInterface(inputs=self.inputs, outputs=self.outputs, scope=self.input_scope)

    def __post_init__(self) -> None:
        require_distinct(self.states, what="state")
        require_distinct((v.name for v in self.inputs + self.outputs), what="variable")
        require_known(self.initial, self.states, what="initial state")
        for t in self.transitions:
            require_known(t.source, self.states, what="state", at=t.at)
            require_known(t.target, self.states, what="state", at=t.at)

    @property
    def input_scope(self) -> Scope:
        """Inputs and constants: what guards refer to. The assumptions hold in it."""
        return self.scope_with(self.inputs)

    @property
    def scope(self) -> Scope:
        """Inputs, outputs and constants: what output expressions refer to. The assumptions hold in it."""
        return self.scope_with((*self.inputs, *self.outputs))

    def scope_with(self, variables: tuple[Variable, ...]) -> Scope:
        """A scope of these variables, the inputs among them, with the constants and assumptions of the model."""
        return Scope(variables, {c.name: c.value for c in self.description.constants}, self.assumptions)
