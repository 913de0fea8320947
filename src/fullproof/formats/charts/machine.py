"""From a chart and its declarations to the equivalent state machine: the last step of every reader."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fullproof.core.errors import Place
from fullproof.formats.charts.chart import NOTHING, ChartTransition, Effect, Vertex, joined
from fullproof.formats.charts.hierarchy import TransitionRank, flatten
from fullproof.formats.charts.start import initial_values, settled
from fullproof.formats.charts.vocabulary import Vocabulary
from fullproof.model.common import Description
from fullproof.model.statemachine import StateMachine


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnChart:
    """The contents of a file. ``at`` is the place where it says which state is initial."""

    name: str
    words: Vocabulary
    description: Description
    vertices: Iterable[Vertex]
    arrows: Iterable[ChartTransition]
    initial: str
    at: Place
    choices: tuple[str, ...]
    before: Effect = NOTHING
    """What happens before the initial state is entered."""
    order: TransitionRank = TransitionRank.NONE


def state_machine(chart: DrawnChart) -> StateMachine:
    """The flat machine. What happens before the first input becomes other initial values.

    In the order of documents (SCXML) transitions without trigger are taken before the first input, too.
    """
    words = chart.words
    flat = flatten(chart.vertices, chart.arrows, initial=chart.initial, order=chart.order, scope=words.scope)
    start = joined([chart.before, flat.start])
    initial, values = flat.initial, initial_values(start, words.outputs + words.variables, words.scope, at=chart.at)
    if chart.order is TransitionRank.DOCUMENT:
        initial, values = settled(initial, flat.transitions, values, words.scope)
    return StateMachine(
        name=chart.name,
        initial=initial,
        states=flat.states,
        choices=chart.choices,
        signals_in=words.signals_in,
        signals_out=words.signals_out,
        inputs=words.inputs,
        outputs=values[: len(words.outputs)],
        variables=values[len(words.outputs) :],
        transitions=flat.transitions,
        description=chart.description,
    )
