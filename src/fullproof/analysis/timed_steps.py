"""What a state machine with timers and finite data does in a place, whatever the time is: events and expiries.

A place is a configuration without times: the control state, the values, and the timers that run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from fullproof.analysis.input_values import InputValues, all_inputs
from fullproof.analysis.run_to_completion import Configuration, RunGoesWrong, RunToCompletion
from fullproof.core.errors import UserError
from fullproof.language.traversal import free_names
from fullproof.language.types import Value
from fullproof.model import StateMachine
from fullproof.model.inputs import SignalEvent

MOST_INPUTS = 64
_KEPT = Fraction(-1)
"""A mark for a timer that ran before: what a transition starts has its duration instead."""


@dataclass(frozen=True, slots=True)
class TimedPlace:
    """A control state with values, and the numbers of the timers that run."""

    state: str
    values: tuple[Value | None, ...]
    running: frozenset[int]


@dataclass(frozen=True, slots=True)
class TimedStep:
    """Where an event or an expiry leads, the signals sent, the timers that start anew, and the transitions taken."""

    target: TimedPlace
    sent: tuple[str, ...]
    starts: frozenset[int]
    transitions: tuple[int, ...]


class TimedSteps:
    """All events and expiries of a model. UserError: its inputs have too many values."""

    def __init__(self, model: StateMachine) -> None:
        self.model = model
        self._machine = RunToCompletion(model)
        inputs = all_inputs(model, most=MOST_INPUTS)
        if inputs is None:
            raise UserError(f"{model.name}: its inputs have more than {MOST_INPUTS} combinations of values")
        self.events = tuple(_events(model, inputs))
        self._forgets = not _reads_inputs(model)
        start = self._machine.start
        running = frozenset(k for k, left in enumerate(start.clocks) if left is not None)
        self.start = TimedPlace(start.state, self._kept(start.values), running)

    def values(self, place: TimedPlace) -> Mapping[str, Value]:
        """The attributes that have values, by name."""
        return self._machine.values(Configuration(place.state, place.values))

    def event(self, place: TimedPlace, event: SignalEvent) -> Sequence[TimedStep]:
        """What an event may do. Raises RunGoesWrong."""
        return self._steps(place, place.running, event.signal, event.values)

    def expiry(self, place: TimedPlace, timer: int) -> Sequence[TimedStep]:
        """What the expiry of a timer may do. Raises RunGoesWrong. Needs: it runs there."""
        one = self.model.timers[timer]
        if not self._forgets and None in place.values:
            raise RunGoesWrong(f"{one.name} may expire before all inputs have values")
        before = place.running - {timer}
        return self._steps(place, before, one.name, {}, again=frozenset({timer}) if one.periodic else frozenset())

    def _steps(
        self,
        place: TimedPlace,
        running: frozenset[int],
        trigger: str | None,
        inputs: Mapping[str, Value],
        again: frozenset[int] = frozenset(),
    ) -> list[TimedStep]:
        clocks = tuple(
            timer.duration if k in again else _KEPT if k in running else None
            for k, timer in enumerate(self.model.timers)
        )
        found: dict[TimedStep, None] = {}
        for run in self._machine.runs(Configuration(place.state, place.values, clocks), trigger, inputs):
            after = [(k, left) for k, left in enumerate(run.end.clocks) if left is not None]
            target = TimedPlace(run.end.state, self._kept(run.end.values), frozenset(k for k, _ in after))
            starts = frozenset(k for k, left in after if left != _KEPT)
            found[TimedStep(target, run.sent, starts, run.transitions)] = None
        return list(found)

    def _kept(self, values: tuple[Value | None, ...]) -> tuple[Value | None, ...]:
        """Inputs are forgotten where nothing reads them before they have new values."""
        count = len(self.model.inputs)
        return (*(None for _ in range(count)), *values[count:]) if self._forgets else values


def _events(model: StateMachine, inputs: Sequence[InputValues]) -> list[SignalEvent]:
    silent = bool(model.inputs) or any(t.trigger is None for t in model.transitions)
    signals = (*((None,) if silent else ()), *model.signals_in)
    return [SignalEvent(signal, values) for values in inputs for signal in signals]


def _reads_inputs(model: StateMachine) -> bool:
    """Whether a transition that needs no event reads an input: an expiry may take it."""
    names = {variable.name for variable in model.inputs}
    for t in model.transitions:
        if t.trigger in model.signals_in:
            continue
        read = free_names(t.guard).union(*(free_names(action.expression) for action in t.actions))
        if read & names:
            return True
    return False
