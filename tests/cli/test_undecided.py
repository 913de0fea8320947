"""What a solver leaves open is missing from a guarantee: exit code 6, and the same bytes on any machine."""

from pathlib import Path

import pytest
from tests.cli.harness import Shell

from fullproof.smt.backends import z3_question

MODEL = """\
machine: sfsm
name: m
inputs: {x: int, z: int}
outputs: {y: int}
initial: s
states:
  s:
    - {when: x > 3, then: y == 0, to: s}
    - {when: x <= 3, then: y == 1, to: s}
fault_domain:
  outputs: ["y ** 3 + x ** 3 + z ** 3 == 33"]
"""


@pytest.fixture(autouse=True)
def _few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """No number of steps that a test could wait for would decide these questions."""
    monkeypatch.setattr(z3_question, "STEPS", 20_000)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.yaml"
    path.write_text(MODEL)
    return path


def test_generate_ends_with_6_and_says_what_is_missing(fullproof: Shell, model: Path, tmp_path: Path) -> None:
    suite, again = tmp_path / "suite.jsonl", tmp_path / "again.jsonl"
    words = ("generate", model, "--method", "general")
    made = fullproof(*words, "-o", suite, "--json")
    assert made.code == 6
    assert made.json["guarantee"].startswith("Not proven: the solver could not decide whether ")
    assert "y ** 3" in made.json["guarantee"]
    assert fullproof(*words, "-o", again).code == 6
    assert suite.read_bytes() == again.read_bytes()


@pytest.mark.requirement("JUDGE-10")
def test_runs_of_such_a_suite_are_inconclusive(fullproof: Shell, model: Path, tmp_path: Path) -> None:
    suite, journal = tmp_path / "suite.jsonl", tmp_path / "run.sqlite"
    fullproof("generate", model, "--method", "general", "-o", suite)
    for words in (("--suite", suite), ("--method", "general")):
        ran = fullproof("run", model, *words, "--sut", f"model:{model}", "--journal", journal, "--json")
        assert (ran.code, ran.json["verdict"], ran.json["failed"]) == (6, "inconclusive", 0)
        assert ran.json["guarantee"].startswith("Not proven: ")
        judged = fullproof("judge", journal, "--json")
        assert (judged.code, judged.json["verdict"]) == (6, "inconclusive")
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(MODEL.replace("y == 1", "y == 2"))
    assert fullproof("run", model, "--suite", suite, "--sut", f"model:{wrong}").code == 1


def test_a_timeout_says_that_it_cut(fullproof: Shell, model: Path, tmp_path: Path) -> None:
    made = fullproof("generate", model, "--method", "general", "--timeout", 0, "-o", tmp_path / "s.jsonl", "--json")
    assert made.code == 6
    assert any("the clock cut the search short after 0 s" in note for note in made.json["notes"])
    listed = fullproof("classes", model, "--timeout", 0, "--json")
    assert (listed.code, "clock" in listed.json["undecided"][0]["reason"]) == (6, True)


def test_a_method_that_needs_not_know_comes_first(fullproof: Shell, tmp_path: Path) -> None:
    """Where ``separable`` can prove what it needs, ``auto`` takes it even if the general suite would be cheaper."""
    path = tmp_path / "model.yaml"
    path.write_text(MODEL.replace('== 33"', '== 33 and x > 3"'))
    made = fullproof("generate", path, "--json", "-o", tmp_path / "s.jsonl")
    proven = made.json["guarantee"].startswith("Every system")
    assert made.code == (0 if proven else 6)
    if fullproof("generate", path, "--method", "separable", "--json", "-o", tmp_path / "t.jsonl").code == 0:
        assert proven
