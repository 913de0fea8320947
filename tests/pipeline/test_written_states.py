"""Where no number of extra states is given, systems may have as many states as the model has as written."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.harness import Shell

from fullproof import pipeline
from fullproof.artefacts.notes import MeaningNote
from fullproof.artefacts.questions import CertifyRequest
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.artefacts.written_states import WrittenStates, reachable_states
from fullproof.formats import read_model
from fullproof.formats.table import write_model
from fullproof.kinds.suite import GeneratedSuite

FSM = """machine: fsm
name: twice
initial: a
states:
  a: [{when: x, then: '0', to: b}, {when: z, then: '0', to: a}]
  b: [{when: x, then: '1', to: c}, {when: z, then: '0', to: a}]
  c: [{when: x, then: '0', to: b}, {when: z, then: '0', to: a}]
  lost: [{when: x, then: '9', to: b}, {when: z, then: '0', to: a}]
"""
PARTIAL = FSM.replace(", {when: z, then: '0', to: a}]", "]").replace("  lost: [{when: x, then: '9', to: b}]\n", "")
SFSM = """machine: sfsm
name: twice
inputs: {x: int 0..9}
outputs: {y: int}
initial: a
states:
  a: [{when: x < 5, then: y == 0, to: b}, {when: x >= 5, then: y == 0, to: a}]
  b: [{when: x < 5, then: y == 1, to: c}, {when: x >= 5, then: y == 0, to: a}]
  c: [{when: x < 5, then: y == 0, to: b}, {when: x >= 5, then: y == 0, to: a}]
"""
STATEMACHINE = """machine: statemachine
name: twice
signals: {in: [go, back], out: [high]}
initial: a
states:
  a: [{trigger: go, to: b}]
  b: [{trigger: go, send: [high], to: c}, {trigger: back, to: a}]
  c: [{trigger: go, to: b}, {trigger: back, to: a}]
"""
MODELS = {"fsm": FSM, "partial": PARTIAL, "sfsm": SFSM, "statemachine": STATEMACHINE}
GIVEN = "fault_domain: {extra_states: 0}\n"


def _written(folder: Path, text: str) -> Path:
    path = folder / "twice.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def _said(suite: GeneratedSuite) -> list[str]:
    """The notes on the states as written, which are always printed."""
    return [note for note in suite.notes if isinstance(note, MeaningNote) and note.startswith("your model has ")]


@pytest.mark.parametrize("name", MODELS)
def test_the_default_covers_systems_with_as_many_states_as_the_model(name: str, tmp_path: Path) -> None:
    suite = pipeline.generate_for(_written(tmp_path, MODELS[name]), SuiteRequest())
    assert (suite.states, suite.header.extra_states) == (2, 1)
    sentence = suite.header.guarantee.sentence
    assert "at most 3 states" in sentence and "(2 of the minimal model + 1 extra)" in sentence
    (note,) = _said(suite)
    assert note == (
        "your model has 3 states, 2 of them distinguishable; --extra-states 1 covers systems with as many states as "
        "you wrote, and is the default"
    )


@pytest.mark.parametrize("name", MODELS)
def test_a_number_that_is_given_stays(name: str, tmp_path: Path) -> None:
    for text, request in ((MODELS[name], SuiteRequest(extra_states=0)), (MODELS[name] + GIVEN, SuiteRequest())):
        suite = pipeline.generate_for(_written(tmp_path, text), request)
        assert suite.header.extra_states == 0
        assert any("--extra-states 0 does not" in note for note in suite.notes)
    enough = pipeline.generate_for(_written(tmp_path, MODELS[name]), SuiteRequest(extra_states=1))
    assert not _said(enough)


def test_a_given_zero_survives_conversion(tmp_path: Path) -> None:
    for ending in ("yaml", "json"):
        model = read_model(_written(tmp_path, FSM + GIVEN))
        write_model(model, tmp_path / f"again.{ending}")
        assert read_model(tmp_path / f"again.{ending}").description.fault_domain.extra_states == 0


def test_states_that_cannot_be_reached_do_not_count(tmp_path: Path) -> None:
    assert reachable_states(read_model(_written(tmp_path, FSM))) == {"a", "b", "c"}


def test_a_default_is_not_for_large_suites(tmp_path: Path) -> None:
    """Ten states that are all alike: words of ten inputs would have to be tried."""
    ring = "\n".join(
        f"  s{k}: [" + ", ".join(f"{{when: i{i}, then: o, to: s{(k + 1) % 10}}}" for i in range(4)) + "]"
        for k in range(10)
    )
    path = _written(tmp_path, f"machine: fsm\nname: ring\ninitial: s0\nstates:\n{ring}\n")
    suite = pipeline.generate_for(path, SuiteRequest())
    assert (suite.states, suite.header.extra_states) == (1, 0)
    (note,) = _said(suite)
    assert note.endswith("as many states as you wrote; the default is 0, since that suite would be large")
    assert WrittenStates(written=4, distinguishable=1, inputs=4).default == 3
    assert WrittenStates(written=10**9, distinguishable=1, inputs=1).default == 0


def test_what_makes_the_default_impossible_is_said(tmp_path: Path) -> None:
    """Tests of the suite without extra states are short enough, those of the default are not."""
    path = _written(tmp_path, SFSM)
    plain = pipeline.generate_for(path, SuiteRequest(extra_states=0, method="separable", fsm_method="hsi"))
    longest = max(len(test.inputs) for test in plain.tests())
    asked = SuiteRequest(method="separable", fsm_method="hsi", max_length=longest)
    suite = pipeline.generate_for(path, asked)
    assert suite.header.extra_states == 0
    assert any("the default is 0, since" in note and "--max-length" in note for note in suite.notes)


def test_certify_takes_the_same_default(tmp_path: Path) -> None:
    """A suite for two states misses a machine with three, which the default asks about."""
    path = _written(tmp_path, FSM)
    small = pipeline.generate_for(path, SuiteRequest(extra_states=0))
    plain = tmp_path / "plain.txt"
    plain.write_text("".join(" ".join(map(str, test.inputs)) + "\n" for test in small.tests()), encoding="utf-8")
    (found,) = pipeline.certify_files(path, [plain], CertifyRequest())
    assert found.complete is False
    assert found.notes and "and is the default" in found.notes[0]
    (asked,) = pipeline.certify_files(path, [plain], CertifyRequest(extra_states=0))
    assert asked.complete is True
    target = tmp_path / "suite.jsonl"
    pipeline.write_generated(pipeline.generate_for(path, SuiteRequest()), target, to_stdout=False)
    (whole,) = pipeline.certify_files(path, [target], CertifyRequest())
    assert whole.complete is True


def test_check_and_adaptive_runs_say_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _written(tmp_path, FSM)
    fullproof = Shell(capsys)
    findings = fullproof("check", path, "--json").json["findings"]
    (said,) = [one["message"] for one in findings if one["rule"] == "written-states"]
    assert said.startswith("your model has 3 states, 2 of them distinguishable; --extra-states 1 covers")
    asked = ("--adaptive", "--relation", Relation.REDUCTION.value, "--json")
    run = fullproof("run", path, "--sut", f"model:{path}", *asked).json
    assert "at most 3 states" in run["guarantee"]
    assert any("and is the default" in note for note in run["notes"])
