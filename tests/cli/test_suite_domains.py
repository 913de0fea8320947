"""The header of a suite for a symbolic machine carries its fault domain, and every reader takes it from there."""

import json
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import REFERENCE

from fullproof.formats.suite import write_lines

ALARM = REFERENCE / "alarm"
MODEL = """\
machine: sfsm
name: m
inputs: {x: int 0..9}
outputs: {y: int 0..9}
initial: s
states:
  s:
    - {when: x <= 4, then: y <= 5, to: s}
    - {when: x > 4, then: y == 7, to: s}
"""
WRONG_OUTPUT = MODEL.replace("y <= 5", "y < 5")
WRONG_GUARD = MODEL.replace("x <= 4", "x < 4").replace("x > 4", "x >= 4")


@pytest.fixture(params=["suite.jsonl", "suite.csv"])
def suite(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / str(request.param)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.yaml"
    path.write_text(MODEL)
    return path


def _system(tmp_path: Path, text: str) -> str:
    path = tmp_path / "system.yaml"
    path.write_text(text)
    return f"model:{path}"


def test_the_header_names_every_expression_that_the_claim_rests_on(fullproof: Shell, model: Path, tmp_path) -> None:
    suite = tmp_path / "suite.jsonl"
    assert fullproof("generate", model, "--mutate-outputs", "--mutate-guards", "-o", suite).code == 0
    domain = json.loads(suite.read_text().splitlines()[0])["domain"]
    assert {"x <= 4", "x > 4", "x < 4", "x >= 4"} <= set(domain["guards"])
    assert {"y <= 5", "y == 7", "y < 5"} <= set(domain["outputs"])
    assert (domain["states"], domain["single"], domain["undecided"]) == (1, False, [])
    assert fullproof("generate", ALARM / "alarm.yaml", "--property", "R1", "-o", suite).code == 0
    domain = json.loads(suite.read_text().splitlines()[0])["domain"]
    assert domain["properties"] == ["R1"]
    assert domain["propositions"]


@pytest.mark.parametrize("wrong", [WRONG_OUTPUT, WRONG_GUARD])
def test_a_suite_file_fails_what_its_domain_covers(
    fullproof: Shell, model: Path, suite: Path, tmp_path: Path, wrong: str
) -> None:
    """``compare`` refutes both systems; before, a run of the file passed the wrong output with the full guarantee."""
    system = _system(tmp_path, wrong)
    assert fullproof("compare", model, system.removeprefix("model:")).code == 1
    made = fullproof("generate", model, "--mutate-outputs", "--mutate-guards", "-o", suite, "--json")
    ran = fullproof("run", model, "--suite", suite, "--sut", system, "--repeat", 40, "--json")
    assert (ran.code, ran.json["verdict"]) == (1, "fail")
    right = fullproof("run", model, "--suite", suite, "--sut", f"model:{model}", "--repeat", 60, "--json")
    assert (right.code, right.json["guarantee"]) == (0, made.json["guarantee"])
    straight = fullproof("run", model, "--mutate-outputs", "--mutate-guards", "--sut", system, "--repeat", 40, "--json")
    assert straight.json["failures"] == ran.json["failures"]


@pytest.mark.requirement("JUDGE-3")
def test_judge_and_resume_see_the_same(fullproof: Shell, model: Path, suite: Path, tmp_path: Path) -> None:
    system, journal = _system(tmp_path, WRONG_OUTPUT), tmp_path / "run.sqlite"
    fullproof("generate", model, "--mutate-outputs", "-o", suite)
    words = ("run", model, "--suite", suite, "--sut", system, "--repeat", 40, "--journal", journal, "--json")
    ran = fullproof(*words)
    judged = fullproof("judge", journal, "--json")
    resumed = fullproof(*words, "--resume")
    assert (ran.code, judged.code, resumed.code) == (1, 1, 1)
    assert ran.json["failures"] == judged.json["failures"] == resumed.json["failures"]


def test_the_report_speaks_of_the_classes_of_the_suite(fullproof: Shell, model: Path, suite: Path, tmp_path) -> None:
    fullproof("generate", model, "--mutate-outputs", "-o", suite)
    fullproof("run", model, "--suite", suite, "--sut", f"model:{model}", "--repeat", 60, "--report", tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text()
    # y == 5 is told from the other y <= 5 by the derived y < 5 only
    assert "y == 5" in page


def test_score_holds_survivors_against_the_whole_domain(fullproof: Shell, model: Path, tmp_path: Path) -> None:
    """The killing test is taken away and the counts are made to fit: what survives lies in the domain or not."""
    suite, mutants = tmp_path / "suite.jsonl", tmp_path / "mutants"
    mutants.mkdir()
    (mutants / "mutant.yaml").write_text(WRONG_GUARD)
    for options, inside in (((), False), (("--mutate-guards",), True)):
        fullproof("generate", model, *options, "-o", suite)
        text = suite.read_text()
        kept = [line for line in text.splitlines() if '"x":4' not in line]
        header = json.loads(kept[0]) | {"tests": len(kept) - 1}
        header["inputs"] = sum(len(json.loads(line)["inputs"]) for line in kept[1:])
        write_lines(suite, [f"{line}\n" for line in (json.dumps(header), *kept[1:])])  # with a digest that fits
        scored = fullproof("score", model, "--suite", suite, "--mutants", mutants, "--json")
        survivors = scored.json["survivors"]
        assert [entry["in_fault_domain"] for entry in survivors] == [inside], options


@pytest.mark.requirement("JUDGE-10")
def test_without_a_domain_there_is_no_guarantee(fullproof: Shell, model: Path, tmp_path: Path) -> None:
    suite = tmp_path / "suite.jsonl"
    fullproof("generate", model, "-o", suite)
    head, *tests = suite.read_text().splitlines()
    header = json.loads(head)
    del header["domain"]
    suite.write_text("\n".join([json.dumps(header), *tests]) + "\n")
    ran = fullproof("run", model, "--suite", suite, "--sut", f"model:{model}", "--repeat", 40, "--json")
    assert ran.json["guarantee"].startswith("No guarantee: ")
    assert "does not name the fault domain" in ran.json["guarantee"]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("guards", "x > 1", "whose 'guards' is a list of texts"),
        ("guards", ["x >"], "the suite's fault domain has 'x >'"),
        ("guards", ["y > 1"], "the suite's fault domain has 'y > 1'"),
        ("outputs", ["z > 1"], "the suite's fault domain has 'z > 1'"),
        ("outputs", ["F(y > 1)"], "temporal"),
        ("states", -1, "whose 'states' is a whole number"),
        ("single", 1, "whose 'single' is true or false"),
    ],
)
def test_a_damaged_domain_is_one_line(fullproof: Shell, model: Path, tmp_path: Path, key, value, message) -> None:
    suite = tmp_path / "suite.jsonl"
    fullproof("generate", model, "-o", suite)
    head, *tests = suite.read_text().splitlines()
    header = json.loads(head)
    header["domain"][key] = value
    suite.write_text("\n".join([json.dumps(header), *tests]) + "\n")
    ran = fullproof("run", model, "--suite", suite, "--sut", f"model:{model}")
    assert ran.code == 4
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1


def test_options_of_another_domain_have_no_effect_on_a_file(fullproof: Shell, model: Path, tmp_path: Path) -> None:
    suite = tmp_path / "suite.jsonl"
    fullproof("generate", model, "-o", suite)
    words = ("run", model, "--suite", suite, "--sut", f"model:{model}", "--repeat", 40, "--mutate-outputs", "--json")
    assert any("--mutate-outputs has no effect" in note for note in fullproof(*words).json["notes"])


@pytest.mark.requirement("JUDGE-10")
def test_a_property_that_the_suite_does_not_claim_is_not_promised(fullproof: Shell, tmp_path: Path) -> None:
    suite, brake = tmp_path / "suite.jsonl", REFERENCE / "brake" / "brake.yaml"
    fullproof("generate", brake, "--property", "R1", "-o", suite)
    words = ("run", brake, "--suite", suite, "--sut", f"model:{brake}", "--repeat", 30, "--seed", 1, "--json")
    assert fullproof(*words, "--property", "R1").json["guarantee"].startswith("Every system")
    other = fullproof(*words, "--property", "R2").json["guarantee"]
    assert "generated for R1, and the run was judged for R2" in other
