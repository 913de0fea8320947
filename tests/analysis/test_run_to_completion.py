"""Runs that never end are recognised where they come back, not only after thousands of transitions."""

from pathlib import Path

import pytest

from fullproof.analysis.run_to_completion import LONGEST_RUN, RunGoesWrong, RunToCompletion
from fullproof.formats import read_model_text
from fullproof.model import StateMachine


def machine(loop: str, limit: int = 50) -> RunToCompletion:
    text = (
        "machine: statemachine\nsignals: {in: [a]}\n"
        f"outputs: {{y: int 0..100000 = 0}}\nconstants: {{limit: {limit}}}\ninitial: s\nstates:\n"
        f"  s:\n    - {{trigger: a, to: t}}\n  t:\n    - {{{loop}, to: t}}\n"
    )
    model = read_model_text(text, Path("m.yaml"))
    assert isinstance(model, StateMachine)
    return RunToCompletion(model)


@pytest.mark.parametrize("loop", ["do: [y = y]", "do: [y = (y + 1) % 7]", "do: ['y = if y < 20 then y + 1 else 9']"])
def test_a_run_that_comes_back_has_no_end(loop: str) -> None:
    runs = machine(loop)
    with pytest.raises(RunGoesWrong, match="comes back to 't' with the same values"):
        runs.runs(runs.start, "a", {})


def test_a_run_that_never_comes_back_is_cut() -> None:
    runs = machine("do: [y = y + 1]")
    with pytest.raises(RunGoesWrong, match=f"more than {LONGEST_RUN} transitions"):
        runs.runs(runs.start, "a", {})


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 4, 63, 64, 65])
def test_a_run_that_ends_is_as_long_as_it_is(limit: int) -> None:
    runs = machine("when: y < limit, do: [y = y + 1]", limit)
    (run,) = runs.runs(runs.start, "a", {})
    assert run.transitions == (0, *[1] * limit)
    assert runs.values(run.end)["y"] == limit
