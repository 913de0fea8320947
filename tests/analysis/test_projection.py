"""Projections of charts on regions: they do what the whole chart does, and ask for nothing outside of the cone."""

from dataclasses import fields
from itertools import combinations
from random import Random

import pytest
from tests.strategies.regions import counting_regions, random_regions

from fullproof.analysis.projection import owning_regions, projection, projections
from fullproof.analysis.regions import ChartRegions
from fullproof.analysis.run_to_completion import RunGoesWrong, RunToCompletion
from fullproof.core.errors import UserError
from fullproof.formats import read_model_text
from fullproof.formats.charts.machine import flat_machine
from fullproof.formats.charts.unfolding import ChartUnfolding
from fullproof.model import StateMachine
from fullproof.model.chart import ChartTransition, Vertex
from fullproof.model.chart_model import ChartModel
from fullproof.model.unflattened import unflattened


def _played(chart: ChartModel, word: list[str]) -> list[tuple[dict[str, object], tuple[str, ...]]]:
    machine = RunToCompletion(unflattened(chart, flat_machine, ChartUnfolding))
    here, seen = machine.start, []
    for signal in word:
        (run,) = machine.runs(here, signal, {})
        here = run.end
        seen.append((machine.values(here), run.sent))
    return seen


def _compared(chart: ChartModel, dice: Random) -> tuple[int, int]:
    """How many projections were compared, and how many of them lack a region."""
    regions = ChartRegions(chart)
    word = [dice.choice(chart.signals_in) for _ in range(12)]
    try:
        whole = _played(chart, word)
    except (RunGoesWrong, UserError, ValueError):
        return 0, 0
    count = smaller = 0
    owners = owning_regions(regions)
    for group in [one for size in (1, 2) for one in combinations(owners, size)]:
        part = projection(regions, group)
        mine = _played(part.chart, word)
        shown = [v.name for v in part.chart.outputs]
        for (values, sent), (seen, said) in zip(whole, mine, strict=True):
            assert {name: values[name] for name in shown} == {name: seen[name] for name in shown}, part
            assert tuple(name for name in sent if name in part.shown) == said, part
        count, smaller = count + 1, smaller + (not part.whole)
    return count, smaller


@pytest.mark.parametrize(("seed", "charts"), [(3, 60), pytest.param(4, 600, marks=pytest.mark.slow)])
def test_like_the_whole_chart(seed: int, charts: int) -> None:
    dice, count, smaller = Random(seed), 0, 0
    for _ in range(charts):
        try:
            chart = random_regions(dice)
            chart.tree  # noqa: B018
        except UserError:
            continue
        compared, less = _compared(chart, dice)
        count, smaller = count + compared, smaller + less
    assert count > charts, count
    assert smaller > charts // 3, (smaller, count)


def test_independent_regions() -> None:
    model = read_model_text(counting_regions(3), "m.yaml")
    assert isinstance(model, StateMachine) and model.chart is not None
    regions = ChartRegions(model.chart)
    assert [(one.regions, one.cone) for one in projections(regions, 1)] == [((f"r{k}",), (f"r{k}",)) for k in range(3)]
    assert [len(flat_machine(one.chart).states) for one in projections(regions, 2)] == [25, 25, 25]


def test_fields_of_charts_that_projections_know() -> None:
    """Who adds a field says in ``analysis/regions.py`` how it lets one region influence another."""
    known = {
        Vertex: "name parent choice final parallel history initial initial_effect entry exit at",
        ChartTransition: "source trigger guard effect target way completion requirements at",
    }
    for listed, names in known.items():
        assert {field.name for field in fields(listed)} == set(names.split())
