"""SysML state machines: triggers, guards, actions, choice points, run to completion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.language.syntax import Expression
from fullproof.language.types import Variable
from fullproof.model.common import Description, require_distinct, require_known
from fullproof.model.inputs import SENDS, TRIGGER
from fullproof.model.interface import EventInterface
from fullproof.model.sts import Assignment


@dataclass(frozen=True, slots=True, kw_only=True)
class SmTransition:
    """``source --trigger [guard] / actions; sends--> target``; a missing trigger is the empty string, actions run in
    order.
    """

    source: str
    trigger: str | None
    guard: Expression
    actions: tuple[Assignment, ...]
    sends: tuple[str, ...]
    target: str
    requirements: tuple[str, ...] = ()
    at: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StateMachine:
    """A flat SysML state machine; output attributes and variables have initial values."""

    kind: ClassVar[str] = "statemachine"

    name: str
    initial: str
    states: tuple[str, ...]
    choices: tuple[str, ...]
    signals_in: tuple[str, ...]
    signals_out: tuple[str, ...]
    inputs: tuple[Variable, ...]
    outputs: tuple[Variable, ...]
    variables: tuple[Variable, ...]
    transitions: tuple[SmTransition, ...]
    description: Description = Description()

    @property
    def interface(self) -> EventInterface:
        """What its inputs and outputs are."""
        return EventInterface(
            named=self.signals_in,
            inputs=self.inputs,
            outputs=self.outputs,
            signals_out=self.signals_out,
            has_events=True,
        )

    def __post_init__(self) -> None:
        for variable in self.inputs + self.outputs + self.variables:
            if (reason := reserved_name(variable.name)) is not None:
                raise UserError(reason)
        require_distinct(self.states, what="state")
        require_distinct((v.name for v in self.inputs + self.outputs + self.variables), what="variable")
        require_distinct(self.signals_in + self.signals_out, what="signal")
        require_known(self.initial, self.states, what="initial state")
        writable = [v.name for v in self.outputs + self.variables]
        for name in self.choices:
            require_known(name, self.states, what="choice point")
        for t in self.transitions:
            require_known(t.source, self.states, what="state", at=t.at)
            require_known(t.target, self.states, what="state", at=t.at)
            if t.trigger is not None:
                require_known(t.trigger, self.signals_in, what="input signal", at=t.at)
            for signal in t.sends:
                require_known(signal, self.signals_out, what="output signal", at=t.at)
            for action in t.actions:
                require_known(action.variable, writable, what="output or variable", at=t.at)


def reserved_name(name: str) -> str | None:
    """Why a variable cannot have this name; None where it can."""
    what = {TRIGGER: "the signal of an event", SENDS: "the signals sent"}.get(name)
    if what is None:
        return None
    return f"a variable of a statemachine cannot be called {name!r}: suites and systems have {what} under that name"
