"""Charts whose timers are shown by transitions alone, ``after 30 s`` in the state that has the timer, for writers.

Diagrams, SysML, UML and XState have no other timers. Their states start and stop none by actions; what a chart does
besides is put into other words where they mean exactly the same, else there is a line that says what cannot be shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from fullproof.core.errors import UserError
from fullproof.formats.charts.exclusion import guard_unless
from fullproof.formats.charts.owned_timers import OwnedTimers, TimerAction
from fullproof.formats.charts.texts import DELAYS
from fullproof.formats.charts.times import time_text
from fullproof.formats.charts.written import ChartQuestions, flat_chart, tree_of
from fullproof.language.syntax import TRUE
from fullproof.model.chart import (
    Action,
    ChartTransition,
    ConditionalActions,
    Effect,
    ExitsAndEntries,
    StartedTimer,
    StoppedTimer,
    Vertex,
    state_names,
)
from fullproof.model.chart_model import ChartModel
from fullproof.model.statemachine import StateMachine
from fullproof.model.timed import Timer

_FLAT = 1_000
"""Configurations that are listed for a format that cannot say a chart otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWords:
    """What a format can say of time."""

    format: str
    every: bool = False
    """Whether timers may expire again and again."""
    fits: Callable[[Fraction], bool] = lambda _: True
    """Whether it can write a number of seconds exactly."""


def shown_tree(
    model: StateMachine,
    sayable: Callable[[ChartModel], bool],
    words: TimeWords,
    reworded: Callable[[ChartModel], ChartModel] = lambda chart: chart,
) -> ChartModel | None:
    """The chart of a machine where a format can say it, with timers that no action starts or stops.

    ``reworded``: the same chart in the words of the format, which is what it has to say.

    None where configurations have to be written. UserError where the machine has timers that cannot be shown: those
    of a chart may belong to configurations that are left and entered without starting them again.
    """
    if not model.timers:
        tree = tree_of(model, lambda chart: sayable(reworded(chart)))
        return None if tree is None else reworded(tree)
    reasons: list[str] = []
    for one in _forms(model):
        try:
            shown = reworded(shown_by_transitions(one, words))
        except UserError as error:
            reasons.append(error.message)
            continue
        if sayable(shown):
            return shown
        reasons.append("all of this chart, whose configurations would not keep its timers")
    raise UserError(f"{words.format} files cannot say {reasons[0]}; SCXML, YAML and JSON files may")


def _forms(model: StateMachine) -> Iterator[ChartModel]:
    """The chart of a machine, then its flat states where there are not too many."""
    if model.chart is not None:
        yield model.chart
    if model.chart is None or model.chart.most_configurations <= _FLAT:
        yield lifted(flat_chart(model))


def shown_by_transitions(chart: ChartModel, words: TimeWords) -> ChartModel:
    """The chart without the actions that start and stop timers; transitions still wait for these by their names.

    UserError, with what cannot be shown: a timer of no state, one that a transition starts again, two of a state with
    the same time, which would be one.
    """
    chart = without_unheard(chart)
    chart = chart if words.every else _waiting_again(chart)
    owned = OwnedTimers(chart)
    known: dict[tuple[str, Fraction, bool], Timer] = {}
    for timer in chart.timers:
        if timer.name not in owned.owners:
            raise UserError(f"that the timer {timer.name!r} belongs to no state alone")
        if timer.periodic and not words.every:
            raise UserError(f"that a timer expires again and again ({timer.name})")
        if not words.fits(timer.duration):
            raise UserError(f"the time {time_text(timer)!r} exactly")
        other = known.setdefault((owned.owners[timer.name], timer.duration, timer.periodic), timer)
        if other is not timer:
            raise UserError(f"that the timers {other.name!r} and {timer.name!r} of a state are two")
    asks = ChartQuestions(chart)
    if chart.timers:
        for name in (*chart.signals_in, *asks.raised):
            if DELAYS.match(name):
                raise UserError(f"the event {name!r}, which looks like a time, beside timers")
    return replace(
        chart,
        vertices=tuple(owned.bare()),
        arrows=tuple(_shown(arrow, owned, asks) for arrow in chart.arrows),
    )


