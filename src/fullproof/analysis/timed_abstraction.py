"""A state machine with timers and finite data as a finite timed machine: its locations are states with values.

The locations are all that events and expiries may reach in any order, whatever the times are: a system with other times
than the model may be in any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from fullproof.analysis.run_to_completion import RunGoesWrong
from fullproof.analysis.timed_steps import TimedPlace, TimedStep, TimedSteps
from fullproof.core.errors import UserError
from fullproof.language.printer import value_to_text
from fullproof.model import StateMachine
from fullproof.model.inputs import SignalEvent
from fullproof.model.timed import TimedMachine, TimedMove

MOST_LOCATIONS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedAbstraction:
    """The timed machine, the event that each of its inputs stands for, and the place of each location.

    The outputs of a move are the signals that are sent; what a location shows is the values of the output attributes.
    """

    machine: TimedMachine
    events: tuple[SignalEvent, ...]
    places: tuple[TimedPlace, ...]


def timed_abstraction(model: StateMachine) -> TimedAbstraction:
    """The finite timed machine of a model.

    UserError: its inputs have too many values, more than ``MOST_LOCATIONS`` locations are reached, a timer has no
    duration, an event may do different things, or a run goes wrong.
    """
    for timer in model.timers:
        if timer.duration == 0:
            raise UserError(f"timer {timer.name} expires after no time at all; suites need times above 0 s")
    steps = TimedSteps(model)
    explored = _Explored(steps)
    merged = explored.merged()
    name = (lambda place: (place.state, place.values)) if merged is not None else (lambda place: place)
    return _machine(steps, explored, name, merged)


class _Explored:
    """The places of a model and its steps, by event and by timer."""

    def __init__(self, steps: TimedSteps) -> None:
        self.steps = steps
        self.events: dict[tuple[TimedPlace, int], TimedStep] = {}
        self.expiries: dict[tuple[TimedPlace, int], TimedStep] = {}
        self.places: dict[TimedPlace, None] = {steps.start: None}
        waiting = [steps.start]
        for place in waiting:
            for target in self._targets(place):
                if target not in self.places:
                    self.places[target] = None
                    waiting.append(target)
            if len(self.places) > MOST_LOCATIONS:
                raise UserError(f"{steps.model.name} has more than {MOST_LOCATIONS:,} states with values and timers")

    def _targets(self, place: TimedPlace) -> list[TimedPlace]:
        found: list[TimedPlace] = []
        for number, event in enumerate(self.steps.events):
            step = self.events[place, number] = self._only(partial(self.steps.event, place, event), place)
            found.append(step.target)
        for timer in sorted(place.running):
            step = self.expiries[place, timer] = self._only(partial(self.steps.expiry, place, timer), place)
            found.append(step.target)
        return found

    def _only(self, take: Callable[[], Sequence[TimedStep]], place: TimedPlace) -> TimedStep:
        model = self.steps.model
        try:
            found = take()
        except RunGoesWrong as wrong:
            raise UserError(f"{model.name} goes wrong in {place.state}: {wrong}; see check") from wrong
        different = {(step.target, step.sent, step.starts): step for step in found}
        if len(different) != 1:
            raise UserError(f"{model.name} is not deterministic in {place.state}; see check")
        (step,) = different.values()
        return step

    def merged(self) -> dict[tuple[object, object], frozenset[int]] | None:
        """The timers of each state with values, where one location for all its places does the same: a timer that such
        a location has and that does not run in one of its places is off there.
        """
        has: dict[tuple[object, object], frozenset[int]] = {}
        for place in self.places:
            key = place.state, place.values
            has[key] = has.get(key, frozenset()) | place.running
        start = self.steps.start
        if has[start.state, start.values] != start.running:
            return None
        ended = [(place, step, frozenset[int]()) for (place, _), step in self.events.items()]
        ended += [(place, step, frozenset({timer})) for (place, timer), step in self.expiries.items()]
        for place, step, expired in ended:
            here, there = has[place.state, place.values], has[step.target.state, step.target.values]
            stopped = (place.running & there) - step.target.running  # by nothing but their expiry
            if not there - here <= step.starts or not stopped <= expired:
                return None
        return has if self._alike() else None

    def _alike(self) -> bool:
        """Whether places that differ in nothing but timers that run do the same."""
        found: dict[object, object] = {}
        for listed in (self.events, self.expiries):
            for (place, number), step in listed.items():
                key = (listed is self.events, place.state, place.values, number)
                does = (step.target.state, step.target.values, step.sent, step.starts)
                if found.setdefault(key, does) != does:
                    return False
        return True


def _machine(
    steps: TimedSteps,
    explored: _Explored,
    name: Callable[[TimedPlace], object],
    merged: dict[tuple[object, object], frozenset[int]] | None,
) -> TimedAbstraction:
    places: dict[object, TimedPlace] = {}
    for place in explored.places:
        places.setdefault(name(place), place)
    number = {key: k for k, key in enumerate(places)}
    running = [place.running if merged is None else merged[place.state, place.values] for place in places.values()]

    def moves(listed: dict[tuple[TimedPlace, int], TimedStep]) -> dict[tuple[int, int], TimedMove]:
        return {
            (number[name(place)], one): TimedMove(number[name(step.target)], step.sent, step.starts)
            for (place, one), step in listed.items()
        }

    timeouts = moves(explored.expiries)
    machine = TimedMachine(
        locations=tuple(_texts(steps, list(places.values()), shown=False)),
        inputs=tuple(_text(event) for event in steps.events),
        timers=steps.model.timers,
        initial=0,
        running=tuple(running),
        moves=moves(explored.events),
        timeouts=timeouts,
        shown=tuple(_texts(steps, list(places.values()), shown=True)) if steps.model.outputs else (),
    )
    return TimedAbstraction(machine=machine, events=steps.events, places=tuple(places.values()))


def _texts(steps: TimedSteps, places: list[TimedPlace], *, shown: bool) -> list[str]:
    """The output attributes of places, or names for them, which are unique."""
    outputs = [variable.name for variable in steps.model.outputs]
    found: list[str] = []
    for place in places:
        values = steps.values(place)
        names = outputs if shown else list(values)
        text = ", ".join(f"{name} = {value_to_text(values[name])}" for name in names)
        if not shown:
            text = f"{place.state} ({text})" if text else place.state
            off = ", ".join(steps.model.timers[k].name for k in sorted(place.running))
            text = f"{text} with {off or 'no timer'}" if text in found else text
            while text in found:
                text += "_"
        found.append(text)
    return found


def _text(event: SignalEvent) -> str:
    parts = [event.signal or "", *(f"{name} = {value_to_text(value)}" for name, value in event.inputs)]
    return ", ".join(filter(None, parts)) or "(no signal)"
