"""generate, run, simulate and demo from end to end."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import REFERENCE, ROOT

TURNSTILE = ROOT / "examples/turnstile/turnstile.yaml"
FAULTY = f"python:{ROOT / 'examples/turnstile/turnstile.py'}:Turnstile"
CARD = REFERENCE / "card-reader/card-reader.yaml"
SUMMARY = {"kind", "relation", "method", "states", "extra_states", "tests", "inputs", "guarantee", "seconds"}
RUN = {"verdict", "tests", "passed", "failed", "inconclusive", "errors", "steps", "resets", "coverage", "seconds"}


def test_generate_writes_a_suite_and_says_what_it_proves(fullproof: Shell, tmp_path: Path) -> None:
    suite = tmp_path / "suite.jsonl"
    ended = fullproof("generate", TURNSTILE, "--method", "w", "--extra-states", 1, "-o", suite, "--json")
    assert ended.code == 0
    assert set(ended.json) >= SUMMARY
    header, *tests = [json.loads(line) for line in suite.read_text().splitlines()]
    assert header["fullproof"] == "suite/1"
    assert header["guarantee"] == ended.json["guarantee"]
    assert "at most 3 states" in header["guarantee"]
    assert len(tests) == ended.json["tests"]
    assert sum(len(test["inputs"]) for test in tests) == ended.json["inputs"]
    words = [tuple(test["inputs"]) for test in tests]
    assert not any(a != b and b[: len(a)] == a for a in words for b in words)
    assert len({test["id"] for test in tests}) == len(tests)


def test_the_same_question_gives_the_same_bytes(fullproof: Shell, tmp_path: Path) -> None:
    for name in ("one", "two"):
        fullproof("generate", TURNSTILE, "--extra-states", 2, "-o", tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_without_a_file_the_suite_goes_to_standard_output(fullproof: Shell) -> None:
    ended = fullproof("generate", TURNSTILE, "--method", "w")
    assert all(json.loads(line) for line in ended.out.splitlines())
    assert "tests" in ended.err


def test_a_fault_beyond_the_bound_passes_and_within_it_fails(fullproof: Shell) -> None:
    passed = fullproof("run", TURNSTILE, "--sut", FAULTY, "--method", "w", "--extra-states", 0, "--json")
    assert (passed.code, passed.json["verdict"]) == (0, "pass")
    failed = fullproof("run", TURNSTILE, "--sut", FAULTY, "--method", "w", "--extra-states", 1, "--json")
    assert (failed.code, failed.json["verdict"]) == (1, "fail")
    assert set(failed.json) >= RUN
    first = failed.json["failures"][0]
    assert first["observed"] not in first["allowed"]
    assert set(first) >= {"test", "step", "input", "observed", "allowed"}


def test_the_console_shows_the_failing_step(fullproof: Shell) -> None:
    ended = fullproof("run", TURNSTILE, "--sut", FAULTY, "--method", "w", "--extra-states", 1)
    assert ended.out.startswith("FAIL")
    assert re.search(r"\d +\w+ +unlock +thanks", ended.out)


def test_a_suite_file_is_run_as_it_is(fullproof: Shell, tmp_path: Path) -> None:
    suite = tmp_path / "suite.jsonl"
    made = fullproof("generate", TURNSTILE, "--extra-states", 1, "-o", suite, "--json").json
    ended = fullproof("run", TURNSTILE, "--sut", f"model:{TURNSTILE}", "--suite", suite, "--json")
    assert (ended.code, ended.json["tests"], ended.json["steps"]) == (0, made["tests"], made["inputs"])


def test_a_suite_of_another_model_promises_nothing(fullproof: Shell, tmp_path: Path) -> None:
    suite, other = tmp_path / "suite.jsonl", tmp_path / "other.yaml"
    fullproof("generate", TURNSTILE, "-o", suite)
    other.write_text(TURNSTILE.read_text() + "# changed\n")
    ended = fullproof("run", other, "--sut", f"model:{other}", "--suite", suite)
    assert ended.code == 0
    assert "another version of the model" in ended.err
    assert "No guarantee" in ended.out


def test_a_suite_for_another_kind_is_refused(fullproof: Shell, tmp_path: Path) -> None:
    suite = tmp_path / "suite.jsonl"
    fullproof("generate", TURNSTILE, "-o", suite)
    ended = fullproof("run", REFERENCE / "brake/brake.yaml", "--sut", f"model:{TURNSTILE}", "--suite", suite)
    assert ended.code == 4
    assert "kind fsm" in ended.err


def test_stop_on_failure(fullproof: Shell) -> None:
    words = ("run", TURNSTILE, "--sut", FAULTY, "--method", "w", "--extra-states", 3, "--json")
    everything, first = fullproof(*words).json, fullproof(*words, "--stop-on-failure").json
    assert first["failed"] == 1 < everything["failed"]
    assert first["tests"] < everything["tests"]


def test_the_report_folder(fullproof: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "report"
    ended = fullproof("run", TURNSTILE, "--sut", FAULTY, "--extra-states", 1, "--report", folder, "--json")
    assert ended.code == 1
    page = (folder / "report.html").read_text()
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "https://" not in page
    cases = ET.parse(folder / "junit.xml").getroot().findall(".//testcase")
    assert len(cases) == ended.json["tests"]
    assert sum(case.find("failure") is not None for case in cases) == ended.json["failed"]
    report = json.loads((folder / "report.json").read_text())
    assert (report["verdict"], report["tests"]) == ("fail", ended.json["tests"])
    assert len((folder / "tests.csv").read_text().splitlines()) == ended.json["tests"] + 1


def test_names_that_look_like_markup_are_text_in_the_report(fullproof: Shell, tmp_path: Path) -> None:
    nasty = "<script>alert(1)</script>"
    model = tmp_path / "nasty.yaml"
    model.write_text(
        f"machine: fsm\nname: '{nasty}'\ninitial: s\nstates:\n"
        f"  s:\n    - {{when: '{nasty}', then: '[bold]&amp;', to: s}}\n"
    )
    ended = fullproof("run", model, "--sut", f"model:{model}", "--report", tmp_path / "r")
    assert ended.code == 0
    page = (tmp_path / "r/report.html").read_text()
    assert nasty not in page
    assert "&lt;script&gt;alert(1)" in page


def test_a_model_played_by_another_process_passes(fullproof: Shell) -> None:
    program = f"{sys.executable} -c 'from fullproof.cli import main; main()' simulate {TURNSTILE}"
    ended = fullproof("run", TURNSTILE, "--sut", f"exec:{program}", "--json")
    assert (ended.code, ended.json["verdict"]) == (0, "pass")


def test_strong_reduction_of_the_card_reader(fullproof: Shell) -> None:
    words = ("--relation", "strong-reduction", "--json")
    assert fullproof("generate", CARD, *words).json["tests"] == 473
    ended = fullproof("run", CARD, "--sut", f"model:{CARD}", *words)
    assert (ended.code, ended.json["passed"]) == (0, 473)


def test_the_example_models_come_from_the_command_line(fullproof: Shell, tmp_path: Path) -> None:
    ended = fullproof("demo", "--report", tmp_path, "--json")
    assert ended.code == 0
    assert (ended.json["good"]["verdict"], ended.json["faulty"]["verdict"]) == ("pass", "fail")
    assert Path(ended.json["report"]).is_file()


def _as_parameter(model: Path) -> object:
    long = [pytest.mark.slow] if model.parent.name == "state-machine" else []
    return pytest.param(model, id=model.stem, marks=long)


# The suite of figure 1 takes 20 s and is made in tests/pipeline/test_statemachine_suites.py.
@pytest.mark.parametrize(
    "model", [_as_parameter(path) for path in sorted(REFERENCE.glob("*/*.yaml")) if path.stem != "figure1"]
)
def test_generate_answers_or_refuses_every_model(fullproof: Shell, model: Path) -> None:
    ended = fullproof("generate", model, "--json")
    assert ended.code in (0, 4)
    assert (ended.code == 4) == ended.err.startswith("fullproof: ")
    assert ended.err.count("\n") <= 1


def test_simulate_answers_on_standard_output(tmp_path: Path) -> None:
    lines = '{"reset": true}\n{"input": "coin"}\nnonsense\n{"input": "push"}\n'
    done = subprocess.run(
        [sys.executable, "-c", "from fullproof.cli import main; main()", "simulate", str(TURNSTILE)],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers[:2] == [{"ready": True}, {"output": "unlock"}]
    assert "error" in answers[2]
    assert answers[3] == {"output": "lock"}


def test_a_run_makes_the_suite_that_its_options_ask_for(fullproof: Shell) -> None:
    folder = ROOT / "examples" / "statemachines"
    words = ("run", folder / "cruise-control.yaml", "--sut", f"python:{folder / 'cruise_control.py'}:CruiseControl")
    plain = json.loads(fullproof(*words, "--json").out)
    paved = json.loads(fullproof(*words, "--paving", "speed=100", "--degree", 1, "--json").out)
    assert (plain["verdict"], paved["verdict"]) == ("pass", "pass")
    assert paved["steps"] > plain["steps"]
