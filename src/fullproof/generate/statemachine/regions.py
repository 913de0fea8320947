"""Suites at the sum of the regions of a chart: how large the sets of regions may be, and one suite of several.

docs/proofs/regions.md: a system that passes, for each set of t regions, a suite that is complete for the projection on
it, is equivalent to the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from fullproof.analysis.projection import Projection, owning_regions, projections
from fullproof.analysis.regions import ChartRegions
from fullproof.artefacts.prefix_tree import PrefixTree
from fullproof.artefacts.words import WordList
from fullproof.generate.statemachine.suite import EventSuite
from fullproof.language.values import count_of
from fullproof.model.chart_model import ChartModel
from fullproof.model.inputs import SignalEvent

AFFORDED = 4_000
"""Configurations times events, over all projections, that ``auto`` takes."""
MOST_PROJECTIONS = 200
MANY_VALUES = 12
"""Of inputs with more combinations of values, chosen ones are applied, about so many."""


def affordable(regions: ChartRegions) -> int:
    """The largest size of sets of regions whose projections have few configurations and events; at least one."""
    count = len(owning_regions(regions))
    for size in range(count, 1, -1):
        if comb(count, size) <= MOST_PROJECTIONS and _cells(regions, size) <= AFFORDED:
            return size
    return 1


def _cells(regions: ChartRegions, size: int) -> int:
    """An upper bound of configurations times events; values of variables do not count."""
    if size == len(owning_regions(regions)):
        return regions.chart.most_configurations * _events(regions.chart)
    return sum(one.chart.most_configurations for one in projections(regions, size)) * _events(regions.chart)


def _events(chart: ChartModel) -> int:
    values = 1
    for variable in chart.inputs:
        values = min(values * (count_of(variable.type) or MANY_VALUES), MANY_VALUES)
    return values * (1 + len(chart.signals_in))


def one_suite(suites: Sequence[EventSuite]) -> tuple[tuple[SignalEvent, ...], WordList]:
    """The words of several suites over the events of all of them, without prefixes of others."""
    events = tuple(dict.fromkeys(event for suite in suites for event in suite.events))
    number = {event: k for k, event in enumerate(events)}
    tree = PrefixTree()
    for suite in suites:
        numbers = [number[event] for event in suite.events]
        for piece in suite.words.chunks():
            for word in piece:
                tree.insert([numbers[k] for k in word.tolist()])
    return events, tree.tests()


def sends_apart(regions: ChartRegions, parts: Sequence[Projection]) -> bool:
    """Whether two signals are shown by no projection together, so that their order within a step is seen by none."""
    signals = regions.chart.signals_out
    return any(
        not any({first, second} <= part.shown for part in parts)
        for k, first in enumerate(signals)
        for second in signals[:k]
    )
