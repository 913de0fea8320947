"""One wrong option, one sentence: from the command line, from pytest and from the workbench."""

from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.serve.bench import Bench, model

import fullproof
from fullproof.artefacts.options import from_options, options_of
from fullproof.artefacts.request import RunRequest, SuiteRequest
from fullproof.cli.app import COMMANDS
from fullproof.core.errors import UserError
from fullproof.serve.messages import RunQuestion
from fullproof.testing.current_test import running
from fullproof.testing.suites import suite

MODEL = """machine: fsm
name: door
initial: shut
states:
  shut: [{when: push, then: moves, to: open}, {when: look, then: shut, to: shut}]
  open: [{when: push, then: moves, to: shut}, {when: look, then: open, to: open}]
"""
WRONG = [
    ({"extra_states": -1}, "--extra-states must be >= 0, got -1"),
    ({"extra_states": "many"}, "--extra-states must be a whole number, got 'many'"),
    ({"extra_states": "1.5"}, "--extra-states must be a whole number, got '1.5'"),
    ({"repeat": 0}, "--repeat must be >= 1, got 0"),
    ({"timeout": 0.0}, "--timeout must be >= 0.001, got 0.0"),
    ({"step_timeout": "soon"}, "--step-timeout must be a number, got 'soon'"),
    ({"reset_cost": "nan"}, "--reset-cost must be a number, got 'nan'"),
    ({"relation": "equivalense"}, "--relation: unknown value 'equivalense'; did you mean 'equivalence'?"),
    ({"domain": "states+"}, "--domain: unknown value 'states+'; did you mean 'states'?"),
    ({"order": "backwards"}, "--order: unknown value 'backwards'; expected one of auto, longest, shortest"),
    ({"exta_states": 1}, "unknown option --exta-states; did you mean '--extra-states'?"),
    (
        {"share_prefixes": True, "repeat": 2},
        "--share-prefixes answers from memory what is known: it cannot be combined with --repeat",
    ),
    (
        {"adaptive": True, "until_seen": True},
        "--adaptive chooses each input by what one run has seen: not with --until-seen",
    ),
    (
        {"adaptive": True, "share_prefixes": True},
        "--adaptive chooses each input by what one run has seen: not with --share-prefixes",
    ),
]
OF_THE_MODEL = [
    ({"property": ["R1"]}, "--property is for models of kind sfsm"),
    ({"threshold": ["x=1"]}, "--threshold is for models of kind sfsm"),
    (
        {"method": "hh"},
        "unknown method 'hh' for the equivalence of finite machines; did you mean 'h'? "
        "expected one of w, wp, hsi, hads, h, spy, spyh, walks, auto",
    ),
    ({"method": "h", "domain": "k-A"}, "suites of method 'h' are not complete for --domain k-A"),
]


def words(options: dict[str, object]) -> list[str]:
    """The options as a command line."""
    found = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        found += [flag] if value is True else [flag, *value] if isinstance(value, list) else [flag, str(value)]
    return found


@pytest.fixture
def fullproof_(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@pytest.fixture
def door(tmp_path: Path) -> Path:
    path = tmp_path / "door.yaml"
    path.write_text(MODEL)
    return path


@pytest.mark.parametrize(("options", "sentence"), WRONG, ids=lambda value: value if isinstance(value, str) else "")
def test_wrong_options(bench: Bench, fullproof_: Shell, door: Path, options: dict[str, object], sentence: str) -> None:
    ended = fullproof_("run", door, "--sut", "model:x.yaml", *words(options))
    assert (ended.code, ended.err) == (4, f"fullproof: {sentence}\n")
    with pytest.raises(UserError) as refused:
        fullproof.suite(door, sut=object, **options)
    assert str(refused.value) == sentence
    answer = bench.ask("runs", {**model(MODEL), "system": "good", **options})
    assert (answer.status, answer.json["message"]) == (422, sentence)


@pytest.mark.parametrize(("options", "sentence"), OF_THE_MODEL, ids=lambda v: v if isinstance(v, str) else "")
def test_options_that_are_wrong_for_a_model(
    bench: Bench, fullproof_: Shell, door: Path, options: dict[str, object], sentence: str
) -> None:
    assert fullproof_("run", door, "--sut", f"model:{door}", *words(options)).err.endswith(f": {sentence}\n")
    with pytest.raises(UserError) as refused, running(None):
        fullproof.suite(door, sut=object, **options).bench(door.parent)
    assert refused.value.message == sentence
    answer = bench.ask("cost", {**model(MODEL), **options})
    assert (answer.status, answer.json["message"]) == (422, sentence)


def test_every_option_is_known_to_every_front_end() -> None:
    """By its name with underscores and by that of its field; what a front end withholds, it withholds by name."""
    for name, one in options_of(RunRequest).items():
        value = one.choices[0] if one.choices else {bool: True, int: 3, float: 3.0}.get(one.type, "x=1")
        resumed = name == "allow-changed-system"  # which goes with --resume
        given = {"sut": "", "report": "out", "resume": resumed, name.replace("-", "_"): value}
        made = from_options(RunRequest, given)
        held = getattr(made, one.part) if one.part else made
        assert getattr(held, one.field) == one.read(value), name
        withheld = name in RunQuestion.withheld | RunQuestion.fixed.keys()
        assert (name in RunQuestion.known()) is not withheld
    assert set(options_of(SuiteRequest)) - set(options_of(RunRequest)) == {"shrink"}


def test_pytest_takes_the_options_of_run_by_their_names() -> None:
    with running(None):
        options = {"observe": "state", "until_seen": True, "timeout": 2, "threshold": "x=1"}
        made = suite("door.yaml", sut="python:x.py:X", **options).request
    assert made.until_seen
    assert made.silence == 2
    assert made.suite.thresholds == ("x=1",)
    with pytest.raises(UserError, match=r"--jobs is for fullproof run: pytest runs the tests of a suite one by one"):
        suite("door.yaml", sut=object, jobs=2)


def test_the_workbench_allows_less(bench: Bench) -> None:
    answer = bench.ask("cost", {**model(MODEL), "extra_states": 21})
    assert (answer.status, answer.json["message"]) == (422, "--extra-states must be <= 20, got 21")
    for name in ("jobs", "journal", "cluster", "isolate", "sut"):
        answer = bench.ask("runs", {**model(MODEL), "system": "good", name: "x"})
        assert answer.status == 422
        assert answer.json["message"].startswith(f"unknown option --{name}")


def test_the_interface_describes_the_options(bench: Bench) -> None:
    described = bench.get("/api/openapi.json").json["components"]["schemas"]["RunQuestion"]["properties"]
    assert described["extra_states"]["minimum"] == 0
    assert described["extra_states"]["maximum"] == 20
    assert "reduction" in described["relation"]["enum"]
    assert described["properties"]["items"]["type"] == "string"
    assert "options" not in described


def test_commands_have_names_of_their_own() -> None:
    assert len({command.name for command in COMMANDS}) == len(COMMANDS)
