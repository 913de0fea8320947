"""Timers in the words of SCXML: an event that is sent with a delay, and cancelled where its timer stops.

A timer that is started is sent, after its event has been cancelled where it may still be to come. One that starts
again whenever it expires is sent again by each transition that takes it and stays in its state, and by one that takes
it where no other does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from fullproof.core.errors import UserError
from fullproof.formats.charts.exclusion import guard_unless
from fullproof.formats.charts.owned_timers import OwnedTimers
from fullproof.formats.charts.shown_times import without_unheard
from fullproof.formats.charts.written import ChartQuestions
from fullproof.language.printer import value_to_text
from fullproof.language.syntax import TRUE, Expression, Name
from fullproof.model.chart import (
    NOTHING,
    Action,
    ChartTransition,
    ConditionalActions,
    Effect,
    ExitsAndEntries,
    StartedTimer,
    StoppedTimer,
    Vertex,
    is_active,
    state_names,
)
from fullproof.model.chart_model import ChartModel, TransitionRank
from fullproof.model.timed import Timer

_ODD = re.compile(r"\W+")


def delay_text(timer: Timer) -> str:
    """``30s``: seconds, as a time of CSS where they are a decimal number."""
    return f"{value_to_text(timer.duration)}s"


def timer_words(timers: Iterable[Timer], usable: Callable[[str], bool], taken: Iterable[str]) -> dict[str, str]:
    """The event of each timer, from its name: ``calm_after_20_s``."""
    used, found = set(taken), {}
    for timer in timers:
        word = _ODD.sub("_", timer.name).strip("_")
        word = word if word[:1].isalpha() else f"t_{word}"
        while word in used or not usable(word):
            word += "_"
        used.add(word)
        found[timer.name] = word
    return found


def sent_later(chart: ChartModel) -> ChartModel:
    """The chart with timers that expire once, whose starts are ``<send>`` and whose stops are ``<cancel>``.

    UserError: a timer expires at once, or again and again and belongs to no state.
    """
    chart = without_unheard(chart)
    owned = OwnedTimers(chart)
    for timer in chart.timers:
        if timer.duration == 0:
            raise UserError(f"SCXML files cannot say that a timer expires at once ({timer.name})")
        if timer.periodic and timer.name not in owned.owners:
            message = f"that {timer.name!r} expires again and again, as it belongs to no state alone"
            raise UserError(f"SCXML files cannot say {message}")
    return _wrapped(_Rewriting(chart, owned).chart())


class _Rewriting:
    def __init__(self, chart: ChartModel, owned: OwnedTimers) -> None:
        self.old = chart
        self.owned = owned
        self.asks = ChartQuestions(chart)
        self.periodic = {timer.name for timer in chart.timers if timer.periodic}

    def chart(self) -> ChartModel:
        arrows = [self.arrow(arrow) for arrow in self.old.arrows]
        for name in self.periodic:
            again = self.otherwise(name)
            if again is not None:
                arrows.append(again)
        return replace(
            self.old, vertices=tuple(self.vertex(vertex) for vertex in self.old.vertices), arrows=tuple(arrows)
        )

    def vertex(self, vertex: Vertex) -> Vertex:
        # By the recommendation a history state may enter states again that were not left.
        again = any(other.history is not None for other in self.old.vertices)
        return replace(
            vertex,
            entry=self.effect(vertex.entry, sure={vertex.name}, fresh=not again),
            initial_effect=self.effect(vertex.initial_effect, sure={vertex.name}),
            exit=self.effect(vertex.exit, sure={vertex.name}),
        )

    def arrow(self, arrow: ChartTransition) -> ChartTransition:
        stays = self.stays(arrow)
        sure = {state for state in self.asks.known if stays and self.asks.within(arrow.source, state)}
        effect = self.effect(arrow.effect, sure=sure, expired=arrow.trigger)
        if arrow.trigger in self.periodic and stays and StartedTimer(arrow.trigger) not in effect.actions:
            effect = replace(effect, actions=(*effect.actions, StartedTimer(arrow.trigger)))
        return replace(arrow, effect=effect)

    def stays(self, arrow: ChartTransition) -> bool:
        """Whether a transition surely does not leave its source. UserError: that depends on what is remembered."""
        if arrow.source is None:
            return False
        if arrow.way is ExitsAndEntries.INTERNAL or state_names(arrow.target) == ():
            return True
        if arrow.way is ExitsAndEntries.EXTERNAL:
            return False
        inside = all(to != arrow.source and self.asks.within(to, arrow.source) for to in state_names(arrow.target))
        if not inside and arrow.trigger in self.periodic:
            message = f"that {arrow.trigger!r} expires again and again where a history state decides what is left"
            raise UserError(f"SCXML files cannot say {message}")
        return inside

    def otherwise(self, name: str) -> ChartTransition | None:
        """The transition that starts a timer again where no other takes it."""
        mine = [arrow for arrow in self.old.arrows if arrow.trigger == name]
        guard: Expression | None = TRUE
        if self.old.order is not TransitionRank.DOCUMENT:
            guard = guard_unless(TRUE, [arrow.guard for arrow in mine], self.old.scope)
        if guard is None or any(arrow.guard == TRUE for arrow in mine):
            return None
        owner = self.owned.owners[name]
        return ChartTransition(
            source=owner,
            trigger=name,
            guard=guard,
            effect=Effect(actions=(StartedTimer(name),)),
            target=owner,
            way=ExitsAndEntries.INTERNAL,
        )

    def effect(self, effect: Effect, *, sure: set[str], expired: str | None = None, fresh: bool = False) -> Effect:
        """An effect whose starts cancel before, unless the timer is ``fresh`` or has just ``expired``.

        A timer that starts only where its state is active asks for that, unless it is one of the ``sure`` ones.
        """
        found: list[Action] = []
        for action in effect.actions:
            match action:
                case StartedTimer(timer=timer, state=state):
                    begun: tuple[Action, ...] = (StartedTimer(timer),)
                    if timer != expired and not fresh and StoppedTimer(timer) not in found:
                        begun = (StoppedTimer(timer), *begun)
                    if state is None or state in sure:
                        found += begun
                    else:
                        found.append(ConditionalActions(((Name(is_active(state)), begun),)))
                case ConditionalActions(cases=cases):
                    inner = tuple(
                        (when, self.effect(Effect(actions=done), sure=sure, expired=expired).actions)
                        for when, done in cases
                    )
                    found.append(ConditionalActions(inner))
                case _:
                    found.append(action)
        return replace(effect, actions=tuple(found))


def _wrapped(chart: ChartModel) -> ChartModel:
    """The chart inside a state whose entry starts the timers that run from the beginning, where there are any."""
    if not chart.before:
        return chart
    ends = any(vertex.final and vertex.exit and vertex.parent is None for vertex in chart.vertices)
    if ends or any(arrow.source is None for arrow in chart.arrows):
        message = "that timers run from the beginning of a chart that has transitions, or an end, of its own"
        raise UserError(f"SCXML files cannot say {message}")
    name = "all"
    while any(vertex.name == name for vertex in chart.vertices):
        name += "_"
    around = Vertex(name=name, initial=chart.initial, entry=chart.before)
    inside = (vertex if vertex.parent is not None else replace(vertex, parent=name) for vertex in chart.vertices)
    return replace(chart, vertices=(around, *inside), initial=name, before=NOTHING)
