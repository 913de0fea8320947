"""What is read does what an SCXML interpreter does, event by event."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from tests.oracles.scxml import Interpreter
from tests.strategies.scxml import random_document

from fullproof.analysis.run_to_completion import RunGoesWrong, RunToCompletion
from fullproof.core.errors import UserError
from fullproof.formats.scxml.reader import read_scxml

REFUSED = {
    "livelock before the first input": "livelock",
    "by the recommendation, but not in all interpreters": "disputed",
    "internal events may wait": "queue",
    "stands for no event": "nothing",
    "unknown input signal": "never raised",
    "ways through them": "paths",
    "multiply to more than": "size",
}
"""Reasons for refusing a random chart, all of which a test has elsewhere."""


def agreement(text: str, events: list[str]) -> str:
    """What became of a document: 'agrees', or why it was not compared; AssertionError where the two differ."""
    try:
        session = Interpreter(text)
    except RecursionError:
        return "livelock"
    try:
        model = read_scxml(text, Path("m.scxml"))
    except UserError as error:
        reason = next((name for words, name in REFUSED.items() if words in error.message), None)
        assert reason is not None, (error, text)
        return reason
    assert session.sent == list(model.greeting), text
    active = dict(model.active)
    runner = RunToCompletion(model)
    here = runner.start
    assert (active.get(here.state, (here.state,)), runner.values(here)) == (tuple(session.active), session.data), text
    for event in events:
        session.sent.clear()
        session.steps = 0
        try:
            session.event(event)
        except RecursionError:
            with pytest.raises(RunGoesWrong):
                runner.runs(here, event, {})
            return "livelock"
        (run,) = runner.runs(here, event, {})
        here = run.end
        mine = active.get(here.state, (here.state,)), runner.values(here), list(run.sent)
        assert mine == (tuple(session.active), session.data, session.sent), (event, events, text)
    return "agrees"


@pytest.mark.parametrize(("seed", "charts"), [(17, 120), pytest.param(18, 400, marks=pytest.mark.slow)])
def test_like_an_interpreter(seed: int, charts: int) -> None:
    dice = Random(seed)
    counts: Counter[str] = Counter()
    for _ in range(charts):
        text = random_document(dice)
        counts[agreement(text, [dice.choice(["a", "b", "a.b"]) for _ in range(6)])] += 1
    assert counts["agrees"] > charts // 2, counts
