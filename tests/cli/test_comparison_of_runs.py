"""What a run says of itself in JSON, and of its difference to an earlier one."""

import hashlib
import json
import shlex
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import ROOT

TURNSTILE = (ROOT / "examples/turnstile/turnstile.yaml").read_text()
FAULTY = (ROOT / "examples/turnstile/turnstile.py").read_text()


@pytest.fixture
def gate(tmp_path: Path) -> list[str]:
    (tmp_path / "gate.yaml").write_text(TURNSTILE)
    (tmp_path / "gate.py").write_text(FAULTY)
    return ["run", str(tmp_path / "gate.yaml"), "--sut", f"python:{tmp_path / 'gate.py'}:Turnstile", "--method", "h"]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_command_repeats_the_run_and_hashes_name_what_it_was_about(
    gate: list[str], fullproof: Shell, tmp_path: Path
) -> None:
    suite = tmp_path / "suite.jsonl"
    fullproof("generate", tmp_path / "gate.yaml", "--extra-states", 1, "-o", suite)
    told = fullproof(*gate[:4], "--suite", suite, "--meta", "firmware=2.1=b", "--meta", "bench=", "--json").json
    assert told["hashes"]["model"] == digest(tmp_path / "gate.yaml")
    assert told["hashes"]["suite"] == digest(suite)
    assert told["hashes"]["system"][str(tmp_path / "gate.py")] == digest(tmp_path / "gate.py")
    assert told["meta"] == {"firmware": "2.1=b", "bench": ""}
    assert {known["standing"] for known in told["hypotheses"]} == {"checked", "to-vouch"}
    assert [known["text"] for known in told["hypotheses"]] == [
        f"{known['subject']} {known['text']}" for known in told["claim"]["hypotheses"]
    ]
    program, *words = shlex.split(told["command"])
    assert program == "fullproof"
    again = fullproof(*words, "--json").json
    assert {**again, "seconds": 0} == {**told, "seconds": 0}


def test_new_and_gone_failures(gate: list[str], fullproof: Shell, tmp_path: Path) -> None:
    words = [*gate, "--extra-states", "1"]
    bad = fullproof(*words, "--report", tmp_path / "bad", "--json").json
    (tmp_path / "gate.py").write_text(FAULTY.replace("self.paid -= 1", "self.paid = 0"))
    mended = fullproof(*words, "--baseline", tmp_path / "bad", "--report", tmp_path / "good", "--json")
    found = mended.json["baseline"]
    assert mended.code == 0
    assert (found["new"], found["gone"]) == ([], [failure["test"] for failure in bad["failures"]])
    assert found["gone_causes"] == [group["title"] for group in bad["groups"]]
    assert (found["suite"], found["not_run"], found["verdict"]) == ({"added": 0, "removed": 0}, [], "fail")
    assert found["changes"] == [f"files of the system changed: {tmp_path / 'gate.py'}"]
    # The other way round, from the journal, and as text.
    told = fullproof("judge", tmp_path / "bad" / "run.sqlite", "--baseline", tmp_path / "good")
    assert told.code == 1
    assert f"1 new failure: {', '.join(found['gone'])}" in told.out
    assert "no gone failures" in told.out and "the tests are the same" in told.out


def test_a_changed_suite_and_one_that_was_cut(gate: list[str], fullproof: Shell, tmp_path: Path) -> None:
    small = fullproof(*gate, "--extra-states", 1, "--report", tmp_path / "r", "--json").json
    large = fullproof(
        *gate, "--extra-states", 3, "--baseline", tmp_path / "r", "--report", tmp_path / "r", "--json"
    ).json
    found = large["baseline"]
    assert found["suite"]["added"] - found["suite"]["removed"] == large["tests"] - small["tests"]
    assert found["suite"]["added"] > 0 and "extra states 3 instead of 1" in found["changes"]
    assert {*found["gone"]} == {*found["not_run"]}, "no test that failed and ran again has passed"
    # Without the journal, what the report lists is compared; where it does not list all, nothing is said of the tests.
    (tmp_path / "r" / "run.sqlite").unlink()
    again = fullproof(*gate, "--extra-states", 3, "--baseline", tmp_path / "r", "--json").json["baseline"]
    assert (again["new"], again["gone"], again["suite"]) == ([], [], {"added": 0, "removed": 0})
    document = json.loads((tmp_path / "r" / "report.json").read_text())
    (tmp_path / "r" / "report.json").write_text(json.dumps({**document, "results": document["results"][:1]}))
    assert (
        fullproof(*gate, "--extra-states", 3, "--baseline", tmp_path / "r", "--json").json["baseline"]["suite"] is None
    )


def test_a_journal_keeps_what_was_said(gate: list[str], fullproof: Shell, tmp_path: Path) -> None:
    fullproof(*gate, "--meta", "firmware=1", "--report", tmp_path / "r")
    judged = fullproof("judge", tmp_path / "r" / "run.sqlite", "--json").json
    assert judged["meta"] == {"firmware": "1"}
    assert judged["command"] == f"fullproof judge {tmp_path}/r/run.sqlite"
    assert judged["hashes"] == json.loads((tmp_path / "r" / "report.json").read_text())["hashes"]
    other = fullproof(*gate, "--meta", "firmware=2", "--report", tmp_path / "r", "--resume")
    assert other.code == 4 and "with another --meta" in other.err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--meta", "firmware"), "--meta must be KEY=VALUE, got 'firmware'"),
        (("--meta", "=2"), "--meta must be KEY=VALUE, got '=2'"),
        (("--meta", "a=1", "--meta", "a=2"), "--meta a is given twice"),
        (
            ("--baseline", "nowhere"),
            "nowhere/report.json: --baseline needs the report folder of an earlier run: No such",
        ),
    ],
)
def test_mistakes(gate: list[str], fullproof: Shell, words: tuple[str, ...], complaint: str) -> None:
    ended = fullproof(*gate, *words)
    assert ended.code == 4 and complaint in ended.err and ended.err.count("\n") == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"failures": 3}'])
def test_a_baseline_that_is_none(gate: list[str], fullproof: Shell, tmp_path: Path, text: str) -> None:
    (tmp_path / "report.json").write_text(text)
    ended = fullproof(*gate, "--baseline", tmp_path)
    assert ended.code == 4 and "this is not a report.json of this version" in ended.err
