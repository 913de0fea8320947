"""Property runs: which properties a trace violates, and what that has to do with its verdict."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.execute.test_play import sfsm
from tests.oracles.ltl import holds
from tests.shared import REFERENCE

from fullproof.artefacts.execution import Columns, Execution
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import make_test
from fullproof.artefacts.verdict import Verdict, Violation
from fullproof.formats import read_model
from fullproof.judge import Summary
from fullproof.kinds import oracle_for
from fullproof.language import parse_formula
from fullproof.model.common import Property

BRAKE = read_model(REFERENCE / "brake" / "brake.yaml")
PROPERTIES = BRAKE.description.properties


def trace(*pairs, inputs=None, repetition=1):
    given = [{"x": Fraction(x)} for x, _ in pairs] if inputs is None else [{"x": Fraction(x)} for x in inputs]
    outputs = [{"y": Fraction(str(y))} for _, y in pairs]
    test = make_test(tuple(given), ())
    return Execution(test, Columns(test.inputs, outputs), repetition=repetition)


def oracle(model=BRAKE, properties=PROPERTIES):
    return oracle_for(model, Relation.PROPERTY, properties=properties)


def test_a_conforming_trace_passes_and_violates_nothing():
    judgement = oracle().judge(trace((201, "2.01"), (190, "1.9"), (0, 0)))
    assert judgement.verdict is Verdict.PASS
    assert judgement.violates == ()


def test_a_trace_that_violates_a_property():
    """Paper 000, section 2.6: 201 then 190 with output 0 violates R2 at its second step."""
    judgement = oracle().judge(trace((201, "2.01"), (190, 0)))
    assert judgement.verdict is Verdict.FAIL
    assert judgement.step == 2
    assert judgement.violates == (Violation(property="R2", step=2),)
    assert judgement.reason.startswith("violates R2 at step 2; no transition of the model")


def test_a_conformance_failure_that_violates_nothing():
    """Paper 000, section 2.6: 300 / 102 is wrong, and neither R1 nor R2 minds."""
    judgement = oracle().judge(trace((200, 1), (300, 102)))
    assert judgement.verdict is Verdict.FAIL
    assert judgement.violates == ()
    assert judgement.reason.endswith("no property asked for is violated: a conformance failure")


@pytest.mark.requirement("JUDGE-7")
def test_a_property_may_fall_after_the_first_wrong_step():
    wrong = trace((201, 0), (200, "2"), (190, 0), (0, 0))
    judgement = oracle().judge(wrong)
    assert judgement.step == 1
    assert judgement.violates == (Violation(property="R2", step=3),)
    story = oracle().story(wrong)
    assert [row.ok for row in story] == [False, True, False]
    assert story[1].allowed == ("(the model has no such trace)",)


def test_tests_go_on_after_a_wrong_step():
    steps = trace((201, 0), (200, 2)).steps
    watched = oracle().observer(make_test(steps.inputs, ()))
    plain = oracle_for(BRAKE, Relation.EQUIVALENCE).observer(make_test(steps.inputs, ()))
    for observer in (watched, plain):
        observer.sees(steps[0])
    assert watched.wants(steps.inputs[1])
    assert not plain.wants(steps.inputs[1])


def test_only_the_properties_asked_for_are_watched():
    assert oracle(properties=PROPERTIES[:1]).judge(trace((201, "2.01"), (190, 0))).violates == ()


@pytest.mark.requirement("JUDGE-7")
def test_a_model_that_allows_a_violation_does_not_excuse_it():
    ibrake = read_model(REFERENCE / "brake" / "ibrake.yaml")
    judgement = oracle(ibrake).judge(trace((201, "2.01"), (190, 0)))
    assert judgement.verdict is Verdict.FAIL
    assert judgement.violates == (Violation(property="R2", step=2),)


def test_a_tolerance_excuses_what_the_model_would_round():
    model = sfsm({"x": "real"}, {"y": "real ~ 0.1"}, ("s", "true", "y == x", "s"))
    stated = (Property(name="P", formula=parse_formula("G(y <= 1)")),)
    close = oracle(model, stated).judge(trace((1, "1.05")))
    assert close.verdict is Verdict.PASS
    assert oracle(model, stated).judge(trace((1, "1.5"))).violates == (Violation(property="P", step=1),)


def test_what_was_never_seen_is_a_conformance_failure():
    judge = oracle()
    summary = Summary(judge, repeat=2)
    for repetition in (1, 2):
        seen = trace((200, 0), repetition=repetition)
        summary.add(seen, judge.judge(seen))
    result = summary.result(seconds=0)
    assert result.verdict is Verdict.FAIL
    assert result.violations == {"R1": 0, "R2": 0}
    (failure,) = result.failures
    assert failure.violates == ()
    assert "never seen" in failure.reason
    assert "conformance failure" in failure.reason


def test_of_two_failing_repetitions_the_one_that_violates_a_property_is_told():
    judge = oracle()
    summary = Summary(judge, repeat=2)
    runs = [trace((201, "2.01"), (190, 7), repetition=1), trace((201, "2.01"), (190, 0), repetition=2)]
    for run in runs:
        summary.add(run, judge.judge(run))
    result = summary.result(seconds=0)
    assert result.violations == {"R1": 0, "R2": 1}
    assert result.failures[0].violates == (Violation(property="R2", step=2),)


_x = st.sampled_from([0, 100, 190, 195, 200, 201, 300])
_y = st.sampled_from(["0", "0.5", "1", "1.1", "1.5", "1.9", "2", "2.01", "3"])


@pytest.mark.requirement("JUDGE-7")
@given(st.lists(st.tuples(_x, _y), max_size=5))
@settings(max_examples=60, deadline=None)
def test_violations_are_bad_prefixes_by_the_definition(pairs):
    """R1 and R2 with names for their propositions, and all continuations of two letters for ever."""
    letters = [frozenset(name for name, holds_ in zip("abcd", signs, strict=True) if holds_) for signs in _signs(pairs)]
    formulas = {"R1": parse_formula("b W a"), "R2": parse_formula("G(c -> X(c or d))")}
    after = [frozenset("bcd"), frozenset("a"), frozenset()]
    found = {v.property: v.step for v in oracle().judge(trace(*pairs)).violates or ()}
    for name, formula in formulas.items():
        bad = [n for n in range(len(letters) + 1) if not any(holds(formula, letters[:n], [x]) for x in after)]
        assert found.get(name) == (bad[0] if bad else None)


def _signs(pairs):
    for x, text in pairs:
        y = Fraction(text)
        yield x > 200, y <= Fraction("1.1"), y >= Fraction("1.9"), x < 190


@pytest.mark.parametrize("relation", [Relation.EQUIVALENCE, Relation.REDUCTION])
def test_other_runs_say_nothing_of_properties(relation):
    assert oracle_for(BRAKE, relation).judge(trace((201, 0))).violates is None
