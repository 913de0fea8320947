"""Timers that belong to a state: started where it is entered, stopped where it is left, awaited by it alone.

It is what ``after 30 s`` on a transition means, so that a writer can say it so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fullproof.model.chart import Action, ConditionalActions, Effect, StartedTimer, StoppedTimer, Vertex
from fullproof.model.chart_model import ChartModel
from fullproof.model.timed import Timer

TimerAction = StartedTimer | StoppedTimer


class OwnedTimers:
    """Which timers of a chart belong to states; ``owners`` has the state of each of them."""

    def __init__(self, chart: ChartModel) -> None:
        self._chart = chart
        self.timers = {timer.name: timer for timer in chart.timers}
        self._entered: dict[str, list[Vertex]] = {}
        self._left: dict[str, list[Vertex]] = {}
        self._elsewhere: set[str] = set()
        self._restarted: dict[str, set[str | None]] = {}
        self._find()
        self.owners: dict[str, str] = {}
        for name in self.timers:
            owner = self._owner(name)
            if owner is not None:
                self.owners[name] = owner

    def _find(self) -> None:
        for vertex in self._chart.vertices:
            for action in _timer_actions(vertex.entry):
                started = isinstance(action, StartedTimer) and action.state in (None, vertex.name)
                self._note(self._entered, action, vertex, fits=started)
            for action in _timer_actions(vertex.exit):
                self._note(self._left, action, vertex, fits=isinstance(action, StoppedTimer))
            self._elsewhere |= {action.timer for action in _timer_actions(vertex.initial_effect)}
            for effect in (vertex.entry, vertex.exit, vertex.initial_effect):
                self._elsewhere |= set(_under_conditions(effect))
        self._elsewhere |= {action.timer for action in _timer_actions(self._chart.before)}
        for arrow in self._chart.arrows:
            self._elsewhere |= set(_under_conditions(arrow.effect))
            for action in _timer_actions(arrow.effect):
                if isinstance(action, StartedTimer):
                    self._restarted.setdefault(action.timer, set()).add(action.state)
                else:
                    self._elsewhere.add(action.timer)

    def _note(self, where: dict[str, list[Vertex]], action: TimerAction, vertex: Vertex, *, fits: bool) -> None:
        where.setdefault(action.timer, []).append(vertex)
        if not fits:
            self._elsewhere.add(action.timer)

    def _owner(self, name: str) -> str | None:
        entered, left = self._entered.get(name, []), self._left.get(name, [])
        if name in self._elsewhere or len(entered) != 1 or left != entered or entered[0].choice:
            return None
        owner = entered[0].name
        sources = {arrow.source for arrow in self._chart.arrows if arrow.trigger == name}
        return owner if sources == {owner} and self._restarted.get(name, {owner}) == {owner} else None

    def of(self, state: str) -> list[Timer]:
        """The timers of a state."""
        return [self.timers[name] for name, owner in self.owners.items() if owner == state]

    def without(self, effect: Effect) -> Effect:
        """An effect of a state without what is said by the times of its transitions."""
        kept = tuple(a for a in effect.actions if not (isinstance(a, TimerAction) and a.timer in self.owners))
        return effect if len(kept) == len(effect.actions) else replace(effect, actions=kept)

    def bare(self) -> Iterator[Vertex]:
        """The states without what is said by the times of their transitions."""
        return (replace(v, entry=self.without(v.entry), exit=self.without(v.exit)) for v in self._chart.vertices)


def _timer_actions(effect: Effect) -> Iterator[TimerAction]:
    return (action for action in effect.actions if isinstance(action, TimerAction))


def _under_conditions(effect: Effect) -> Iterator[str]:
    """The timers that conditional actions start or stop."""
    waiting: list[Action] = [action for action in effect.actions if isinstance(action, ConditionalActions)]
    while waiting:
        action = waiting.pop()
        if isinstance(action, ConditionalActions):
            waiting += [inner for _, actions in action.cases for inner in actions]
        elif isinstance(action, TimerAction):
            yield action.timer