def _shown(arrow: ChartTransition, owned: OwnedTimers, asks: ChartQuestions) -> ChartTransition:
    """A transition without restarts: those of states that it leaves are none, and leaving a state may say others."""
    again = [action.timer for action in arrow.effect.actions if isinstance(action, StartedTimer)]
    if arrow.way is ExitsAndEntries.INTERNAL:
        again = [name for name in again if name != arrow.trigger or not owned.timers[name].periodic]
    if not any(isinstance(action, StartedTimer) for action in arrow.effect.actions):
        return arrow
    plain = replace(arrow, effect=owned.without(arrow.effect))
    leaves = arrow.source is not None and arrow.way is ExitsAndEntries.EXTERNAL and state_names(arrow.target) != ()
    kept = [name for name in again if not (leaves and _is_left(owned.owners[name], arrow, asks))]
    if not kept:
        return plain
    here = asks.known[arrow.source] if arrow.source is not None else None
    if (
        here is None
        or arrow.way is not ExitsAndEntries.INTERNAL
        or {owned.owners[name] for name in kept} != {here.name}
    ):
        raise UserError(f"that a transition of {arrow.source!r} starts the timer {kept[0]!r} again")
    if not _is_quiet(here, owned, asks) or {timer.name for timer in owned.of(here.name)} != set(kept):
        raise UserError(f"that a transition inside {here.name!r} starts the timer {kept[0]!r} again")
    return replace(plain, way=ExitsAndEntries.EXTERNAL)


def _is_quiet(vertex: Vertex, owned: OwnedTimers, asks: ChartQuestions) -> bool:
    """Whether leaving a state and entering it again does nothing but start its timers."""
    return not (owned.without(vertex.entry) or owned.without(vertex.exit) or asks.inside.get(vertex.name))


def _waiting_again(chart: ChartModel) -> ChartModel:
    """The chart with timers that expire once where leaving and entering a state, by each expiry, means again and again.

    That is in states with nothing inside, which do nothing on entry and exit and have no other timer.
    """
    owned, asks = OwnedTimers(chart), ChartQuestions(chart)
    changed: dict[str | None, ChartTransition | None] = {}
    for timer in chart.timers:
        owner = asks.known.get(owned.owners.get(timer.name, ""))
        if not timer.periodic or owner is None or not _is_quiet(owner, owned, asks) or len(owned.of(owner.name)) > 1:
            continue
        guards = [arrow.guard for arrow in chart.arrows if arrow.trigger == timer.name]
        guard = None if TRUE in guards else guard_unless(TRUE, guards, chart.scope)
        otherwise = None
        if guard is not None:
            otherwise = ChartTransition(source=owner.name, trigger=timer.name, guard=guard, target=owner.name)
        changed[timer.name] = otherwise
    arrows = []
    for arrow in chart.arrows:
        inner = arrow.trigger in changed and arrow.way is not ExitsAndEntries.EXTERNAL
        arrows.append(replace(arrow, way=ExitsAndEntries.EXTERNAL) if inner else arrow)
    return replace(
        chart,
        timers=tuple(replace(timer, periodic=timer.periodic and timer.name not in changed) for timer in chart.timers),
        arrows=(*arrows, *(otherwise for otherwise in changed.values() if otherwise is not None)),
    )


def _is_left(state: str, arrow: ChartTransition, asks: ChartQuestions) -> bool:
    """Whether an external transition surely leaves a state, where that is active."""
    around = asks.within(arrow.source, state) and not all(asks.within(to, state) for to in state_names(arrow.target))
    return around or asks.within(state, arrow.source)


