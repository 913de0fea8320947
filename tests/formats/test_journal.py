"""Journals: what goes in comes out, nothing of it is lost when the writer dies, and only one writes at a time."""

import os
import signal
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullproof.artefacts.execution import Columns, Execution, Step
from fullproof.artefacts.journal import JournalHeader
from fullproof.artefacts.suite import make_test
from fullproof.core.errors import UserError
from fullproof.formats.journal import continued, new_journal, read_journal

HEADER = JournalHeader(
    model='{"machine": "fsm"}',
    model_file="lamp.yaml",
    model_sha256="0" * 64,
    suite="{}",
    relation="equivalence",
    properties=("R1",),
    repeat=2,
    seed=3,
    sut="python:lamp.py:Lamp",
    started="2026-11-15T10:00:00+00:00",
    tool="0",
    python="3.11",
    platform="Linux",
)

symbols = st.text(max_size=4)
values = st.one_of(st.booleans(), st.integers(), st.fractions(), st.text(max_size=3))
valuations = st.dictionaries(st.sampled_from("xyz"), values, min_size=1)


@st.composite
def traces(draw: st.DrawFn) -> Execution:
    kind = draw(st.sampled_from([symbols, valuations]))
    inputs = draw(st.lists(kind, max_size=4))
    outputs = draw(st.lists(kind, max_size=len(inputs)))
    test = make_test(inputs)
    steps: Sequence[Step] = Columns(test.inputs, outputs)
    if draw(st.booleans()):
        offered = [draw(st.frozensets(symbols, max_size=3)) for _ in outputs]
        steps = tuple(map(Step, test.inputs, outputs, offered))
    at_end = draw(st.none() | st.frozensets(symbols, max_size=3))
    error = draw(st.none() | symbols)
    return Execution(test, steps, at_end, error, draw(symbols), draw(st.integers(1, 3)))


@given(st.lists(traces(), max_size=5))
def test_what_goes_in_comes_out(tmp_path_factory: pytest.TempPathFactory, written: list[Execution]) -> None:
    path = tmp_path_factory.mktemp("journal") / "run.sqlite"
    journal = new_journal(path, HEADER)
    written = [trace._replace(number=3 * place) for place, trace in enumerate(written, 1)]
    for trace in written:
        journal.add(trace)
    journal.conclude(seconds=1.5, told={"a": [1]})
    journal.close()
    old = read_journal(path)
    assert old.header == HEADER
    assert (old.rows, old.seconds, old.told) == (len(written), 1.5, {"a": [1]})
    assert list(old.executions()) == written


def trace(number: int) -> Execution:
    test = make_test([f"i{number}"])
    return Execution(test, Columns(test.inputs, ["o"]))


def test_what_a_killed_process_had_committed_is_there_and_can_be_continued(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    child = os.fork()
    if child == 0:
        journal = new_journal(path, HEADER)
        for number in range(50):
            journal.add(trace(number)._replace(number=number + 1))
        journal.commit()
        journal.add(trace(50)._replace(number=51))
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    old = read_journal(path)
    assert old.rows == 50
    journal = continued(old)
    journal.add(trace(50)._replace(number=51))
    journal.close()
    assert [t.test.inputs for t in read_journal(path).executions()] == [(f"i{n}",) for n in range(51)]


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    journal = new_journal(path, HEADER)
    journal.add(trace(1)._replace(number=1))
    journal.commit()
    for again in (lambda: continued(read_journal(path)), lambda: new_journal(path, HEADER)):
        with pytest.raises(UserError, match="another run is writing this journal"):
            again()
    assert read_journal(path).rows == 1
    journal.add(trace(2)._replace(number=4))
    journal.close()
    continued(read_journal(path)).close()
    assert (read_journal(path).rows, read_journal(path).last) == (2, 4)


def test_halves_of_characters_are_kept_in_a_readable_form(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    journal = new_journal(path, HEADER)
    test = make_test(["a"])
    journal.add(Execution(test, Columns(test.inputs, ["\ud83d"]), None, "said \ud83d", "\ud83d", 1, 1))
    journal.close()
    (back,) = read_journal(path).executions()
    assert back.steps[0].output == "\ud83d"
    assert back.error == "said \\ud83d"


def test_bad_journals_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such journal"):
        read_journal(tmp_path / "none")
    (tmp_path / "text").write_text("this is not a database" * 100)
    with pytest.raises(UserError, match="cannot read the journal"):
        read_journal(tmp_path / "text")
    with sqlite3.connect(tmp_path / "other") as other:
        other.execute("create table x (y)")
    with pytest.raises(UserError, match="cannot read the journal: no such table"):
        read_journal(tmp_path / "other")
    with pytest.raises(UserError, match=r"cannot (open the journal|write)"):
        new_journal(tmp_path / "no" / "folder", HEADER)


@pytest.mark.parametrize("ended", ["killed", "interrupted", "quickly interrupted", "complete"])
def test_what_an_interrupted_run_has_cost_is_not_lost_to_a_new_one(tmp_path: Path, ended: str) -> None:
    path = tmp_path / "run.sqlite"
    old = new_journal(path, HEADER)
    old.add(trace(1))
    if ended != "killed":
        seconds = 1.0 if ended == "quickly interrupted" else 3600.0
        old.conclude(seconds=seconds, told={"a": [1]} if ended == "complete" else None)
    old.close()
    fresh = new_journal(path, HEADER)
    fresh.close()
    assert read_journal(path).rows == 0
    if ended in ("complete", "quickly interrupted"):
        assert fresh.kept is None
        assert [file.name for file in tmp_path.iterdir()] == ["run.sqlite"]
        return
    assert fresh.kept == tmp_path / "run.sqlite.1"
    assert list(read_journal(fresh.kept).executions()) == [trace(1)]
    continued(read_journal(fresh.kept)).close()


def test_a_file_that_is_no_journal_is_not_replaced(tmp_path: Path) -> None:
    notes, empty = tmp_path / "notes.txt", tmp_path / "empty"
    notes.write_text("keep this")
    empty.touch()
    with pytest.raises(UserError, match="is no journal, and would be replaced by one"):
        new_journal(notes, HEADER)
    assert notes.read_text() == "keep this"
    new_journal(empty, HEADER).close()
    assert read_journal(empty).rows == 0
