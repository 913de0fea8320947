"""Suites of plain text work wherever suites do; certify and score take them alike."""

from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import ROOT

TURNSTILE = ROOT / "examples/turnstile/turnstile.yaml"
WORDS = "# by hand\ncoin push\npush, coin, coin\n"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "suite.txt").write_text(WORDS)
    return tmp_path / "suite.txt"


def test_run_takes_them_and_claims_nothing(suite: Path, capsys) -> None:
    ended = Shell(capsys)("run", TURNSTILE, "--suite", suite, "--sut", f"model:{TURNSTILE}", "--json")
    assert (ended.code, ended.json["tests"], ended.json["steps"]) == (0, 2, 5)
    assert ended.json["guarantee"].startswith("No guarantee: the suite is plain text")


def test_certify_and_score_take_them_alike_and_write_nothing_unasked(suite: Path, tmp_path: Path, capsys) -> None:
    shell = Shell(capsys)
    shell("mutate", TURNSTILE, "-o", tmp_path / "mutants", "--sample", 6)
    before = set(tmp_path.iterdir())
    for words in ([suite], ["--suite", suite]):
        certified = shell("certify", TURNSTILE, *words, "--json")
        assert (certified.code, certified.json["complete"]) == (1, False)
        assert certified.json["survivor"].startswith("machine: fsm"), "the machine itself, where no file was asked for"
        scored = shell("score", TURNSTILE, *words, "--mutants", tmp_path / "mutants", "--json")
        assert (scored.code, scored.json["mutants"]) == (1, 6)
    assert set(tmp_path.iterdir()) == before
    shell("certify", TURNSTILE, suite, "-o", tmp_path / "survivor.yaml")
    assert (tmp_path / "survivor.yaml").exists()


def test_score_takes_several_and_none_is_an_error(suite: Path, tmp_path: Path, capsys) -> None:
    shell = Shell(capsys)
    shell("mutate", TURNSTILE, "-o", tmp_path / "mutants", "--sample", 2)
    ended = shell("score", TURNSTILE, suite, suite, "--mutants", tmp_path / "mutants", "--json")
    assert len(ended.json["suites"]) == 2
    for command in (["score", TURNSTILE, "--mutants", tmp_path / "mutants"], ["certify", TURNSTILE]):
        ended = shell(*command)
        assert (ended.code, "expected a suite" in ended.err) == (4, True)


def test_mutants_say_what_was_mutated_and_score_shows_it(suite: Path, tmp_path: Path, capsys) -> None:
    shell = Shell(capsys)
    shell("mutate", TURNSTILE, "-o", tmp_path / "mutants")
    first = (tmp_path / "mutants" / "mutant-0001.yaml").read_text().splitlines()[0]
    assert first.startswith("# mutated: ")
    ended = shell("score", TURNSTILE, suite, "--mutants", tmp_path / "mutants")
    assert "(transfer: open --push/lock--> locked: to open)" in ended.out


def test_values_and_events_are_typed_by_name(tmp_path: Path, capsys) -> None:
    model = tmp_path / "model.yaml"
    model.write_text(
        "machine: sfsm\nname: m\ninputs: {t: int 0..9, on: bool}\noutputs: {y: int}\ninitial: s\nstates:\n"
        "  s:\n    - {when: on, then: y == t, to: s}\n    - {when: not on, then: y == 0, to: s}\n"
    )
    (tmp_path / "good.txt").write_text("t=3,on=true t=0,on=false\n4,false\n")
    ended = Shell(capsys)("run", model, "--suite", tmp_path / "good.txt", "--sut", f"model:{model}", "--json")
    assert (ended.code, ended.json["steps"]) == (0, 3)
    (tmp_path / "bad.txt").write_text("t=3,on=true\nt=33,on=true\n")
    ended = Shell(capsys)("run", model, "--suite", tmp_path / "bad.txt", "--sut", f"model:{model}")
    assert (ended.code, "bad.txt, line 2: t = 33, which is not a value of int 0..9" in ended.err) == (4, True)
