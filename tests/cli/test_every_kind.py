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
    assert (ran.code, ran.out) == (4, checked.out), "1 would say that the system fails"
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


STOCK = """
machine: sts
name: stock
variables: {x: int 0..100 = 0}
inputs: {put: {p: int 1..9}, count: {}}
outputs: {total: {p: int}, full: {}}
initial: shelf
states:
  shelf:
    - {gate: put, when: x <= 20, set: {x: x + p}, to: shelf, req: [stores]}
    - {gate: count, to: asked, req: [counts]}
    - {gate: full, when: x > 20, to: over}
  asked:
    - {gate: total, when: p == x, to: shelf, req: [counts]}
  over: []
requirements: {stores: It keeps what it is given., counts: It says how much., sleeps: It sleeps.}
"""


def test_the_report_of_an_sts_marks_what_was_taken_and_traces_requirements(fullproof: Shell, tmp_path: Path) -> None:
    model, wrong, report = tmp_path / "stock.yaml", tmp_path / "wrong.yaml", tmp_path / "report"
    model.write_text(STOCK)
    wrong.write_text(STOCK.replace("p == x,", "p == x + 1,"))
    words = ("--timeout", "0.1", "--report", report)
    ended = fullproof("run", model, "--sut", f"model:{model}", *words)
    assert ended.code == 0, ended
    rows = {
        row["requirement"]: row
        for row in json.loads((report / "report.json").read_text())["traceability"]["requirements"]
    }
    assert {name: row["standing"] for name, row in rows.items()} == {"stores": "met", "counts": "met", "sleeps": "gap"}
    assert rows["counts"]["transitions"] == ["shelf --count?--> asked", "asked --total! [p == x]--> shelf"]
    assert 0 < rows["stores"]["tests"] <= json.loads((report / "report.json").read_text())["tests"]
    assert (report / "report.html").read_text().count('class="fp-arrow fp-covered"') == 4  # 3 and the legend
    judged = fullproof("judge", report / "run.sqlite", "--report", tmp_path / "again", "--json")
    assert judged.json["coverage"] == {"transitions": 4, "of": 4}
    assert (tmp_path / "again" / "matrix.csv").read_text() == (report / "matrix.csv").read_text()

    assert fullproof("run", model, "--sut", f"model:{wrong}", *words, "--stop-on-failure").code == 1
    document = json.loads((report / "report.json").read_text())
    standing = {row["requirement"]: row["standing"] for row in document["traceability"]["requirements"]}
    assert standing["counts"] == "violated"
    assert "counts" in document["results"][0]["requirements"]
    page = (report / "report.html").read_text()
    assert page.count('role="img"') == 2, "the whole run, and the way of the failure"
    assert page.count('class="fp-arrow fp-marked"') >= 3
    assert 'class="fp-arrow fp-covered"' in page


@pytest.mark.parametrize(("text", "change"), [(TURNSTILE, ("open,", "open ,")), (STOCK, ("x <= 20", "x <= 19"))])
def test_a_suite_that_is_stale_or_was_cut_has_no_guarantee(text: str, change, fullproof: Shell, tmp_path: Path) -> None:
    model, other, suite = tmp_path / "model.yaml", tmp_path / "other.yaml", tmp_path / "suite.jsonl"
    model.write_text(text)
    other.write_text(text.replace(*change) + "\n# another version\n")
    assert fullproof("generate", model, "-o", suite, *(("--method", "switch") if text is STOCK else ())).code == 0
    run = ("--suite", suite, "--timeout", "0.1", "--json")
    whole = fullproof("run", model, "--sut", f"model:{model}", *run)
    assert "No guarantee" not in whole.json["guarantee"]
    stale = fullproof("run", other, "--sut", f"model:{other}", *run)
    assert stale.json["guarantee"].startswith("No guarantee: the suite was generated from another version of the model")
    header, *tests = suite.read_text().splitlines()
    known = {key: value for key, value in json.loads(header).items() if key != "digest"}
    suite.write_text("\n".join([json.dumps(known), *tests[:-1]]) + "\n")
    cut = fullproof("run", model, "--sut", f"model:{model}", *run)
    assert f"was generated with {len(tests)} tests, and the file holds {len(tests) - 1}" in cut.json["guarantee"]
