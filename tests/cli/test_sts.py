"""Symbolic transition systems on the command line."""

import json
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import REFERENCE

BRP = REFERENCE / "brp" / "brp.yaml"
EXAMPLE = REFERENCE / "sts-example" / "example.yaml"


def mutant(number: int) -> str:
    return f"model:{BRP.parent / f'mutant{number}.yaml'}"


def test_generate_counts_purposes_and_what_they_cover(fullproof: Shell, tmp_path: Path) -> None:
    target = tmp_path / "purposes.jsonl"
    ended = fullproof("generate", BRP, "--coverage", "switch", "--method", "switch", "-o", target, "--json")
    assert ended.code == 0
    found = ended.json
    assert (found["purposes"], found["inputs"], found["relation"]) == (6, 47, "ioco")
    assert found["coverage"] == {"criterion": "switch", "covered": 16, "of": 16, "unreachable": [], "beyond": []}
    header, *tests = [json.loads(line) for line in target.read_text().splitlines()]
    assert (header["kind"], header["method"]) == ("sts", "switch")
    assert sorted(len(test["inputs"]) for test in tests) == [1, 2, 4, 8, 14, 18]


def test_the_same_question_gives_the_same_purposes(fullproof: Shell, tmp_path: Path) -> None:
    for name in ("one", "two"):
        fullproof("generate", EXAMPLE, "--coverage", "boundary", "-o", tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_unreachable_goals_are_listed(fullproof: Shell, tmp_path: Path) -> None:
    ended = fullproof("generate", BRP, "--coverage", "switch-pair", "--json", "-o", tmp_path / "pairs.jsonl")
    assert len(ended.json["coverage"]["unreachable"]) == 9
    assert ended.json["notes"][0].startswith("proven unreachable: ")


def test_run_says_pass_fail_and_exit_codes(fullproof: Shell) -> None:
    right = fullproof("run", BRP, "--sut", f"model:{BRP}", "--json")
    assert (right.code, right.json["verdict"], right.json["coverage"]) == (0, "pass", {"transitions": 16, "of": 16})
    wrong = fullproof("run", BRP, "--sut", mutant(4), "--stop-on-failure", "--order", "longest", "--json")
    assert (wrong.code, wrong.json["verdict"], wrong.json["steps"]) == (1, "fail", 6)
    failure = wrong.json["failures"][0]
    assert failure["observed"][0] == "OFRAME"
    assert failure["allowed"] == ["OFRAME(0, 1, 0, 1)"]


def test_a_failing_run_is_drawn_as_a_sequence(fullproof: Shell) -> None:
    shown = fullproof("run", BRP, "--sut", mutant(1), "--stop-on-failure").out
    assert "tester" in shown
    assert "system" in shown
    lines = shown.splitlines()
    wrong = next(number for number, line in enumerate(lines) if line.endswith("<== not allowed"))
    assert "|<" in lines[wrong]
    assert lines[wrong + 1].strip() == "allowed: ONOK"
    outputs = [number for number, line in enumerate(lines) if "|<" in line]
    assert len(outputs) > 1
    assert all(lines[number + 1].startswith("          allowed: ") for number in outputs), "at each output"


def test_a_report_of_a_run_of_purposes(fullproof: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "report"
    fullproof("run", EXAMPLE, "--sut", f"model:{EXAMPLE}", "--report", folder, "--quiet")
    assert {path.suffix for path in folder.iterdir()} >= {".html", ".xml", ".json", ".csv"}
    assert "l0:inX" in (folder / "tests.csv").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--method", "wp"), "unknown method 'wp' for an sts"),
        (("--relation", "equivalence"), "ioco"),
        (("--sut", "nowhere:1"), "a model of kind sts takes python, exec"),
        (("--sut", "http://localhost:1"), "a model of kind sts takes python, exec"),
        (("--resume",), "--resume needs the journal"),
        (("--suite", "missing.jsonl"), "missing.jsonl"),
    ],
)
def test_bad_usage_is_one_line(fullproof: Shell, words: tuple[str, ...], message: str) -> None:
    given = words if "--sut" in words else ("--sut", f"model:{EXAMPLE}", *words)
    ended = fullproof("run", EXAMPLE, *given)
    assert ended.code == 4
    assert message in ended.err
    assert ended.err.count("\n") == 1


def test_random_has_no_suite(fullproof: Shell) -> None:
    ended = fullproof("generate", EXAMPLE, "--method", "random")
    assert (ended.code, "has no suite" in ended.err) == (4, True)


def test_a_model_without_switches_has_nothing_to_test(fullproof: Shell, tmp_path: Path) -> None:
    path = tmp_path / "empty.yaml"
    path.write_text("machine: sts\nname: empty\ninputs: {a: {}}\noutputs: {}\ninitial: l\nstates:\n  l: []\n")
    assert fullproof("generate", path).code == 5
