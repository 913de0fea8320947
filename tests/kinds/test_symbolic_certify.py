"""Suites of symbolic machines are decided for the fault domain that they, or else their models, name."""

import json
from pathlib import Path

import pytest

from fullproof.artefacts.questions import CertifyRequest
from fullproof.artefacts.request import SuiteRequest
from fullproof.pipeline.certification import certify_files
from fullproof.pipeline.suites import generate_for, write_generated

JOINED = """machine: sfsm
name: joined
inputs: {x: int 0..100}
outputs: {y: int}
initial: a
states:
  a: [{when: x < 50, then: y == 0, to: a}, {when: x >= 50, then: y == 0, to: a}]
fault_domain:
  guards: [x >= 10 and x <= 30, x >= 20 and x <= 40, x < 10 or x > 40]
  outputs: [y == (x - 15) * (x - 35)]
"""
MOVED = """machine: sfsm
name: moved
inputs: {x: int 0..100}
outputs: {y: int 0..100}
initial: a
states:
  a: [{when: x < 50, then: y == 0, to: a}, {when: x >= 50, then: y == x, to: a}]
"""


def asked(model: Path, suite: Path):
    (answer,) = certify_files(model, [suite], CertifyRequest())
    return answer.complete, answer.reason


@pytest.mark.requirement("CERTIFY-1")
def test_guards_that_overlap_may_belong_to_one_transition(tmp_path):
    """The wrong output is right at 15 and at 35, which no single guard has: with their disjunction it passes."""
    model, suite = tmp_path / "joined.yaml", tmp_path / "suite.jsonl"
    model.write_text(JOINED)
    generated = generate_for(model, SuiteRequest(method="local"), target=suite)
    write_generated(generated, suite, to_stdout=False)
    head, *tests = suite.read_text().splitlines()
    assert sum(len(json.loads(test)["inputs"]) for test in tests) < 5
    assert asked(model, suite)[0] is True  # no system of the domain refuses an input
    for inputs, complete in (([0, 9, 41, 60, 15, 35], False), ([0, 9, 41, 60, 15, 35, 25], True)):
        test = {"id": "t-1", "inputs": [{"x": x} for x in inputs], "covers": []}
        suite.write_text(f"{head}\n{json.dumps(test)}\n")
        assert asked(model, suite)[0] is complete


@pytest.mark.requirement("CERTIFY-1")
def test_the_domain_of_the_model_counts_where_a_suite_names_none(tmp_path):
    model, suite = tmp_path / "moved.yaml", tmp_path / "suite.txt"
    for domain, inputs, complete, said in (
        ("", "3\n97 3\n", True, "decided exactly"),
        ("thresholds: {x: 1}", "3\n97 3\n", None, "more than guards and outputs is not decided (x: 1)"),
        ("degree: 1", "3\n97 3\n", None, "more than guards and outputs is not decided (degree: 1)"),
        ("exclude: [{when: x >= 50, then: y == 0}]", "3\n97 3\n", True, "decided exactly"),
        ("exclude: [{when: x >= 50, then: y == 0}]", "3\n", None, "not decided (when x >= 50 then y == 0)"),
    ):
        model.write_text(f"{MOVED}fault_domain: {{{domain}}}\n" if domain else MOVED)
        suite.write_text(inputs)
        answer, reason = asked(model, suite)
        assert (answer, said in reason) == (complete, True), (domain, reason)
