"""Times that transitions wait for, as people write them: ``after 30 s``, ``after(T)``, ``every 5 s``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.language.durations import duration_of, duration_to_text
from fullproof.language.types import Value
from fullproof.model.chart import Action, ChartTransition, Effect, StartedTimer, StoppedTimer, Vertex
from fullproof.model.timed import Timer

_TIME = re.compile(r"(?P<kind>after|every)\s*(?:\(\s*(?P<inner>[^()]*?)\s*\)|\s(?P<text>[^()]+))")


def time_text(timer: Timer) -> str:
    """``after 30 s``"""
    return f"{'every' if timer.periodic else 'after'} {duration_to_text(timer.duration)}"


def shown_time(timer: Timer, owner: str, constants: Mapping[str, Value]) -> str:
    """The duration of a timer of a state, with the constant that stands in its name where it was read from one."""
    text = timer.name.removeprefix(f"{owner} {'every' if timer.periodic else 'after'} ")
    try:
        same = text != timer.name and duration_of(text, constants) == timer.duration
    except UserError:
        same = False
    return text if same else duration_to_text(timer.duration)


def time_from_text(text: str, constants: Mapping[str, Value], *, at: Place = NOWHERE) -> tuple[Fraction, bool] | None:
    """The seconds, and whether again and again; None where the text has not this form. UserError: no duration."""
    match = _TIME.fullmatch(text.strip())
    if match is None:
        return None
    periodic = match["kind"] == "every"
    seconds = duration_of(match["inner"] or match["text"] or "", constants, at=at)
    if periodic and seconds == 0:
        raise UserError("a timer that expires every 0 s never lets time pass", at=at)
    return seconds, periodic


def with_timers(
    vertices: Iterable[Vertex],
    arrows: Iterable[ChartTransition],
    constants: Mapping[str, Value],
    signals: Collection[str] = (),
) -> tuple[list[Vertex], list[ChartTransition], tuple[Timer, ...]]:
    """The chart with a timer of the source for each trigger that is a time; transitions with the same one share it.

    A trigger that is one of the ``signals`` is no time. A timer starts when its state is entered, and ends when it is
    left.
    """
    timers: dict[str, Timer] = {}
    owned: dict[str, list[str]] = {}
    changed: list[ChartTransition] = []
    for arrow in arrows:
        found = None
        if arrow.trigger is not None and arrow.trigger not in signals:
            found = time_from_text(arrow.trigger, constants, at=arrow.at)
        if found is not None:
            if arrow.source is None:
                raise UserError("a time needs a state that it is counted from", at=arrow.at)
            timer = Timer("", *found)
            timer = replace(timer, name=f"{arrow.source} {time_text(timer)}")
            if timer.name not in timers:
                timers[timer.name] = timer
                owned.setdefault(arrow.source, []).append(timer.name)
            arrow = replace(arrow, trigger=timer.name)
        changed.append(arrow)
    kept = [_with_own(vertex, owned.get(vertex.name, [])) for vertex in vertices]
    return kept, changed, tuple(timers.values())


def _with_own(vertex: Vertex, names: list[str]) -> Vertex:
    if not names:
        return vertex
    if vertex.choice:
        raise UserError(f"choice point {vertex.name[:60]!r} waits for no time: it is left at once", at=vertex.at)
    entry: tuple[Action, ...] = tuple(StartedTimer(name, vertex.name) for name in names)
    leave: tuple[Action, ...] = tuple(StoppedTimer(name) for name in names)
    return replace(vertex, entry=before(entry, vertex.entry), exit=before(leave, vertex.exit))


def before(actions: tuple[Action, ...], effect: Effect) -> Effect:
    """The effect with actions in front."""
    return replace(effect, actions=(*actions, *effect.actions)) if actions else effect
