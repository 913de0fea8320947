"""What holds for a model of one kind holds for all: errors, requirements, formats, suites and reports."""

import json
from pathlib import Path

import pytest
from tests.cli.harness import Shell

LOOPING = """
machine: statemachine
name: looping
signals: {in: [a], out: []}
inputs: {x: int 0..5}
outputs: {y: int 0..5 = 0}
initial: s
states:
  s:
    - {trigger: a, when: x > 2, to: t}
    - {trigger: a, when: x <= 2, do: [y = x], to: s}
  t: [{to: u}]
  u: [{to: t}]
"""
LEAVING = """
machine: sts
name: leaving
variables: {n: int 0..3 = 0}
inputs: {up: {}}
outputs: {ok: {}}
initial: a
states:
  a: [{gate: up, set: {n: n + 1}, to: b}]
  b: [{gate: ok, to: a}]
"""
MUTE = """
machine: sfsm
name: mute
inputs: {x: int 0..9}
outputs: {y: int 0..9}
initial: s
states:
  s: [{when: x < 5, then: y == x, to: s}, {when: x >= 5, then: y == x + 5, to: s}]
"""


@pytest.mark.parametrize("text", [LOOPING, LEAVING, MUTE])
def test_run_says_what_check_says_of_a_model_with_errors(text: str, fullproof: Shell, tmp_path: Path) -> None:
    model = tmp_path / "model.yaml"
    model.write_text(text)
    checked = fullproof("check", model)
    assert (checked.code, "error [" in checked.out) == (1, True)
    ran = fullproof("run", model, "--sut", f"model:{model}", "--report", tmp_path / "report")
    assert (ran.code, ran.out) == (checked.code, checked.out)
    assert not (tmp_path / "report").exists()


DOOR = """
machine: statemachine
name: door
signals: {in: [push, lock], out: []}
inputs: {code: int 0..9}
outputs: {open: bool = false}
initial: shut
states:
  shut:
    - {trigger: push, do: [open = true], to: ajar, req: [opens]}
    - {trigger: lock, when: code == 7, to: locked, req: [locks]}
  ajar:
    - {trigger: push, do: [open = false], to: shut, req: [closes]}
  locked:
    - {trigger: lock, when: code == 7, to: middle, req: [unlocks]}
  middle:
    - {to: shut, req: [rests]}
requirements: {opens: A push opens., closes: It closes., locks: A code locks., unlocks: It unlocks., rests: Rest.}
"""


def test_tests_of_a_statemachine_carry_what_they_cover(fullproof: Shell, tmp_path: Path) -> None:
    model, suite = tmp_path / "door.yaml", tmp_path / "door.jsonl"
    model.write_text(DOOR)
    assert fullproof("generate", model, "-o", suite).code == 0
    tests = [json.loads(line) for line in suite.read_text().splitlines()[1:]]
    assert {name for test in tests for name in test["covers"]} == {"opens", "closes", "locks", "unlocks", "rests"}
    for test in tests:
        assert list(dict.fromkeys(_along_the_door(test["inputs"]))) == test["covers"]


def _along_the_door(events):
    state, code = "shut", 0
    for event in events:
        code, signal = event.get("code", code), event.get("trigger")
        if state == "shut" and signal == "push":
            state = "ajar"
            yield "opens"
        elif state == "ajar" and signal == "push":
            state = "shut"
            yield "closes"
        elif state == "shut" and signal == "lock" and code == 7:
            state = "locked"
            yield "locks"
        elif state == "locked" and signal == "lock" and code == 7:
            state = "shut"
            yield from ("unlocks", "rests")


TURNSTILE = """
machine: fsm
name: turnstile
initial: locked
states:
  locked: [{when: coin, then: unlock, to: open}, {when: push, then: stay, to: locked}]
  open: [{when: coin, then: stay, to: open}, {when: push, then: lock, to: locked}]
"""
LAMP = """
machine: statemachine
name: lamp
signals: {in: [press], out: []}
outputs: {lit: bool = false}
initial: dark
states:
  dark: [{trigger: press, do: [lit = true], to: bright}]
  bright: [{trigger: press, do: [lit = false], to: dark}]
"""


@pytest.mark.parametrize(
    ("text", "endings"),
    [
        (TURNSTILE, ["yaml", "yml", "json", "dot", "kiss2", "fsm", "csv", "mmd"]),
        (LAMP, ["json", "mmd", "scxml", "sysml"]),
    ],
)
def test_mutants_are_scored_in_every_format(text: str, endings, fullproof: Shell, tmp_path: Path) -> None:
    model, suite, folder = tmp_path / "model.yaml", tmp_path / "suite.jsonl", tmp_path / "mutants"
    model.write_text(text)
    assert fullproof("generate", model, "-o", suite).code == 0
    assert fullproof("mutate", model, "-o", tmp_path / "made", "--sample", len(endings)).code == 0
    folder.mkdir()
    made = sorted((tmp_path / "made").glob("*.yaml"))
    for mutant, ending in zip(made, endings, strict=True):
        target = folder / f"{ending}.{ending}"
        assert fullproof("convert", mutant, target).code == 0
    whole = fullproof("score", model, "--suite", suite, "--mutants", tmp_path / "made", "--json").json
    scored = fullproof("score", model, "--suite", suite, "--mutants", folder, "--json")
    assert {Path(name).name for name in scored.json["kills"]} == {f"{ending}.{ending}" for ending in endings}
    assert (scored.json["killed"], scored.json["conforming"]) == (whole["killed"], whole["conforming"])
