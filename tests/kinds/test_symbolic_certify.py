"""Suites of symbolic machines are decided for the fault domain that they, or else their models, name."""

import json
from pathlib import Path

import pytest

from fullproof.artefacts.questions import CertifyRequest, CompareRequest
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.core.errors import UserError
from fullproof.pipeline.certification import certify_files
from fullproof.pipeline.comparison import compare_files
from fullproof.pipeline.suites import generate_for, write_generated
from fullproof.smt.second_answers import SecondAnswer
from fullproof.smt.smt_lib import second_answer

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


STATED = f"{MOVED}properties: {{LOW: 'G(x < 50 -> y == 0)', SAME: 'G(x >= 50 -> y == x)'}}\n"


@pytest.mark.requirement("CERTIFY-1")
def test_a_suite_from_any_source_is_decided_for_properties_by_name(tmp_path):
    model, suite = tmp_path / "stated.yaml", tmp_path / "suite.txt"
    model.write_text(STATED)
    suite.write_text("3\n")
    complete = {}
    for names in (("LOW",), ("SAME",), ("LOW", "SAME")):
        (answer,) = certify_files(model, [suite], CertifyRequest(properties=names))
        complete[names] = answer.complete
        assert answer.complete or f"violates {names[-1]}" in answer.reason
    assert complete == {("LOW",): True, ("SAME",): False, ("LOW", "SAME"): False}
    for request, said in (
        (CertifyRequest(properties=("LOWER",)), "unknown property 'LOWER'"),
        (CertifyRequest(properties=("LOW",), relation=Relation.REDUCTION), "--property asks for --relation property"),
    ):
        with pytest.raises(UserError, match=said):
            certify_files(model, [suite], request)
    model.write_text(MOVED)
    with pytest.raises(UserError, match="there is none"):
        certify_files(model, [suite], CertifyRequest(relation=Relation.PROPERTY))


@pytest.mark.requirement("CERTIFY-1", "CERTIFY-2")
def test_suites_for_reductions_are_decided(tmp_path):
    model, suite = tmp_path / "loose.yaml", tmp_path / "suite.jsonl"
    model.write_text(MOVED.replace("then: y == x,", "then: y >= x,"))
    write_generated(
        generate_for(model, SuiteRequest(relation=Relation.REDUCTION), target=suite), suite, to_stdout=False
    )
    complete, reason = asked(model, suite)
    assert complete is True
    assert "is not a reduction" in reason
    suite.write_text(f"{suite.read_text().splitlines()[0]}\n")
    survivor = tmp_path / "survivor.yaml"
    (answer,) = certify_files(model, [suite], CertifyRequest(target=survivor))
    assert answer.complete is False
    assert not compare_files(model, survivor, CompareRequest(relation=Relation.REDUCTION)).conforms


@pytest.mark.requirement("CERTIFY-3")
def test_a_second_solver_is_not_asked_questions_with_quantifiers(tmp_path):
    pytest.importorskip("cvc5")
    model, suite = tmp_path / "moved.yaml", tmp_path / "suite.txt"
    model.write_text(MOVED)
    suite.write_text("3\n97 3\n")
    request = CertifyRequest(relation=Relation.QUASI_REDUCTION, second_solver=tmp_path / "smt")
    (answer,) = certify_files(model, [suite], request)
    assert answer.complete is None
    assert "quantifiers" in answer.reason


def test_a_second_solver_decides_nonlinear_questions():
    pytest.importorskip("cvc5")
    text = (
        "(set-logic ALL)(declare-fun x () Real)(declare-fun y () Real)(assert (< 190.0 x 200.0))"
        "(assert (= y (+ 2.0 (/ (- x 200.0) 100.0))))(assert (= y (+ 2.0 (/ (* (- x 200.0) (- x 200.0)) 100.0))))"
        "(check-sat)"
    )
    assert second_answer(text, seconds=20) is SecondAnswer.UNSOLVABLE
    assert second_answer(text.replace("200.0))(", "201.0))("), seconds=20) is SecondAnswer.SOLVABLE
    assert second_answer(text.replace("(< 190.0", "(<< 190.0"), seconds=20) is SecondAnswer.UNKNOWN
