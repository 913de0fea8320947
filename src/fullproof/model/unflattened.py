"""State machines of charts with so many configurations that they are worked out only as they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from fullproof.language.types import Variable
from fullproof.model.chart import state_names
from fullproof.model.chart_model import ChartModel
from fullproof.model.fsm import Fsm
from fullproof.model.sfsm import Sfsm
from fullproof.model.statemachine import SmTransition, StateMachine
from fullproof.model.sts import Assignment, Sts


class Unfolding(Protocol):
    """The flat machine of a chart, one configuration after another; states have names once they were met."""

    initial: str
    values: tuple[Variable, ...]
    """Outputs and variables, with the values that they have before the first input."""
    started: tuple[str, ...]
    """Timers that run from the beginning."""
    greeting: tuple[str, ...]
    """Signals that are sent before the first input."""

    def leaving(self, state: str) -> Sequence[SmTransition]:
        """The transitions of a state that was met before."""
        ...

    def active(self, state: str) -> tuple[str, ...]:
        """The innermost active states."""
        ...

    def is_choice(self, state: str) -> bool:
        """Whether a state is left at once."""
        ...


class UnflattenedMachine(StateMachine):
    """A state machine that is its chart: it is flattened where its states or transitions are asked for.

    What needs neither, the execution of single steps and projections on regions, never builds the product.
    ``dataclasses.replace`` makes a flat machine of it.
    """

    __slots__ = ("_begun", "_flat", "_flatten", "_unfold")
    _begun: Unfolding | None
    _flat: StateMachine | None
    _flatten: Callable[[ChartModel], StateMachine]
    _unfold: Callable[[ChartModel], Unfolding]

    def __new__(cls, **parts: Any) -> Any:
        """What ``dataclasses.replace`` asks for; see ``unflattened``."""
        return StateMachine(**parts)

    def unfolding(self) -> Unfolding:
        """A new exploration of the chart."""
        assert self.chart is not None
        return self._unfold(self.chart)

    def _whole(self) -> StateMachine:
        if self._flat is None:
            assert self.chart is not None
            object.__setattr__(self, "_flat", self._flatten(self.chart))
        assert self._flat is not None
        return self._flat

    def _start(self) -> Unfolding:
        if self._begun is None:
            object.__setattr__(self, "_begun", self.unfolding())
        assert self._begun is not None
        return self._begun

    def __reduce__(self) -> tuple[Any, ...]:
        return unflattened, (self.chart, self._flatten, self._unfold)

    def __repr__(self) -> str:
        return f"UnflattenedMachine({self.chart!r})"

    initial = property(lambda self: self._whole().initial)
    states = property(lambda self: self._whole().states)
    choices = property(lambda self: self._whole().choices)
    outputs = property(lambda self: self._start().values[: len(self.chart.outputs)])
    variables = property(lambda self: self._start().values[len(self.chart.outputs) :])
    started = property(lambda self: self._start().started)
    greeting = property(lambda self: self._start().greeting)
    transitions = property(lambda self: self._whole().transitions)
    active = property(lambda self: self._whole().active)


def chart_of(model: Fsm | Sfsm | Sts | StateMachine) -> ChartModel | None:
    """The chart that a model was read from, where it was one."""
    return model.chart if isinstance(model, StateMachine) else None


def arrows_taken(model: Fsm | Sfsm | Sts | StateMachine, numbers: Iterable[int]) -> frozenset[int]:
    """The transitions of the chart that transitions take, both by number (see ``drawn_transitions``)."""
    if isinstance(model, UnflattenedMachine) or not isinstance(model, StateMachine):
        return frozenset(numbers)
    return frozenset(one for k in numbers for one in model.transitions[k].arrows)


def active_states(model: Fsm | Sfsm | Sts | StateMachine, state: str) -> tuple[str, ...]:
    """The states of the chart that are active in a state of the model."""
    known = isinstance(model, StateMachine) and not isinstance(model, UnflattenedMachine)
    return model.active_in(state) if known and isinstance(model, StateMachine) else (state,)


def sent_at_start(model: Fsm | Sfsm | Sts | StateMachine) -> tuple[str, ...]:
    """The signals that a model sends before the first input."""
    return model.greeting if isinstance(model, StateMachine) else ()


def drawn_transitions(model: Fsm | Sfsm | Sts | StateMachine) -> tuple[Any, ...]:
    """The transitions by which reports count what was exercised: those of the model; where a chart is not flattened,
    those of the chart.
    """
    if not isinstance(model, UnflattenedMachine):
        return model.transitions
    assert model.chart is not None
    return tuple(
        SmTransition(
            source=arrow.source or "(chart)",
            trigger=arrow.trigger,
            guard=arrow.guard,
            actions=tuple(action for action in arrow.effect.actions if isinstance(action, Assignment)),
            sends=arrow.effect.sends,
            target="+".join(state_names(arrow.target)),
            requirements=arrow.requirements,
            at=arrow.at,
        )
        for arrow in model.chart.arrows
    )


def unflattened(
    chart: ChartModel, flatten: Callable[[ChartModel], StateMachine], unfold: Callable[[ChartModel], Unfolding]
) -> UnflattenedMachine:
    """The machine of a chart; ``flatten`` and ``unfold`` are functions of a module: machines are sent to workers."""
    made: UnflattenedMachine = object.__new__(UnflattenedMachine)
    parts = {
        "name": chart.name,
        "signals_in": chart.signals_in,
        "signals_out": chart.signals_out,
        "inputs": chart.inputs,
        "description": chart.description,
        "dotted": chart.dotted,
        "timers": chart.timers,
        "chart": chart,
        "_begun": None,
        "_flat": None,
        "_flatten": flatten,
        "_unfold": unfold,
    }
    for name, value in parts.items():
        object.__setattr__(made, name, value)
    return made
