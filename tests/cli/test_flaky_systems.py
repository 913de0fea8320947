"""Systems that do not always answer alike, are not reset, cannot be reached, or are interrupted."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

DOOR = """
machine: fsm
name: door
initial: closed
states:
  closed:
    - {when: open, then: opened, to: open}
    - {when: close, then: refused, to: closed}
    - {when: lock, then: locked, to: locked}
    - {when: unlock, then: refused, to: closed}
  open:
    - {when: open, then: refused, to: open}
    - {when: close, then: closed, to: closed}
    - {when: lock, then: refused, to: open}
    - {when: unlock, then: refused, to: open}
  locked:
    - {when: open, then: refused, to: locked}
    - {when: close, then: refused, to: locked}
    - {when: lock, then: refused, to: locked}
    - {when: unlock, then: unlocked, to: closed}
"""

SYSTEMS = '''
import os, time

TABLE = {("closed", "open"): ("opened", "open"), ("open", "close"): ("closed", "closed"),
         ("closed", "lock"): ("locked", "locked"), ("locked", "unlock"): ("unlocked", "closed")}


class Door:
    def reset(self):
        self.state = "closed"

    def step(self, event):
        answer, self.state = TABLE.get((self.state, event), ("refused", self.state))
        return answer


class Steady(Door):
    """Always wrong in the same way."""

    def step(self, event):
        answer = super().step(event)
        return "jammed" if answer == "unlocked" else answer


class Flaky(Door):
    """Every second unlocking in all processes fails."""

    def step(self, event):
        answer = super().step(event)
        if answer != "unlocked":
            return answer
        with open("count", "a") as file:
            file.write("x")
        return "jammed" if os.path.getsize("count") % 2 else answer


class Dirty(Door):
    """After a second lock, whatever was reset in between, unlocking fails."""

    locks = 0

    def step(self, event):
        answer = super().step(event)
        Dirty.locks += answer == "locked"
        return "jammed" if answer == "unlocked" and Dirty.locks > 2 else answer


class Slow(Steady):
    def step(self, event):
        time.sleep(0.2)
        return super().step(event)


class Gone(Door):
    """Cannot be made any more after the first test."""

    def reset(self):
        with open("made", "a") as file:
            file.write("x")
        if os.path.getsize("made") > 2:
            raise ConnectionError("nothing is there")
        super().reset()
'''


@pytest.fixture
def door(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "door.yaml").write_text(DOOR, encoding="utf-8")
    (tmp_path / "door.py").write_text(SYSTEMS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def answer(door, fullproof):
    def ask(system, *options):
        ended = fullproof("run", "door.yaml", "--sut", f"python:door.py:{system}", "--json", *options)
        return ended, ended.json

    return ask


def test_a_steady_fault_fails_always(answer):
    ended, reply = answer("Steady")
    assert (ended.code, reply["verdict"], reply["contradiction"]) == (1, "fail", None)
    known = {"standing": "always", "failed": 2, "of": 2, "order": None}
    assert [group["confirmation"] for group in reply["groups"]] == [known]
    assert "fails always" in reply["groups"][0]["standing"]


@pytest.mark.parametrize(("options", "times"), [(("--confirm", "4"), 4), (("--shrink-failures", "0"), None)])
def test_how_often_a_failing_test_is_run_again(answer, options, times):
    confirmation = answer("Steady", *options)[1]["groups"][0]["confirmation"]
    assert (confirmation and confirmation["of"]) == times


def test_two_answers_to_equal_inputs_are_shown_side_by_side(answer, door, fullproof):
    ended, reply = answer("Flaky", "--extra-states", "1", "--report", "out")
    assert (ended.code, reply["verdict"]) == (1, "nondeterministic")
    steps = reply["contradiction"]["steps"]
    assert [len(set(step["outputs"])) for step in steps] == [1] * (len(steps) - 1) + [2]
    assert reply["diagnosis"] is None
    page = (door / "out" / "report.html").read_text(encoding="utf-8")
    assert 'id="contradiction"' in page
    judged = fullproof("judge", "out/run.sqlite", "--json").json
    assert judged["verdict"] in ("nondeterministic", "fail")
    text = fullproof("run", "door.yaml", "--sut", "python:door.py:Flaky").out
    assert text.startswith("NONDETERMINISTIC")
    assert "equal inputs were answered in two ways" in text


def test_a_failure_that_depends_on_earlier_tests_names_them(answer, door):
    ended, reply = answer("Dirty", "--extra-states", "1", "--report", "out", "--shrink-failures", "300")
    assert (ended.code, reply["verdict"]) == (1, "fail")
    (group,) = reply["groups"]
    assert group["confirmation"]["standing"] == "depends on earlier tests"
    order = group["confirmation"]["order"]
    lines = (door / "out" / "failure-1.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines[1:]][: len(order)] == order
    script = next((door / "out").glob("reproduce-*.py"))
    assert subprocess.run([sys.executable, script], cwd=door, check=False, capture_output=True).returncode == 1
    good = {**os.environ, "FULLPROOF_SUT": "python:door.py:Door"}
    ended = subprocess.run([sys.executable, script], cwd=door, check=False, capture_output=True, env=good)
    assert ended.returncode == 0


def test_a_run_ends_after_so_many_failures(answer):
    assert answer("Steady", "--extra-states", "1")[1]["failed"] > 2
    reply = answer("Steady", "--extra-states", "1", "--max-failures", "2")[1]
    assert reply["failed"] == 2
    assert any("--max-failures" in note for note in reply["notes"])


def test_a_system_that_is_gone_ends_the_run_with_one_line(answer, door, fullproof):
    ended, reply = answer("Gone", "--extra-states", "1", "--no-isolate")
    assert (ended.code, reply["verdict"], reply["errors"]) == (1, "error", 3)
    assert reply["tests"] == reply["passed"] + 3
    (door / "made").unlink()
    text = fullproof("run", "door.yaml", "--sut", "python:door.py:Gone", "--extra-states", "1", "--no-isolate").out
    head, line = text.splitlines()
    assert head.startswith("ERROR")
    assert line.startswith("the run was stopped: the system could not be reached in 3 tests in a row")


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_an_interrupted_run_says_what_it_saw(door, options):
    words = ("run", "door.yaml", "--sut", "python:door.py:Slow", "--extra-states", "1", "--report", "out", *options)
    process = subprocess.Popen(
        [sys.executable, "-m", "fullproof", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    journal = door / "out" / "run.sqlite"
    end = time.monotonic() + 60
    while time.monotonic() < end and not (journal.exists() and _rows(journal)):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "had been run; --resume goes on" in errors
    if options:
        reply = json.loads(out)
        assert reply["tests"] >= 1
        assert reply["verdict"] in ("inconclusive", "fail")
    else:
        assert out.splitlines()[0].split()[0] in ("INCONCLUSIVE", "FAIL")
    assert (door / "out" / "report.html").exists()


def _rows(journal) -> bool:
    import sqlite3

    try:
        with sqlite3.connect(f"file:{journal}?mode=ro", uri=True) as opened:
            tables = [name for (name,) in opened.execute("select name from sqlite_master where type = 'table'")]
            name = next(name for name in tables if "execution" in name)
            return bool(opened.execute(f"select count(*) from {name}").fetchone()[0])
    except (sqlite3.Error, StopIteration):
        return False
