"""Suites for state machines with timers on the command line: generate, certify, run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.harness import Shell

LAMP = """
machine: statemachine
name: lamp
signals: {in: [press], out: [bright, dim]}
initial: dark
states:
  dark: [{trigger: press, send: bright, to: lit}]
  lit:
    - {trigger: press, to: lit}
    - {after: 5 s, send: dim, to: dark}
"""


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@pytest.fixture
def lamp(tmp_path: Path) -> Path:
    path = tmp_path / "lamp.yaml"
    path.write_text(LAMP)
    return path


@pytest.fixture
def suite(shell: Shell, lamp: Path) -> Path:
    path = lamp.with_name("suite.jsonl")
    assert shell("generate", lamp, "-o", path).code == 0
    return path


def test_mutants_have_the_faults_of_timers_that_are_named(shell: Shell, lamp: Path) -> None:
    def operators(*options: str) -> set[str]:
        folder = lamp.with_name("-".join(("mutants", *options)).replace(",", "-"))
        return {one["operator"] for one in shell("mutate", lamp, *options, "-o", folder, "--json").json["mutants"]}

    assert operators() == {"duration", "start"}
    assert operators("--faults", "duration") == {"duration"}
    assert operators("--faults", "transfer,start") == {"start"}
    refused = shell("mutate", lamp, "--faults", "transfer", "-o", lamp.with_name("none"))
    assert (refused.code, "have faults of its timers: --faults duration,start" in refused.err) == (4, True)


def test_the_head_of_a_suite_names_its_domain_and_certify_decides_it(shell: Shell, lamp: Path, suite: Path) -> None:
    head = json.loads(suite.read_text().splitlines()[0])
    assert json.loads(head["faults"]) == {
        "faults": ["transfer", "output", "duration", "start"],
        "at_most": 2,
        "margin": "0.5 s",
        "tolerance": "1 s",
    }
    assert "wherever inputs keep 0.5 s away from its timeouts" in head["guarantee"]
    ended = shell("certify", lamp, suite)
    assert ended.code == 0
    assert "COMPLETE" in ended.out


def test_certify_names_what_a_suite_lets_pass(shell: Shell, lamp: Path, suite: Path) -> None:
    ended = shell("certify", lamp, suite, "--faults", "transfer,output,duration,start", "--extra-states", 1)
    assert ended.code == 1
    assert "wrong: " in ended.out
    assert not suite.with_suffix(".survivor.yaml").exists()
    wanted = suite.with_name("survivor.yaml")
    ended = shell(
        "certify", lamp, suite, "--faults", "transfer,output,duration,start", "--extra-states", 1, "-o", wanted
    )
    assert ended.code == 1
    assert "warning: no model is written: what is wrong in the machine that passes is said in words only" in ended.err
    assert not wanted.exists()


@pytest.mark.parametrize("wrong", ["4 s", "6 s", "50 s"])
def test_systems_with_other_times_fail(shell: Shell, lamp: Path, suite: Path, wrong: str) -> None:
    system = lamp.with_name("system.yaml")
    system.write_text(LAMP.replace("5 s", wrong))
    assert shell("run", lamp, "--suite", suite, "--sut", f"model:{system}").code == 1
    assert shell("run", lamp, "--suite", suite, "--sut", f"model:{lamp}").code == 0


def test_a_system_that_does_not_restart_its_timer_fails(shell: Shell, lamp: Path, suite: Path) -> None:
    system = lamp.with_name("system.yaml")
    system.write_text(LAMP.replace("{trigger: press, to: lit}", "{trigger: press, kind: internal}"))
    assert shell("run", lamp, "--suite", suite, "--sut", f"model:{system}").code == 1


def test_json_lists_the_timers(shell: Shell, lamp: Path, tmp_path: Path) -> None:
    words = ("--faults", "duration", "--margin", "200 ms", "--tolerance", "300 ms", "--json")
    found = json.loads(shell("generate", lamp, *words, "-o", tmp_path / "s.jsonl").out)
    assert found["timers"] == [{"name": "lit after 5 s", "seconds": 5.0, "periodic": False}]
    assert (found["margin"], found["tolerance"]) == (0.2, 0.3)
    assert found["faults"]["size"] == "4 machines"


def test_a_model_may_name_its_faults(shell: Shell, lamp: Path, tmp_path: Path) -> None:
    lamp.write_text(f"{LAMP}fault_domain: {{faults: [duration], margin: 1 s, tolerance: 2 s}}\n")
    found = json.loads(shell("generate", lamp, "--json", "-o", tmp_path / "s.jsonl").out)
    assert (found["margin"], found["tolerance"]) == (1.0, 2.0)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--margin", "5"), "--margin: '5' is not a duration"),
        (("--margin", "0 s"), "--margin must be above 0 s"),
        (("--margin", "3 s"), "the margin must be below half of the smallest time, 5 s"),
        (("--tolerance", "100 ms"), "the tolerance, 0.1 s, must exceed the margin, 0.5 s"),
        (("--faults", "durations"), "'durations' is no fault; did you mean 'duration'?"),
        (("--method", "paper"), "method 'paper' knows no time"),
        (("--since", "x.yaml"), "without timers alone"),
    ],
)
def test_mistakes_are_one_line(shell: Shell, lamp: Path, tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    ended = shell("generate", lamp, *words, "-o", tmp_path / "s.jsonl")
    assert ended.code == 4
    assert says in ended.err
    assert not (tmp_path / "s.jsonl").exists()


def test_models_without_timers_have_no_margin(shell: Shell, lamp: Path, tmp_path: Path) -> None:
    lamp.write_text(LAMP.replace("    - {after: 5 s, send: dim, to: dark}\n", ""))
    for words in (("--margin", "1 s"), ("--tolerance", "1 s"), ("--faults", "transfer,duration")):
        ended = shell("generate", lamp, *words, "-o", tmp_path / "s.jsonl")
        assert ended.code == 4
        assert "with timers" in ended.err


def test_the_end_of_time_gives_no_guarantee(shell: Shell, lamp: Path, tmp_path: Path) -> None:
    ended = shell("generate", lamp, "--timeout", "0", "-o", tmp_path / "s.jsonl")
    assert ended.code in (5, 6)
    assert "Every system" not in ended.out


def test_a_suite_kills_the_mutants_of_timers(shell: Shell, lamp: Path, suite: Path, tmp_path: Path) -> None:
    mutants = tmp_path / "mutants"
    assert shell("mutate", lamp, "-o", mutants).code == 0
    ended = shell("score", lamp, "--suite", suite, "--mutants", mutants)
    assert ended.code == 0
    assert "5 mutants: 5 killed, 0 conforming" in ended.out
    weak = lamp.with_name("weak.jsonl")
    head, test = suite.read_text().splitlines()[:2]
    short = json.loads(test)
    short["inputs"] = short["inputs"][:1]
    weak.write_text(f"{head}\n{json.dumps(short)}\n")
    assert "0 killed" in shell("score", lamp, "--suite", weak, "--mutants", mutants).out


def test_compare_shows_a_delay_after_which_two_machines_differ(shell: Shell, lamp: Path) -> None:
    other = lamp.with_name("other.yaml")
    other.write_text(LAMP.replace("5 s", "6 s"))
    ended = shell("compare", lamp, other)
    assert ended.code == 1
    assert "inputs:   trigger = press; advance 5.5 s" in ended.out
    assert "allowed at the last input: send dim" in ended.out
    assert "conforms to" in shell("compare", lamp, lamp).out


RACE = """
machine: statemachine
name: race
signals: {in: [x], out: [a, b]}
initial: idle
states:
  idle: [{trigger: x, to: busy}]
  busy:
    initial: calm
    transitions: [{after: 4 s, send: a, to: late}]
    states:
      calm: [{after: 2 s, to: tense}]
      tense: [{after: 2 s, send: b, to: early}]
  late: [{trigger: x, send: a, to: idle}]
  early: [{trigger: x, send: b, to: idle}]
"""


def test_a_guarantee_ends_where_timers_race_and_says_what_lies_behind(shell: Shell, lamp: Path, suite: Path) -> None:
    """Both timers expire after 4 s in any case: no test can tell which one should have won."""
    race = lamp.with_name("race.yaml")
    race.write_text(RACE)
    ended = shell("generate", race, "--faults", "duration", "-o", lamp.with_name("race.jsonl"))
    assert ended.code == 0
    assert "is equivalent to the model, up to races of timers, wherever inputs keep" in ended.out
    assert "note: the suite says nothing of late and early: reached only behind a race of timers" in ended.out
    other = lamp.with_name("other.yaml")
    other.write_text(RACE.replace("late: [{trigger: x, send: a", "late: [{trigger: x, send: b"))
    assert "up to races of timers" in shell("compare", race, other).out
    assert "races" not in shell("certify", lamp, suite).out + shell("generate", lamp, "-o", suite).out
