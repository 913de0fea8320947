"""``assume:`` in models of kind sfsm, through the commands."""

import io
import json
from pathlib import Path

import pytest
from tests.cli.harness import Shell

from fullproof.formats import read_model

LIMITER = """machine: sfsm
name: limiter
inputs: {lo: int 0..9, hi: int 0..9, x: int 0..9}
outputs: {y: int 0..9}
assume: [lo <= hi]
initial: s
states:
  s:
    - {when: x < lo, then: y == lo, to: s}
    - {when: x > hi, then: y == hi, to: s}
    - {when: lo <= x <= hi, then: y == x, to: s}
"""
ANYWHERE = LIMITER.replace("assume: [lo <= hi]\n", "")
WRONG_OUTSIDE = ANYWHERE.replace("when: x < lo,", "when: x < lo and lo <= hi,")
WRONG_INSIDE = LIMITER.replace("then: y == hi", "then: y == lo")


@pytest.fixture
def limiter(tmp_path: Path) -> Path:
    return _file(tmp_path, "limiter.yaml", LIMITER)


def _file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_guards_are_complete_and_exclusive_within_the_assumption(
    limiter: Path, fullproof: Shell, tmp_path: Path
) -> None:
    within = fullproof("check", limiter, "--json").json
    assert (within["deterministic"], within["complete"], within["findings"]) == (True, True, [])
    anywhere = fullproof("check", _file(tmp_path, "anywhere.yaml", ANYWHERE), "--json").json
    assert anywhere["deterministic"] is False


def test_an_assumption_that_rules_a_transition_out_is_a_finding(fullproof: Shell, tmp_path: Path) -> None:
    dead = _file(tmp_path, "dead.yaml", LIMITER.replace("[lo <= hi]", "[lo <= hi, x >= lo]"))
    (finding,) = fullproof("check", dead, "--json").json["findings"]
    assert finding["rule"] == "unsatisfiable-guard"
    assert "that keeps the assumptions" in finding["message"]


@pytest.mark.parametrize(
    ("assumed", "said"),
    [
        ("[lo <= hi, lo > hi]", "line 5, column 20: no input satisfies the assumption lo > hi together with those"),
        ("[lo > 9]", "line 5, column 10: no input satisfies the assumption lo > 9"),
        ("[y <= 9]", "line 5, column 10: 'y' is an output, an assumption may only refer to inputs"),
        ("[low <= hi]", "line 5, column 10: unknown name 'low'; did you mean 'lo'?"),
        ("[lo + hi]", "line 5, column 10: "),
        ("{lo: hi}", "line 5, column 9: assume should be a list"),
    ],
)
@pytest.mark.parametrize("command", ["check", "generate"])
def test_a_wrong_assumption_is_one_line_with_its_place(
    command: str, assumed: str, said: str, fullproof: Shell, tmp_path: Path
) -> None:
    ended = fullproof(command, _file(tmp_path, "wrong.yaml", LIMITER.replace("[lo <= hi]", assumed)))
    assert ended.code == 4
    assert said in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize("method", ["general", "separable", "abstraction", "local"])
def test_no_test_breaks_the_assumption_and_the_guarantee_names_it(method: str, limiter: Path, fullproof: Shell) -> None:
    suite = limiter.with_suffix(".suite")
    ended = fullproof("generate", limiter, "-o", suite, "--method", method, "--seed", "3", "--json")
    assert "its environment keeps lo <= hi" in ended.json["guarantee"]
    header, *tests = map(json.loads, suite.read_text().splitlines())
    assert header["domain"]["assumptions"] == ["lo <= hi"]
    inputs = [step for test in tests for step in test["inputs"]]
    assert inputs
    assert all(step["lo"] <= step["hi"] for step in inputs)
    assert fullproof("run", limiter, "--suite", suite, "--sut", f"model:{limiter}").code == 0


def test_systems_are_held_against_assumed_inputs_alone(limiter: Path, fullproof: Shell, tmp_path: Path) -> None:
    outside = _file(tmp_path, "outside.yaml", WRONG_OUTSIDE)
    inside = _file(tmp_path, "inside.yaml", WRONG_INSIDE)
    assert fullproof("compare", limiter, outside).code == 0
    assert fullproof("compare", _file(tmp_path, "anywhere.yaml", ANYWHERE), outside).code == 1
    told = fullproof("compare", limiter, inside, "--json")
    assert told.code == 1
    assert all(step["lo"] <= step["hi"] for step in told.json["counterexample"]["inputs"])
    assert fullproof("run", limiter, "--sut", f"model:{outside}").code == 0
    assert fullproof("run", limiter, "--sut", f"model:{inside}").code == 1


def test_an_input_outside_is_refused(
    limiter: Path, fullproof: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = b'{"input": {"lo": 3, "hi": 2, "x": 1}}\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line)))
    broken = "lo = 3, hi = 2 violates the assumption lo <= hi"
    assert (
        json.loads(fullproof("simulate", limiter).out)["error"] == f"the model does not take an input of which {broken}"
    )
    suite = tmp_path / "outside.suite"
    assert (
        fullproof("generate", _file(tmp_path, "anywhere.yaml", ANYWHERE), "-o", suite, "--method", "general").code == 0
    )
    ended = fullproof("run", limiter, "--suite", suite, "--sut", f"model:{limiter}")
    assert ended.code == 4
    assert "violates the assumption lo <= hi" in ended.err


@pytest.mark.parametrize("name", ["copy.yaml", "copy.json", "copy.mmd"])
def test_assumptions_are_written_and_read(name: str, limiter: Path, fullproof: Shell) -> None:
    copy = limiter.with_name(name)
    assert fullproof("convert", limiter, copy).code == 0
    assert read_model(copy).assumptions == read_model(limiter).assumptions


def test_mutants_keep_the_assumption(limiter: Path, fullproof: Shell, tmp_path: Path) -> None:
    folder, suite = tmp_path / "mutants", tmp_path / "limiter.suite"
    assert fullproof("mutate", limiter, "-o", folder).code == 0
    found = [path for path in folder.iterdir() if path.suffix == ".yaml"]
    assert found
    assert all(read_model(path).assumptions for path in found)
    assert fullproof("generate", limiter, "-o", suite).code == 0
    scored = fullproof("score", limiter, "--suite", suite, "--mutants", folder, "--json").json
    assert scored["survivors"] == []
