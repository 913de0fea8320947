"""Runs of an sts that are cut off and go on, and old ones judged again."""

import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.journals import VARYING, cut, execute, forge
from tests.shared import REFERENCE, ROOT

from fullproof.artefacts.execution import Event, Execution, Received, Sent, Silence
from fullproof.artefacts.progress import unheard
from fullproof.artefacts.questions import JudgeRequest
from fullproof.artefacts.request import RunRequest, SuiteRequest, Values
from fullproof.artefacts.suite import make_test
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import UserError
from fullproof.formats.journal import read_journal
from fullproof.formats.journal.rows import read_row, row_of
from fullproof.pipeline import judge_journal, run_fields, run_suite

PROTOCOLS = ROOT / "examples" / "protocols"
RUNS = [
    ("login", "model.yaml", {}),
    ("login", "mutant2.yaml", {"repeat": 2}),
    ("bounded-queue", "model.yaml", {"values": Values.BOUNDARY}),
    ("vending-machine", "mutant1.yaml", {}),
    ("token-bucket", "model.yaml", {"suite": SuiteRequest(seed=2, method="random", max_length=30), "repeat": 4}),
]


def run(folder: Path, sut: str, journal: Path, *, resume: bool = False, **options: object):
    options = {"suite": SuiteRequest(seed=1), "shrink_failures": 0, **options}
    request = RunRequest(sut=f"model:{folder / sut}", silence=0.1, journal=journal, resume=resume, **options)
    outcome = run_suite(folder / "model.yaml", request, progress=unheard)
    return fields(outcome), list(read_journal(journal).executions())


def fields(outcome):
    return {k: v for k, v in run_fields(outcome.record).items() if k not in VARYING}, outcome.notes


@pytest.mark.parametrize(("protocol", "sut", "options"), RUNS)
def test_a_run_that_was_cut_off_ends_as_if_it_had_not_been(protocol, sut, options, tmp_path: Path) -> None:
    journal = tmp_path / "j"
    whole, conversations = run(PROTOCOLS / protocol, sut, journal, **options)
    assert len(conversations) > 2
    for rows in (1, len(conversations) // 2, len(conversations)):
        cut(journal, rows)
        assert run(PROTOCOLS / protocol, sut, journal, resume=True, **options) == (whole, conversations)


@pytest.mark.requirement("JUDGE-3")
@pytest.mark.parametrize(("protocol", "sut", "options"), RUNS)
def test_an_old_run_is_judged_alike(protocol, sut, options, tmp_path: Path) -> None:
    whole, _ = run(PROTOCOLS / protocol, sut, tmp_path / "j", **options)
    outcome = judge_journal(tmp_path / "j", JudgeRequest(report=tmp_path / "report"), progress=unheard)
    assert fields(outcome) == whole
    assert outcome.page is not None
    cut(tmp_path / "j", 1)
    part = judge_journal(tmp_path / "j", JudgeRequest(), progress=unheard)
    assert part.record.result.resets == 1
    assert "interrupted" in part.notes[0]


def test_a_run_with_other_values_is_another_run(tmp_path: Path) -> None:
    run(PROTOCOLS / "login", "model.yaml", tmp_path / "j")
    with pytest.raises(UserError, match="cannot be resumed: it is about other purposes, --values"):
        run(PROTOCOLS / "login", "model.yaml", tmp_path / "j", resume=True, values=Values.SOLVER)


def test_a_journal_that_does_not_say_what_was_wanted(tmp_path: Path) -> None:
    run(PROTOCOLS / "login", "model.yaml", tmp_path / "j")
    execute(tmp_path / "j", "update about set value = replace(value, 'criterion', 'crit') where key = 'header'")
    forge(tmp_path / "j")
    with pytest.raises(UserError, match="does not say what was to be covered"):
        judge_journal(tmp_path / "j", JudgeRequest(), progress=unheard)


values = st.lists(st.booleans() | st.integers() | st.fractions() | st.text(st.characters(codec="utf-8")), max_size=3)
events = st.builds(
    lambda make, gate, given: make(gate, tuple(given)), st.sampled_from([Sent, Received]), st.text(), values
)


@settings(max_examples=50)
@given(st.lists(events | st.just(Silence())), st.booleans(), st.none() | st.just("died"))
def test_what_was_said_comes_back(said: list[Event], flag: bool, error: str | None) -> None:
    conversation = Execution(
        test=make_test(["a:b", "c:d where x > 1"]), events=tuple(said), reached=flag, synchronous=not flag,
        reason="so", error=error, evidence="trace", number=7,
    )  # fmt: skip
    back = read_row(row_of(conversation))
    assert back == conversation
    assert [[type(v) for v in e.values] for e in back.events if not isinstance(e, Silence)] == [
        [Fraction if isinstance(v, Fraction) else type(v) for v in e.values] for e in said if not isinstance(e, Silence)
    ]


def test_brp_of_the_paper_is_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "brp"
    folder.mkdir()
    (folder / "model.yaml").write_text((REFERENCE / "brp" / "brp.yaml").read_text())
    whole, conversations = run(folder, "model.yaml", tmp_path / "j")
    cut(tmp_path / "j", len(conversations) // 2)
    assert run(folder, "model.yaml", tmp_path / "j", resume=True) == (whole, conversations)
    assert conversations[0]._replace(number=2) != conversations[0]


SERVER = """
import json, sys, time
stock, log = 0, open(sys.argv[1], "a")
log.write("one\\n"); log.close()
for line in sys.stdin:
    message = json.loads(line)
    if "reset" in message:
        stock = 0
        print(json.dumps({"ready": True}), flush=True)
        continue
    gate, values = message["send"]
    stock += values[0]
    print(json.dumps({"emit": ["outX", [stock]]}), flush=True)
"""
COUNTER = """
machine: sts
name: counter
inputs: {inX: {p: int}}
outputs: {outX: {p: int}}
variables: {x: int = 0}
initial: idle
states:
  idle:
    - {gate: inX, when: 1 <= p <= 10, set: {x: x + p}, to: busy}
  busy:
    - {gate: outX, when: p == x and x < 12, to: idle}
    - {gate: outX, when: p == x and x >= 12, to: done}
  done: []
"""


def test_several_instances_wait_at_the_same_time(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "model.yaml").write_text(COUNTER)
    outcomes = []
    for jobs in (1, 3):
        log, journal = tmp_path / f"log{jobs}", tmp_path / f"j{jobs}"
        options = {"repeat": 5, "jobs": jobs, "journal": journal, "silence": 0.05}
        request = RunRequest(
            suite=SuiteRequest(seed=1, method="switch"),
            sut=f"exec:{sys.executable} {tmp_path / 'server.py'} {log}",
            **options,
        )
        outcome = run_suite(tmp_path / "model.yaml", request, progress=unheard)
        assert len(log.read_text().split()) == jobs
        outcomes.append(outcome.record.result)
        again = judge_journal(journal, JudgeRequest(), progress=unheard)
        assert fields(again) == fields(outcome)
        held = list(read_journal(journal).executions())
        cut(journal, len(held) // 2)
        resumed = run_suite(tmp_path / "model.yaml", replace(request, resume=True), progress=unheard)
        assert fields(resumed) == fields(outcome)
        assert list(read_journal(journal).executions()) == held
    assert [(result.verdict, result.tests, result.resets) for result in outcomes[:1]] == [
        (result.verdict, result.tests, result.resets) for result in outcomes[1:]
    ]
    assert outcomes[0].verdict is Verdict.PASS
