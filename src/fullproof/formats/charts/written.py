"""What a writer says of a state machine: its chart where the format can say that, else its configurations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from fullproof.language.syntax import TRUE, Expression, Name
from fullproof.language.traversal import nodes
from fullproof.model.chart import (
    Action,
    ChartTransition,
    ConditionalActions,
    Effect,
    RaisedEvent,
    SentSignal,
    StartedTimer,
    StoppedTimer,
    Vertex,
    done_event,
    state_names,
)
from fullproof.model.chart_model import ChartModel
from fullproof.model.statemachine import StateMachine
from fullproof.model.sts import Assignment

_ASKED = re.compile(r"in\([^\W\d][\w.]*\)\Z")


def tree_of(model: StateMachine, sayable: Callable[[ChartModel], bool]) -> ChartModel | None:
    """The chart of a machine where it says more than flat states do, and a format can say it."""
    chart = model.chart
    return chart if chart is not None and _says_more(chart) and sayable(chart) else None


def _says_more(chart: ChartModel) -> bool:
    return bool(chart.timers) or any(
        v.parent is not None or v.history or v.final or v.entry or v.exit for v in chart.vertices
    )


def flat_chart(model: StateMachine) -> ChartModel:
    """The states and transitions of the flat machine, none inside another; these start and stop the timers."""
    choices = set(model.choices)
    started: tuple[Action, ...] = tuple(map(StartedTimer, model.started))
    return ChartModel(
        name=model.name,
        description=model.description,
        signals_in=model.signals_in,
        signals_out=model.signals_out,
        inputs=model.inputs,
        outputs=model.outputs,
        variables=model.variables,
        vertices=tuple(Vertex(name=state, choice=state in choices) for state in model.states),
        arrows=tuple(
            ChartTransition(
                source=t.source,
                trigger=t.trigger,
                guard=t.guard,
                effect=Effect(
                    actions=(*map(StoppedTimer, t.stops), *map(StartedTimer, t.starts), *t.actions), sends=t.sends
                ),
                target=t.target,
                requirements=t.requirements,
            )
            for t in model.transitions
        ),
        initial=model.initial,
        choices=model.choices,
        before=Effect(actions=started),
        timers=model.timers,
    )


@dataclass(frozen=True, slots=True)
class PlainEffect:
    """Assignments, then signals, then internal events, each in their order: these three do not see each other."""

    assignments: tuple[Assignment, ...] = ()
    sends: tuple[str, ...] = ()
    raises: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.assignments or self.sends or self.raises)


def plain_effect(effect: Effect) -> PlainEffect:
    """The parts of an effect without conditional actions."""
    steps = effect.steps()
    return PlainEffect(
        tuple(step for step in steps if isinstance(step, Assignment)),
        tuple(step.signal for step in steps if isinstance(step, SentSignal)),
        tuple(step.event for step in steps if isinstance(step, RaisedEvent)),
    )


class ChartQuestions:
    """What a writer asks of a chart before it writes it."""

    def __init__(self, chart: ChartModel) -> None:
        self.chart = chart
        self.known = {vertex.name: vertex for vertex in chart.vertices}
        self.inside: dict[str | None, list[Vertex]] = {}
        for vertex in chart.vertices:
            self.inside.setdefault(vertex.parent, []).append(vertex)

    def effects(self) -> Iterator[Effect]:
        """All effects."""
        yield self.chart.before
        for vertex in self.chart.vertices:
            yield from (vertex.initial_effect, vertex.entry, vertex.exit)
        yield from (arrow.effect for arrow in self.chart.arrows)

    @property
    def actions(self) -> Iterator[Action]:
        """All actions, those under conditions included."""
        for effect in self.effects():
            yield from _all_actions(effect.steps())

    @property
    def raised(self) -> tuple[str, ...]:
        """The internal events that actions raise."""
        return tuple(dict.fromkeys(action.event for action in self.actions if isinstance(action, RaisedEvent)))

    @property
    def conditional(self) -> bool:
        """Whether an action is done under a condition."""
        return any(isinstance(action, ConditionalActions) for effect in self.effects() for action in effect.actions)

    @property
    def plain_actions(self) -> bool:
        """Whether there are assignments, signals and internal events alone."""
        known = (Assignment, SentSignal, RaisedEvent)
        return all(isinstance(action, known) for effect in self.effects() for action in effect.actions)

    @property
    def asked(self) -> set[str]:
        """The states that conditions and values ask for."""
        expressions = [arrow.guard for arrow in self.chart.arrows]
        expressions += [e for effect in self.effects() for action in effect.actions for e in _expressions(action)]
        names = {n.name for e in expressions if e != TRUE for n in nodes(e) if isinstance(n, Name)}
        return {name for name in names if name.startswith("in(")}

    @property
    def asks_plainly(self) -> bool:
        """Whether all states that conditions ask for have names that an expression can hold."""
        return all(_ASKED.match(name) for name in self.asked)

    @property
    def waits_for_done(self) -> bool:
        """Whether a transition waits for the end of a state by its event."""
        events = {done_event(vertex.name) for vertex in self.chart.vertices}
        return any(arrow.trigger in events for arrow in self.chart.arrows)

    def within(self, name: str | None, outer: str | None) -> bool:
        """Whether a state is another or lies inside it."""
        while name is not None and name != outer:
            name = self.known[name].parent
        return name == outer

    def path(self, name: str) -> tuple[str, ...]:
        """The names of the states from the outermost one to a state."""
        parent = self.known[name].parent
        return (name,) if parent is None else (*self.path(parent), name)

    def is_composite(self, name: str | None) -> bool:
        """Whether states lie inside it."""
        return any(vertex.history is None for vertex in self.inside.get(name, []))

    def targets(self) -> set[str]:
        """All states that something leads to by name."""
        found = {name for arrow in self.chart.arrows for name in state_names(arrow.target)}
        found |= {name for vertex in self.chart.vertices for name in state_names(vertex.initial)}
        return found | set(state_names(self.chart.initial))


def _all_actions(actions: Iterable[Action]) -> Iterator[Action]:
    for action in actions:
        yield action
        if isinstance(action, ConditionalActions):
            for _, done in action.cases:
                yield from _all_actions(done)


def _expressions(action: Action) -> Iterable[Expression]:
    match action:
        case Assignment():
            return (action.expression,)
        case ConditionalActions():
            inner = [e for _, actions in action.cases for one in actions for e in _expressions(one)]
            return (*(condition for condition, _ in action.cases), *inner)
        case _:
            return ()
