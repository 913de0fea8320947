"""SysML state machines: triggers, guards, actions, choice points, run to completion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.language.syntax import Expression
from fullproof.language.types import Variable
from fullproof.model.chart_model import ChartModel
from fullproof.model.common import Description, require_distinct, require_known
from fullproof.model.inputs import ADVANCE, SENDS, TRIGGER
from fullproof.model.interface import EventInterface
from fullproof.model.sts import Assignment
from fullproof.model.timed import Timer


@dataclass(frozen=True, slots=True, kw_only=True)
class SmTransition:
    """``source --trigger [guard] / actions; sends--> target``; a missing trigger is the empty string, actions run in
    order. A trigger is an input signal or the name of a timer, whose expiry it waits for.
    """

    source: str
    trigger: str | None
    guard: Expression
    actions: tuple[Assignment, ...]
    sends: tuple[str, ...]
    target: str
    requirements: tuple[str, ...] = ()
    arrows: tuple[int, ...] = field(default=(), compare=False, repr=False)
    """The transitions of the chart that it takes, by their number there."""
    starts: tuple[str, ...] = ()
    """Timers that run from now on, with their whole duration, whether they ran before or not."""
    stops: tuple[str, ...] = ()
    """Timers that were stopped: they do not run any more, unless they are started again."""
    at: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StateMachine:
    """A flat SysML state machine; output attributes and variables have initial values.

    Of a chart, the states are its configurations (``formats/charts``), and ``chart`` is what they were made from. A
    machine made from it by ``dataclasses.replace`` has no chart, since what it says might no longer hold.

    While nothing is given to it, timers that run expire, each of which is an event; one that no transition takes is
    lost. A periodic timer starts again before that.
    """

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
    timers: tuple[Timer, ...] = ()
    started: tuple[str, ...] = ()
    """Timers that run from the beginning."""
    greeting: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """Signals that are sent before the first input, where no answer has them."""
    active: tuple[tuple[str, tuple[str, ...]], ...] = field(default=(), compare=False, repr=False)
    """The innermost states of the chart that are active in a state, where that is not the state itself."""
    dotted: bool = field(default=False, compare=False, repr=False)
    """Names of signals are prefixes (SCXML): ``a.b`` is taken for ``a`` where only that is known, others are lost."""
    chart: ChartModel | None = field(default=None, init=False, compare=False, repr=False)

    @property
    def interface(self) -> EventInterface:
        """What its inputs and outputs are."""
        return EventInterface(
            named=self.signals_in,
            inputs=self.inputs,
            outputs=self.outputs,
            signals_out=self.signals_out,
            has_events=True,
            has_time=bool(self.timers),
        )

    def active_in(self, state: str) -> tuple[str, ...]:
        """The innermost states of the chart that are active in a state."""
        return next((active for name, active in self.active if name == state), (state,))

    def __post_init__(self) -> None:
        for variable in self.inputs + self.outputs + self.variables:
            if (reason := reserved_name(variable.name, timed=bool(self.timers))) is not None:
                raise UserError(reason)
        require_distinct(self.states, what="state")
        require_distinct((v.name for v in self.inputs + self.outputs + self.variables), what="variable")
        timers = tuple(timer.name for timer in self.timers)
        require_distinct(self.signals_in + self.signals_out, what="signal")
        require_distinct(self.signals_in + timers, what="signal or timer")
        require_known(self.initial, self.states, what="initial state")
        writable = [v.name for v in self.outputs + self.variables]
        for name in self.choices:
            require_known(name, self.states, what="choice point")
        for t in self.transitions:
            require_known(t.source, self.states, what="state", at=t.at)
            require_known(t.target, self.states, what="state", at=t.at)
            if t.trigger is not None:
                require_known(t.trigger, self.signals_in + timers, what="input signal", at=t.at)
            for name in (*t.starts, *t.stops):
                require_known(name, timers, what="timer", at=t.at)
            for signal in t.sends:
                require_known(signal, self.signals_out, what="output signal", at=t.at)
            for action in t.actions:
                require_known(action.variable, writable, what="output or variable", at=t.at)


def with_chart(machine: StateMachine, chart: ChartModel) -> StateMachine:
    """A new machine, which keeps the chart that it was made from."""
    object.__setattr__(machine, "chart", chart)
    return machine


def reserved_name(name: str, *, timed: bool = False) -> str | None:
    """Why a variable cannot have this name; None where it can."""
    what = {TRIGGER: "the signal of an event", SENDS: "the signals sent"}.get(name)
    if timed and name == ADVANCE:
        what = "a delay"
    if what is None:
        return None
    return f"a variable of a statemachine cannot be called {name!r}: suites and systems have {what} under that name"
