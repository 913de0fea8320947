"""From a chart and its declarations to the equivalent state machine: the last step of every reader."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fullproof.core.errors import Place
from fullproof.formats.charts.hierarchy import Flat, flatten
from fullproof.formats.charts.start import begun, require_set, settled
from fullproof.formats.charts.unfolding import ChartUnfolding
from fullproof.formats.charts.vocabulary import Vocabulary
from fullproof.model.chart import NOTHING, ChartTransition, Effect, Names, Vertex
from fullproof.model.chart_model import ChartModel, TransitionRank
from fullproof.model.common import Description
from fullproof.model.statemachine import SmTransition, StateMachine, with_chart
from fullproof.model.timed import Timer
from fullproof.model.unflattened import unflattened

AT_ONCE = 1_000
"""Charts with more configurations than this are flattened only where their states or transitions are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnChart:
    """The contents of a file. ``at`` is the place where it says which state is initial."""

    name: str
    words: Vocabulary
    description: Description
    vertices: Iterable[Vertex]
    arrows: Iterable[ChartTransition]
    initial: Names
    at: Place
    choices: tuple[str, ...]
    before: Effect = NOTHING
    """What happens before the initial state is entered."""
    order: TransitionRank = TransitionRank.NONE
    unset: frozenset[str] = frozenset()
    """Variables that have no value before they are assigned."""
    dotted: bool = False
    """Names of signals are prefixes."""
    timers: tuple[Timer, ...] = ()


def state_machine(drawn: DrawnChart) -> StateMachine:
    """The flat machine, which keeps the chart; one with many configurations is flattened where that is asked for."""
    words = drawn.words
    chart = ChartModel(
        name=drawn.name,
        description=drawn.description,
        signals_in=words.signals_in,
        signals_out=words.signals_out,
        inputs=words.inputs,
        outputs=words.outputs,
        variables=words.variables,
        vertices=tuple(drawn.vertices),
        arrows=tuple(drawn.arrows),
        initial=drawn.initial,
        choices=drawn.choices,
        before=drawn.before,
        order=drawn.order,
        unset=drawn.unset,
        dotted=drawn.dotted,
        timers=drawn.timers,
        at=drawn.at,
    )
    if chart.most_configurations <= AT_ONCE or chart.unset:
        return flat_machine(chart)
    return unflattened(chart, flat_machine, ChartUnfolding)


def flat_machine(chart: ChartModel) -> StateMachine:
    """The flat machine of a chart. What happens before the first input becomes other initial values.

    In the order of documents (SCXML) transitions without trigger are taken before the first input, too.
    """
    scope = chart.scope
    flat = flatten(
        chart.tree,
        chart.arrows,
        order=chart.order,
        scope=scope,
        received=chart.received,
    )
    require_set(chart.unset, Effect(actions=chart.before.actions + flat.start.actions), flat, at=chart.at)
    entered = begun(chart, flat.start, flat.initial)
    passes = None if chart.order is TransitionRank.DOCUMENT else flat.passing.__contains__
    leaving: dict[str, list[SmTransition]] = {}
    for t in flat.transitions:
        leaving.setdefault(t.source, []).append(t)
    first = settled(entered, lambda state: leaving.get(state, ()), scope, passes)
    kept = _kept(flat, first.state)
    machine = StateMachine(
        name=chart.name,
        initial=first.state,
        states=tuple(state for state in flat.states if state in kept),
        choices=_choices(chart, flat, kept),
        signals_in=chart.signals_in,
        signals_out=chart.signals_out,
        inputs=chart.inputs,
        outputs=first.values[: len(chart.outputs)],
        variables=first.values[len(chart.outputs) :],
        transitions=tuple(t for t in flat.transitions if t.source in kept),
        description=chart.description,
        timers=chart.timers,
        started=first.running,
        greeting=first.sent,
        dotted=chart.dotted,
        active=tuple((name, states) for name, states in flat.active if name in kept and states != (name,)),
    )
    return with_chart(machine, chart)


def _kept(flat: Flat, initial: str) -> set[str]:
    """The states without those that are only passed before the first input."""
    following: dict[str, list[str]] = {}
    for t in flat.transitions:
        following.setdefault(t.source, []).append(t.target)
    roots = {initial, *(state for state in flat.states if state not in flat.passing)}
    kept, waiting = set(roots), list(roots)
    while waiting:
        for state in following.get(waiting.pop(), []):
            if state not in kept:
                kept.add(state)
                waiting.append(state)
    return kept


def _choices(chart: ChartModel, flat: Flat, kept: set[str]) -> tuple[str, ...]:
    """The choice points in the order of the file, then states in which one of several regions is in one."""
    named = set(flat.choices) & kept
    return (
        *(name for name in chart.choices if name in named),
        *(n for n in flat.choices if n in named - set(chart.choices)),
    )
