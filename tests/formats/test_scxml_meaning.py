"""What is read does what an SCXML interpreter does, event by event."""

from pathlib import Path

from hypothesis import given, reject, settings
from hypothesis import strategies as st
from tests.oracles.scxml import Interpreter
from tests.strategies.scxml import documents

from fullproof.analysis.run_to_completion import RunToCompletion
from fullproof.core.errors import UserError
from fullproof.formats.scxml.reader import read_scxml


@given(documents(), st.lists(st.sampled_from(["a", "b", "a.b"]), max_size=6))
@settings(max_examples=150, deadline=None)
def test_like_an_interpreter(text: str, events: list[str]) -> None:
    session = Interpreter(text)
    try:
        model = read_scxml(text, Path("m.scxml"))
    except UserError as error:
        assert "is sent before the first input" in error.message
        assert session.sent
        reject()
    assert not session.sent
    runner = RunToCompletion(model)
    here = runner.start
    assert (here.state, runner.values(here)) == (session.atomic, session.data)
    for event in events:
        session.sent.clear()
        session.event(event)
        (run,) = runner.runs(here, event, {})
        here = run.end
        assert (here.state, runner.values(here), list(run.sent)) == (session.atomic, session.data, session.sent), event
