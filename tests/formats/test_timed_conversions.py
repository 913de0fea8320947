"""Charts with timers survive conversions: what is written does the same, input by input and delay by delay."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from tests.strategies.timed_charts import SIGNALS, random_timed_chart

from fullproof.analysis.delays import delays
from fullproof.analysis.run_to_completion import RunGoesWrong, RunToCompletion
from fullproof.core.errors import UserError
from fullproof.formats import read_model, read_model_text, write_model
from fullproof.model import StateMachine


def random_models(seed: int, count: int, *, restarts: bool = False, periodic: bool = False) -> list[StateMachine]:
    """Machines of random charts, with few configurations."""
    dice, found = Random(seed), []
    while len(found) < count:
        text = json.dumps(random_timed_chart(dice, restarts=restarts, periodic=periodic))
        try:
            model = read_model_text(text, Path("m.json"))
        except UserError:
            continue
        assert isinstance(model, StateMachine)
        if len(model.states) < 100 and model.timers:
            found.append(model)
    return found


def answers(model: StateMachine, steps: list[str | Fraction]) -> list[object]:
    """What may be seen after each step, until a run goes wrong or there are too many."""
    machine = RunToCompletion(model)
    here = {machine.start}
    found: list[object] = []
    for step in steps:
        try:
            if isinstance(step, str):
                runs = [run for one in here for run in machine.runs(one, step, {})]
            else:
                runs = [run for one in here for run in delays(machine, one, step)]
        except RunGoesWrong:
            return [*found, "wrong"]
        found.append({(run.sent, tuple(sorted(machine.values(run.end).items()))) for run in runs})
        here = {run.end for run in runs}
        if len(here) > 20:
            break
    return found


def steps(dice: Random) -> list[str | Fraction]:
    """Inputs and delays."""
    times = [Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(4)]
    return [dice.choice([*SIGNALS, *times]) for _ in range(10)]


@pytest.mark.parametrize("ending", [".yaml", ".json"])
def test_model_files_keep_the_tree_and_its_timers(ending: str, tmp_path: Path) -> None:
    dice = Random(1)
    for model in random_models(1, 25, restarts=True, periodic=True):
        path = tmp_path / f"m{ending}"
        write_model(model, path)
        back = read_model(path)
        assert isinstance(back, StateMachine) and back.chart is not None and model.chart is not None
        assert {v.name: v.parent for v in back.chart.vertices} == {v.name: v.parent for v in model.chart.vertices}
        assert (set(back.timers), set(back.states)) == (set(model.timers), set(model.states))
        for _ in range(3):
            walk = steps(dice)
            assert answers(back, walk) == answers(model, walk), path.read_text()
