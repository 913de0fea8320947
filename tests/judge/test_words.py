"""What was seen, in the words of the relation: what a grey box offers, what an sts expects, why a property is false."""

import json

import pytest
from tests.cli.harness import Shell
from tests.shared import ROOT

CARD_READER = ROOT / "tests" / "data" / "reference" / "card-reader" / "card-reader.yaml"
LAMP = """
machine: fsm
name: lamp
initial: dark
states:
  dark:
    - {when: press, then: on, to: lit}
  lit:
    - {when: press, then: off, to: dark}
    - {when: look, then: bright, to: lit}
"""
SCALE = """
machine: sfsm
name: scale
inputs: {x: int 0..9}
outputs: {y: int 0..9}
initial: s
states:
  s:
    - {when: x < 5, then: y == 0, to: s}
    - {when: x >= 5, then: y == 1, to: s}
properties: {P: G(y <= 1)}
"""
BUFFER = """
machine: sts
name: buffer
inputs: {put: {p: int 0..9}}
outputs: {get: {q: int 0..9}}
variables: {v: int 0..9 = 0}
initial: empty
states:
  empty:
    - {gate: put, set: {v: p}, to: full}
  full:
    - {gate: get, when: q == v, to: empty}
"""


@pytest.fixture
def report(tmp_path, capsys):
    """The report of a run of a model against a changed one, and what it printed."""

    def run(text: str, right: str, wrong: str, *options: str):
        assert right in text
        (tmp_path / "model.yaml").write_text(text)
        (tmp_path / "system.yaml").write_text(text.replace(right, wrong, 1))
        words = ("run", tmp_path / "model.yaml", "--sut", f"model:{tmp_path / 'system.yaml'}", *options)
        ended = Shell(capsys)(*words, "--report", tmp_path / "r")
        assert ended.code == 1, ended.err
        return json.loads((tmp_path / "r" / "report.json").read_text()), ended.out

    return run


def test_the_card_reader_offers_what_the_model_does_not_allow(report):
    again = "  PIN0:\n    - {when: ts.in.ok, then: ts.out.p, to: PIN0}\n"
    told, out = report(CARD_READER.read_text(), "  PIN0:\n", again, "--relation", "strong-reduction")
    first = told["groups"][0]
    assert first["title"] == "after `ts.in.ok`, the system offered ts.in.ok, which the model does not allow here"
    assert first["shortest"] == ["pr.A", "ci.in.v", "ts.in.ok"]
    assert len(told["groups"]) == 1
    failure = told["failures"][0]
    assert "offered ts.in.ok, which the model does not allow here" in failure["reason"]
    assert set(failure["observed"]) - {name for names in failure["allowed"] for name in names} == {"ts.in.ok"}
    assert "answers offers" not in out
    # What was done before a wrong offer counts.
    assert told["coverage"] == {"transitions": 27, "of": 42}


def test_a_lamp_does_not_offer_what_the_model_has(report):
    look = "    - {when: look, then: bright, to: lit}\n"
    told, out = report(LAMP, look, "", "--relation", "strong-reduction")
    assert [group["title"] for group in told["groups"]] == [
        "after `press`, the system did not offer look, which the model has here"
    ]
    assert told["groups"][0]["shortest"] == ["press"]
    assert told["coverage"] == {"transitions": 1, "of": 3}
    assert "(what is offered)" in out


def test_a_violated_property_is_said_with_its_step_and_its_atoms(report):
    told, out = report(SCALE, "y == 0", "y == 2", "--property", "P")
    (violation,) = told["failures"][0]["violates"]
    assert violation["formula"] == "G(y <= 1)"
    assert violation["atoms"] == {"y <= 1": False}
    assert f"P, that is G(y <= 1), is false from step {violation['step']} on: y <= 1 is false (x = " in violation["why"]
    assert violation["why"] in told["failures"][0]["reason"]
    assert "y <= 1 is false" in out


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        (
            "q == v",
            "q == v + 1 or (v == 9 and q == 0)",
            "the model does not allow this output here: expected get(",
        ),
        ("when: q == v", "when: q == v and v < 0", "an output must come: expected get("),
        ("    - {gate: put", "    - {gate: get, to: full}\n    - {gate: put", "this output here: expected silence"),
    ],
)
def test_an_sts_is_told_what_was_expected(report, right, wrong, reason):
    told, _ = report(BUFFER, right, wrong, "--timeout", "0.05")
    assert reason in told["failures"][0]["reason"]
