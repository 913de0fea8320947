"""A chart as a flat machine, one configuration after another, for charts whose configurations are too many to list."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from fullproof.formats.charts.hierarchy import Flattening
from fullproof.formats.charts.microstep import ChartConfiguration
from fullproof.formats.charts.start import begun, settled
from fullproof.language.types import Variable
from fullproof.model.chart_model import ChartModel, TransitionRank
from fullproof.model.statemachine import SmTransition


class ChartUnfolding:
    """The flat machine as far as it was asked for; its states have the names of the flat machine."""

    def __init__(self, chart: ChartModel) -> None:
        scope = chart.scope
        self._work = Flattening(chart.tree, chart.arrows, chart.order, scope, chart.received, most=inf)
        self._met: dict[str, ChartConfiguration] = {}
        self._leaving: dict[str, list[SmTransition]] = {}
        effect, initial, first = self._work.start()
        if first:
            self._leaving[initial] = first
        passes = None if chart.order is TransitionRank.DOCUMENT else self._passes
        found = settled(begun(chart, effect, initial), self.leaving, scope, passes)
        self.initial: str = found.state
        self.values: tuple[Variable, ...] = found.values
        self.started: tuple[str, ...] = found.running
        self.greeting: tuple[str, ...] = found.sent

    def leaving(self, state: str) -> Sequence[SmTransition]:
        """The transitions of a state that was met before."""
        if state not in self._leaving:
            self._leaving[state] = list(self._work.leaving(self._configuration(state)))
        return self._leaving[state]

    def active(self, state: str) -> tuple[str, ...]:
        """The innermost active states."""
        return tuple(self._work.steps.innermost(self._configuration(state).active))

    def is_choice(self, state: str) -> bool:
        """Whether one of the active states is a choice point."""
        return self._work.in_choice(self._configuration(state))

    def _passes(self, state: str) -> bool:
        here = self._configuration(state)
        return bool(here.queue or not here.active)

    def _configuration(self, state: str) -> ChartConfiguration:
        for configuration in self._work.waiting[len(self._met) :]:
            self._met[self._work.names[configuration]] = configuration
        return self._met[state]
