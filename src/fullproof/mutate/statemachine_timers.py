"""Mutants of the timers of state machines: wrong times, and starts that are lost or added."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterator
from fractions import Fraction
from functools import partial

from fullproof.language.durations import duration_to_text
from fullproof.model.statemachine import SmTransition, StateMachine
from fullproof.mutate.engine import Fault, ListedFaults

DURATION, START = "duration", "start"


def timer_faults(model: StateMachine, *, tolerance: Fraction) -> ListedFaults[StateMachine]:
    """Each timer is early or late by the tolerance, has another time of the model, or never expires; a transition does
    not start a timer that it starts in the model, which then runs on if it ran, or starts one that it does not.
    """
    return ListedFaults(lambda machine: _faults(machine, model, tolerance), _identity)


def _identity(model: StateMachine) -> Hashable:
    moves = frozenset(
        (t.source, t.trigger, t.guard, t.target, frozenset(t.starts), frozenset(t.stops)) for t in model.transitions
    )
    return model.timers, frozenset(model.started), moves


def _faults(model: StateMachine, original: StateMachine, tolerance: Fraction) -> Iterator[Fault[StateMachine]]:
    times = [timer.duration for timer in original.timers]
    for k, timer in enumerate(model.timers):
        own = original.timers[k].duration
        for time in dict.fromkeys((own - tolerance, own + tolerance, *times)):
            if time > 0 and time != timer.duration:
                where = f"{timer.name}: {duration_to_text(time)} instead of {duration_to_text(own)}"
                yield Fault(DURATION, where, partial(_with_time, model, k, time))
        yield Fault(DURATION, f"{timer.name}: never", partial(_never, model, timer.name))
    for number, t in enumerate(model.transitions):
        where = f"{t.source} --{t.trigger or ''}--> {t.target}"
        for name in t.starts:
            yield Fault(START, f"{where} does not start {name}", partial(_without_start, model, number, name))
        for name in _running_on(model, t):
            yield Fault(START, f"{where} starts {name}", partial(_with_starts, model, number, (*t.starts, name)))


def _running_on(model: StateMachine, t: SmTransition) -> list[str]:
    """Timers that a state waits for, and that a transition to itself neither starts nor stops."""
    waited = [other.trigger for other in model.transitions if other.source == t.target]
    names = [timer.name for timer in model.timers if timer.name in waited]
    return [name for name in names if t.source == t.target and name not in (*t.starts, *t.stops)]


def _with_time(model: StateMachine, number: int, time: Fraction) -> StateMachine:
    timers = list(model.timers)
    timers[number] = dataclasses.replace(timers[number], duration=time)
    return dataclasses.replace(model, timers=tuple(timers))


def _never(model: StateMachine, name: str) -> StateMachine:
    transitions = tuple(
        dataclasses.replace(t, starts=tuple(other for other in t.starts if other != name)) for t in model.transitions
    )
    started = tuple(other for other in model.started if other != name)
    return dataclasses.replace(model, transitions=transitions, started=started)


def _without_start(model: StateMachine, number: int, name: str) -> StateMachine:
    """A timer that ran before runs on, as a fault domain has it."""
    transitions = list(model.transitions)
    t = transitions[number]
    starts, stops = (tuple(other for other in names if other != name) for names in (t.starts, t.stops))
    transitions[number] = dataclasses.replace(t, starts=starts, stops=stops)
    return dataclasses.replace(model, transitions=tuple(transitions))


def _with_starts(model: StateMachine, number: int, starts: tuple[str, ...]) -> StateMachine:
    transitions = list(model.transitions)
    transitions[number] = dataclasses.replace(transitions[number], starts=starts)
    return dataclasses.replace(model, transitions=tuple(transitions))