def without_unheard(chart: ChartModel) -> ChartModel:
    """The chart without the timers that no transition waits for."""
    heard = {arrow.trigger for arrow in chart.arrows}
    if all(timer.name in heard for timer in chart.timers):
        return chart

    def kept(actions: tuple[Action, ...]) -> tuple[Action, ...]:
        found: list[Action] = []
        for action in actions:
            if isinstance(action, ConditionalActions):
                found.append(ConditionalActions(tuple((when, kept(done)) for when, done in action.cases)))
            elif not isinstance(action, TimerAction) or action.timer in heard:
                found.append(action)
        return tuple(found)

    def effect(one: Effect) -> Effect:
        return replace(one, actions=kept(one.actions))

    return replace(
        chart,
        timers=tuple(timer for timer in chart.timers if timer.name in heard),
        before=effect(chart.before),
        vertices=tuple(
            replace(v, entry=effect(v.entry), exit=effect(v.exit), initial_effect=effect(v.initial_effect))
            for v in chart.vertices
        ),
        arrows=tuple(replace(arrow, effect=effect(arrow.effect)) for arrow in chart.arrows),
    )


def lifted(chart: ChartModel) -> ChartModel:
    """A chart of flat states, whose transitions start and stop timers, with the timers that belong to states there.

    Such a timer starts whenever its state is entered and stops whenever it is left; a transition from the state to
    itself, which does not start it, becomes an internal one. Timers of which that does not hold stay as they are.
    """
    owners: dict[str, str] = {}
    for timer in chart.timers:
        waiting = {arrow.source for arrow in chart.arrows if arrow.trigger == timer.name}
        owner = next(iter(waiting)) if len(waiting) == 1 else None
        if owner is not None and owner not in chart.choices and _belongs(timer, owner, chart):
            owners[timer.name] = owner
    mine = {state: [name for name, owner in owners.items() if owner == state] for state in owners.values()}
    vertices = []
    for vertex in chart.vertices:
        names = mine.get(vertex.name, [])
        starts: tuple[Action, ...] = tuple(StartedTimer(name, vertex.name) for name in names)
        stops: tuple[Action, ...] = tuple(map(StoppedTimer, names))
        vertices.append(replace(vertex, entry=Effect(actions=starts), exit=Effect(actions=stops)))
    before = tuple(a for a in chart.before.actions if not (isinstance(a, TimerAction) and a.timer in owners))
    arrows = tuple(_lifted(arrow, owners, mine) for arrow in chart.arrows)
    return replace(chart, vertices=tuple(vertices), arrows=arrows, before=replace(chart.before, actions=before))


def _lifted(arrow: ChartTransition, owners: dict[str, str], mine: dict[str, list[str]]) -> ChartTransition:
    source, (target,) = arrow.source, state_names(arrow.target)
    started = _started(arrow)
    kept: list[Action] = [a for a in arrow.effect.actions if not (isinstance(a, TimerAction) and a.timer in owners)]
    way = arrow.way
    if source == target and target in mine and not started.issuperset(mine[target]):
        way = ExitsAndEntries.INTERNAL
        kept += [StartedTimer(name, target) for name in mine[target] if name in started]
    return replace(arrow, effect=replace(arrow.effect, actions=tuple(kept)), way=way)


def _belongs(timer: Timer, owner: str, chart: ChartModel) -> bool:
    """Whether a timer runs, and from the beginning, exactly where it was not expired and a state is active."""
    first = any(isinstance(action, StartedTimer) and action.timer == timer.name for action in chart.before.actions)
    if first != (state_names(chart.initial) == (owner,)):
        return False
    for arrow in chart.arrows:
        starts, stops = timer.name in _started(arrow), timer.name in _stopped(arrow)
        over = stops or (arrow.trigger == timer.name and not timer.periodic)
        enters, leaves = arrow.target == owner != arrow.source, arrow.source == owner != arrow.target
        if (enters and not starts) or (leaves and (starts or not over)):
            return False
        if (starts and arrow.target != owner) or (stops and not starts and arrow.target == owner):
            return False
    return True


def _started(arrow: ChartTransition) -> set[str]:
    return {action.timer for action in arrow.effect.actions if isinstance(action, StartedTimer)}


def _stopped(arrow: ChartTransition) -> set[str]:
    return {action.timer for action in arrow.effect.actions if isinstance(action, StoppedTimer)}
