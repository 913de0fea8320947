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


def _played(chart: ChartModel, word: list[tuple[str, int]]) -> list[tuple[dict[str, object], tuple[str, ...]]]:
    machine = RunToCompletion(unflattened(chart, flat_machine, ChartUnfolding))
    here, seen = machine.start, []
    for signal, x in word:
        (run,) = machine.runs(here, signal, {"x": x})
        here = run.end
        seen.append((machine.values(here), run.sent))
    return seen


def _compared(chart: ChartModel, dice: Random) -> tuple[int, int]:
    """How many projections were compared, and how many of them lack a region."""
    regions = ChartRegions(chart)
    word = [(dice.choice(chart.signals_in), dice.randint(0, 3)) for _ in range(12)]
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


TWO = """
machine: statemachine
name: two
signals: {in: [go, no]}
inputs: {x: int 0..9}
outputs: {a: int 0..2 = 0, b: int 0..2 = 0}
initial: p
states:
  p:
    parallel:
      A:
        initial: a0
        states:
          a0:
            - {trigger: go, do: [a = 1], to: a1}
          a1:
            - {trigger: go, do: [a = 0], to: a0}
      B:
        initial: b0
        states:
          b0:
            - {trigger: no, do: [b = 1], to: b1}
            - {when: %s, do: [b = 2], to: b1}
          b1:
            - {trigger: no, do: [b = 0], to: b0}
"""


@pytest.mark.parametrize(
    ("guard", "cone"),
    [("x > 5", ("A", "B")), ("true", ("A", "B")), ("a == 1", ("A", "B")), ("b == 1 and x > 2", ("A", "B"))],
)
def test_a_region_that_may_take_the_event_from_others(guard: str, cone: tuple[str, ...]) -> None:
    """What is enabled by new inputs, or from the start, goes before the event, which no region sees then."""
    model = read_model_text(TWO % guard, "m.yaml")
    assert isinstance(model, StateMachine) and model.chart is not None
    regions = ChartRegions(model.chart)
    assert projection(regions, ["A"]).cone == cone


def test_what_goes_on_inside_of_an_event_takes_none_from_others() -> None:
    text = (TWO % "b == 2").replace("b0:\n", "b0: []\n          b2:\n", 1).replace("to: b0}", "to: b2}")
    model = read_model_text(text, "m.yaml")
    assert isinstance(model, StateMachine) and model.chart is not None
    assert projection(ChartRegions(model.chart), ["A"]).cone == ("A",)


@pytest.mark.parametrize("region", ["A", "B"])
def test_transitions_without_trigger_go_first_in_projections_on_one_region_too(region: str) -> None:
    """As they do where several regions are active, so that a projection has no choice that the chart does not have."""
    model = read_model_text(TWO % "x > 5", "m.yaml")
    assert isinstance(model, StateMachine) and model.chart is not None
    part = projection(ChartRegions(model.chart), [region])
    machine = RunToCompletion(flat_machine(part.chart))
    for signal in ("go", "no"):
        (run,) = machine.runs(machine.start, signal, {"x": 7})
        if region == "B":
            assert machine.values(run.end)["b"] == 2


AROUND = """
machine: statemachine
name: around
signals: {in: [go, no]}
outputs: {a: int 0..9 = 0, b: int 0..2 = 0}
initial: p
states:
  p:
    transitions:
      - {trigger: go, kind: internal, do: [%s]}
    parallel:
      A:
        initial: a0
        states:
          a0: [{trigger: go, do: [a = 1], kind: internal}, {trigger: no, to: a1}]
          a1: [{trigger: no, to: a0}]
      B:
        initial: b0
        states:
          b0: [{trigger: no, do: [b = 1], to: b1}]
          b1: [{trigger: no, do: [b = 0], to: b0}]
"""


@pytest.mark.parametrize(("order", "seen"), [("AB", [5, 5, 5]), ("BA", [1, 5, 1])])
def test_a_transition_of_the_state_around_is_taken_for_regions_that_are_left_out(order: str, seen: list[int]) -> None:
    """Where one region has nothing for the event, the others cannot hide what the state around them does for it."""
    text = AROUND % "a = 5"
    if order == "BA":
        head, rest = text.split("      A:\n")
        first, second = rest.split("      B:\n")
        text = f"{head}      B:\n{second}      A:\n{first}"
    model = read_model_text(text, "m.yaml")
    assert isinstance(model, StateMachine) and model.chart is not None
    part = projection(ChartRegions(model.chart), ["A"])
    word = [(signal, 0) for signal in ("go", "no", "go", "no", "go")]
    for chart in (model.chart, part.chart):
        assert [values["a"] for values, _ in _played(chart, word)][::2] == seen
    assert part.cone == ("A",)
    assert set(flat_machine(part.chart).states) == {"a0", "a1"}


def test_fields_of_charts_that_projections_know() -> None:
    """Who adds a field says in ``analysis/regions.py`` how it lets one region influence another."""
    known = {
        Vertex: "name parent choice final parallel left_out history initial initial_effect entry exit at",
        ChartTransition: "source trigger guard effect target way completion requirements at",
    }
    for listed, names in known.items():
        assert {field.name for field in fields(listed)} == set(names.split())
