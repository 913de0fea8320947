"""Charts that are not flattened: single steps are those of the flat machine, and the product is never built."""

import pickle
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.shared import ROOT
from tests.strategies.regions import counting_regions
from tests.strategies.scxml import random_document

from fullproof.analysis.run_to_completion import RunGoesWrong, RunToCompletion
from fullproof.core.errors import UserError
from fullproof.formats import read_model, read_model_text
from fullproof.formats.charts import hierarchy, machine
from fullproof.formats.charts.machine import flat_machine
from fullproof.formats.charts.unfolding import ChartUnfolding
from fullproof.formats.json.writer import json_lines
from fullproof.formats.scxml.reader import read_scxml
from fullproof.model import StateMachine
from fullproof.model.unflattened import UnflattenedMachine, unflattened

EIGHT = counting_regions(8)


def _same_steps(flat: StateMachine, dice: Random) -> int:
    assert flat.chart is not None
    one, other = RunToCompletion(flat), RunToCompletion(unflattened(flat.chart, flat_machine, ChartUnfolding))
    here, there, steps = one.start, other.start, 0
    assert one.active(here) == other.active(there)
    for _ in range(8):
        trigger = dice.choice((None, *flat.signals_in))
        try:
            (run,) = one.runs(here, trigger, {})
        except (RunGoesWrong, ValueError):
            return steps
        (mine,) = other.runs(there, trigger, {})
        here, there, steps = run.end, mine.end, steps + 1
        assert (run.sent, here.values, one.active(here)) == (mine.sent, there.values, other.active(there))
        taken = {arrow for number in run.transitions for arrow in flat.transitions[number].arrows}
        assert taken == set(mine.transitions)
    return steps


def test_steps_of_random_charts() -> None:
    dice, steps = Random(7), 0
    for _ in range(30):
        try:
            model = read_scxml(random_document(dice), Path("m.scxml"))
        except UserError:
            continue
        if not model.chart.unset:
            steps += _same_steps(model, dice)
    assert steps > 60


def test_reading_and_playing_eight_regions() -> None:
    model = read_model_text(EIGHT, "eight.yaml")
    assert isinstance(model, UnflattenedMachine)
    runs = RunToCompletion(pickle.loads(pickle.dumps(model)))
    (run,) = runs.runs(runs.start, "go3", {})
    assert runs.values(run.end)["o3"] == 1
    assert runs.active(run.end)[3] == "s3_1"


def test_flat_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "AT_ONCE", 8)
    model = read_model_text(counting_regions(2, 3), "two.yaml")
    assert isinstance(model, UnflattenedMachine)
    assert len(model.states) == 3**2
    assert model == read_model_text(counting_regions(2, 3), "two.yaml")


def test_changed_machines_have_no_chart(monkeypatch: pytest.MonkeyPatch) -> None:
    small = read_model_text(counting_regions(2, 3), "m.yaml")
    monkeypatch.setattr(machine, "AT_ONCE", 8)
    large = read_model_text(counting_regions(2, 3), "m.yaml")
    for model in (small, large):
        assert isinstance(model, StateMachine) and model.chart is not None
        changed = replace(model, transitions=model.transitions[1:])
        assert type(changed) is StateMachine and changed.chart is None


def test_too_many_configurations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hierarchy, "MOST_TRANSITIONS", 100)
    model = read_model_text(EIGHT, "eight.yaml")
    assert isinstance(model, StateMachine)
    with pytest.raises(UserError, match="multiply to more than"):
        _ = model.transitions


def test_writing_what_is_not_flattened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "AT_ONCE", 2)
    for name in ("media-player", "lights-and-wipers", "login"):
        model = read_model(ROOT / f"examples/charts/{name}.yaml")
        assert isinstance(model, UnflattenedMachine)
        text = "".join(json_lines(model))
        assert "parallel" in text
        assert read_model_text(text, f"{name}.json") == model
