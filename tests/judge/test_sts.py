"""ioco with quiescence: what is a fault, what is not, and what cannot be decided."""

import pytest

from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.artefacts.execution import Execution, Received, Sent, Silence
from fullproof.artefacts.suite import make_test
from fullproof.artefacts.verdict import Verdict
from fullproof.formats import read_model
from fullproof.judge.sts import StsOracle

MODEL = """
machine: sts
name: server
variables: {last: int = 0}
inputs: {ask: {p: int}, poll: {}, stop: {}}
outputs: {answer: {q: int}, log: {}, measure: {y: real 0..10 ~ 0.01}, busy: {}}
initial: idle
states:
  idle:
    - {gate: ask, when: p > 0, set: {last: p}, to: must}
    - {gate: poll, to: may}
    - {gate: log, when: last > 3, to: logged}
  must:
    - {gate: answer, when: q == last, to: idle}
    - {gate: answer, when: q > last, set: {last: q}, to: must}
    - {gate: measure, when: 10 * y == last, to: idle}
  may:
    - {gate: busy, when: last > 0, to: idle}
    - {gate: stop, to: idle}
  logged:
    - {gate: stop, to: idle}
"""


@pytest.fixture
def oracle(tmp_path) -> StsOracle:
    path = tmp_path / "server.yaml"
    path.write_text(MODEL)
    return StsOracle(StsSemantics(read_model(path)))


def verdict(oracle: StsOracle, *events, reached=True, synchronous=True, error=None):
    conversation = Execution(
        test=make_test(["x"]), events=events, reached=reached, synchronous=synchronous, error=error, reason="left it"
    )
    return oracle.judge(conversation)


def test_an_output_that_is_allowed_passes(oracle: StsOracle) -> None:
    found = verdict(oracle, Sent("ask", (2,)), Received("answer", (2,)))
    assert found.verdict is Verdict.PASS
    assert found.exercised == {0, 3}


@pytest.mark.requirement("JUDGE-1")
def test_a_wrong_value_fails_and_says_what_was_allowed(oracle: StsOracle) -> None:
    found = verdict(oracle, Sent("ask", (2,)), Received("answer", (1,)))
    assert (found.verdict, found.step, found.input) == (Verdict.FAIL, 2, ["ask", [2]])
    assert found.observed == ["answer", [1]]
    assert found.allowed == (
        "answer(2)",
        "answer(q) with q > 2",
        "measure(y) with 10 * y == 2",
    )


@pytest.mark.requirement("JUDGE-1")
def test_silence_fails_where_an_output_must_come(oracle: StsOracle) -> None:
    found = verdict(oracle, Sent("ask", (2,)), Silence())
    assert (found.verdict, found.observed) == (Verdict.FAIL, "silence")
    assert "stays silent" in found.reason


def test_silence_passes_where_it_may_be(oracle: StsOracle) -> None:
    assert verdict(oracle, Silence(), Sent("poll"), Silence()).verdict is Verdict.PASS


def test_silence_fails_once_a_variable_makes_an_output_possible(oracle: StsOracle) -> None:
    events = (Sent("ask", (1,)), Received("answer", (1,)), Sent("poll"), Silence())
    assert verdict(oracle, *events).verdict is Verdict.FAIL


def test_a_purpose_that_was_left_is_inconclusive(oracle: StsOracle) -> None:
    found = verdict(oracle, Sent("poll"), Silence(), reached=False)
    assert (found.verdict, found.reason) == (Verdict.INCONCLUSIVE, "left it")


def test_what_is_no_label_of_the_model_fails(oracle: StsOracle) -> None:
    for event in (
        Received("ask", (1,)),
        Received("shout", ()),
        Received("answer", ()),
        Received("answer", ("two",)),
        Received("measure", (11,)),
    ):
        assert verdict(oracle, Sent("ask", (2,)), event).verdict is Verdict.FAIL


@pytest.mark.requirement("JUDGE-8")
def test_a_fault_counts_even_where_the_system_broke_down_afterwards(oracle: StsOracle) -> None:
    assert verdict(oracle, Received("busy"), error="died").verdict is Verdict.FAIL
    assert verdict(oracle, Sent("poll"), error="died").verdict is Verdict.ERROR


def test_values_within_the_tolerance_are_right(oracle: StsOracle) -> None:
    from fractions import Fraction

    near, far = Fraction(205, 1000), Fraction(22, 100)
    assert verdict(oracle, Sent("ask", (2,)), Received("measure", (near,))).verdict is Verdict.PASS
    assert verdict(oracle, Sent("ask", (2,)), Received("measure", (far,))).verdict is Verdict.FAIL


def test_outputs_that_cross_an_input_are_no_fault(oracle: StsOracle) -> None:
    before = (Sent("ask", (5,)), Received("answer", (5,)))
    crossing = (*before, Sent("poll"), Received("log"))
    assert verdict(oracle, *crossing, synchronous=True).verdict is Verdict.FAIL
    assert verdict(oracle, *crossing, synchronous=False, reached=False).verdict is Verdict.INCONCLUSIVE


def test_an_input_that_nothing_takes_leaves_everything_open(oracle: StsOracle) -> None:
    found = verdict(oracle, Sent("stop"), Received("busy"), reached=False)
    assert (found.verdict, found.reason) == (Verdict.INCONCLUSIVE, "the model does not take stop here")


def test_coverage_counts_only_what_one_run_explains(tmp_path) -> None:
    path = tmp_path / "two.yaml"
    path.write_text(
        "machine: sts\nname: two\ninputs: {a: {}}\noutputs: {x: {}}\ninitial: l\n"
        "states:\n  l:\n    - {gate: a, to: m}\n    - {gate: a, to: n}\n"
        "  m:\n    - {gate: x, to: l}\n  n: []\n"
    )
    oracle = StsOracle(StsSemantics(read_model(path)))
    assert verdict(oracle, Sent("a")).exercised == frozenset()
    assert verdict(oracle, Sent("a"), Received("x")).exercised == {0, 2}
    assert verdict(oracle, Sent("a"), Silence()).exercised == {1}
