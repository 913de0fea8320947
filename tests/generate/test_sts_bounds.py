"""Searches for purposes are bounded in steps, say what they left out, and find what lies deep all the same."""

from importlib import import_module
from pathlib import Path

import pytest

from fullproof.artefacts.purposes import Criterion
from fullproof.formats import read_model
from fullproof.generate.sts.exploration import Explorer, OutputPolicy
from fullproof.generate.sts.goals import goals_for
from fullproof.generate.sts.graph import SymbolicGraph
from fullproof.generate.sts.planner import Planner
from fullproof.generate.sts.purposes import Search, purposes_for
from fullproof.generate.sts.reacher import Reacher

ROOT = Path(__file__).resolve().parent.parent.parent
LOGIN = ROOT / "examples" / "protocols" / "login" / "model.yaml"
VENDING = ROOT / "benchmarks" / "strangers" / "vending.yaml"


def test_a_location_behind_a_stock_that_runs_out_is_reached() -> None:
    model = read_model(VENDING)
    goals = goals_for(model, Criterion.LOCATION)
    found = Reacher(model, goals).reach()
    assert set(found) == set(goals.names)
    assert len(found["SOLDOUT"]) > 100  # twenty sales


def test_a_search_that_is_cut_says_so_and_is_the_same_twice() -> None:
    model = read_model(LOGIN)
    search = Search(criterion=Criterion.BOUNDARY, steps=40)
    found = purposes_for(model, search)
    assert found == purposes_for(model, search)
    assert any("40 symbolic steps" in note for note in found.notes)
    assert found.purposes


@pytest.mark.parametrize("allowance", [0, 30])
def test_the_nearest_goal_is_looked_for_within_the_allowance(allowance: int) -> None:
    model = read_model(LOGIN)
    explorer = Explorer(SymbolicGraph(model), goals_for(model, Criterion.BOUNDARY))
    explorer.allowance = allowance
    way = explorer.nearest(explorer.start, lambda _: False, limit=1000, outputs=OutputPolicy.ANY)
    assert way is None
    assert explorer.cut
    assert explorer.allowance == 0
    assert len(explorer.graph.states) <= allowance + 1


def test_a_planner_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("fullproof.generate.sts.planner"), "_KEPT", 10)
    model = read_model(LOGIN)
    planner = Planner(model, Criterion.SWITCH)
    values = {v.name: v.initial for v in model.variables}
    for number in range(20):
        planner.way("OUT", values | {"name": number, "secret": 1000 + number}, None, {"nothing"})
        assert len(planner._explorer.graph.states) < 300
