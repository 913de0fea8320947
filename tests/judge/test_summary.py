import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.execute.lamp import LAMP
from tests.oracles.verdicts import answers
from tests.shared import REFERENCE
from tests.strategies.small_fsms import INPUTS, OUTPUTS, STATES, words

from fullproof.artefacts.execution import Columns, Execution
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import make_test
from fullproof.artefacts.verdict import BAD, Verdict
from fullproof.formats import read_model
from fullproof.judge import Summary
from fullproof.judge.summary import worst
from fullproof.kinds import oracle_for
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

M_EX = read_model(REFERENCE / "m-ex" / "m-ex.yaml")


def trace(word, outputs, **more) -> Execution:
    return Execution(make_test(word), Columns(tuple(word), list(outputs)), **more)


def summarise(model, traces, *, repeat=1, relation=Relation.EQUIVALENCE):
    oracle = oracle_for(model, relation)
    summary = Summary(oracle, repeat=repeat)
    for seen in traces:
        summary.add(seen, oracle.judge(seen))
    return summary.result(seconds=1.5)


RIGHT = trace(["press", "look"], ["on", "on"])
WRONG = trace(["look", "look"], ["off", "on"])
BROKEN = trace(["press", "press"], ["on"], error="died")


def test_the_figures_of_a_run():
    result = summarise(LAMP, [RIGHT, WRONG, BROKEN, RIGHT])
    assert (result.tests, result.passed, result.failed, result.errors, result.inconclusive) == (4, 2, 1, 1, 0)
    assert (result.steps, result.resets, result.seconds) == (7, 4, 1.5)
    assert (result.coverage.covered, result.coverage.total, result.coverage.ratio) == (3, 4, 0.75)
    assert [f.test for f in result.failures] == [WRONG.test.id, BROKEN.test.id]
    assert result.verdict is Verdict.FAIL


@pytest.mark.requirement("JUDGE-2")
@pytest.mark.parametrize(
    ("traces", "verdict"),
    [
        ([], Verdict.INCONCLUSIVE),
        ([RIGHT], Verdict.PASS),
        ([RIGHT, BROKEN], Verdict.ERROR),
        ([BROKEN, WRONG], Verdict.FAIL),
    ],
)
def test_the_verdict_is_the_worst(traces, verdict):
    assert summarise(LAMP, traces).verdict is verdict


@pytest.mark.requirement("JUDGE-2")
def test_how_verdicts_combine():
    assert worst({Verdict.PASS, Verdict.INCONCLUSIVE}) is Verdict.INCONCLUSIVE
    assert worst({Verdict.ERROR, Verdict.INCONCLUSIVE}) is Verdict.ERROR


@pytest.mark.requirement("JUDGE-2")
def test_a_test_has_the_worst_verdict_of_its_repetitions():
    word = ["look", "look"]
    right = trace(word, ["off", "off"])
    result = summarise(LAMP, [right, WRONG._replace(repetition=2), right._replace(repetition=3), RIGHT], repeat=3)
    assert (result.tests, result.passed, result.failed, result.resets) == (2, 1, 1, 4)


@pytest.mark.requirement("JUDGE-6")
def test_what_a_nondeterministic_system_never_shows_is_missing():
    seen = [trace(["b"], [output], repetition=n) for n, output in enumerate("112", 1)]
    result = summarise(M_EX, seen, repeat=3)
    assert (result.verdict, result.tests, result.failed) == (Verdict.FAIL, 1, 1)
    (failure,) = result.failures
    assert failure.reason == "tried 3 times, never seen: 3; with 95 % confidence its probability is below 64 %"
    assert (failure.step, failure.input, failure.observed, failure.allowed) == (1, "b", ["1", "2"], ("1", "2", "3"))


def test_without_repetition_what_is_missing_decides_nothing():
    result = summarise(M_EX, [trace(["b"], ["1"])])
    assert (result.verdict, result.inconclusive, result.passed) == (Verdict.INCONCLUSIVE, 1, 0)
    assert "tests must be repeated" in result.failures[0].reason
    assert summarise(M_EX, [trace(["b"], ["1"])], relation=Relation.REDUCTION).verdict is Verdict.PASS


def test_observations_of_other_tests_count():
    seen = [trace(["b", "a"], ["1", "0"]), trace(["b", "b"], ["2", "2"]), trace(["b"], ["3"])]
    result = summarise(M_EX, seen)
    # after b/1, a may also give 1; b was never tried after b/1; what b alone may give has been seen by all together
    assert [(f.test, f.step) for f in result.failures] == [(seen[0].test.id, 2), (seen[1].test.id, 2)]
    assert result.failures[1].reason.startswith("never executed after 1 at step 1, which other tests have seen")


@pytest.mark.requirement("JUDGE-2")
def test_a_wrong_test_stays_wrong_whatever_else_is_missing():
    seen = [trace(["b"], ["9"])]
    assert summarise(M_EX, seen, repeat=2).failures[0].reason == "the model does not give this output here"


@st.composite
def complete_pairs(draw):
    """A complete machine, and one that may do less or more."""
    cell = st.frozensets(st.tuples(st.sampled_from(OUTPUTS), st.sampled_from(STATES)), min_size=1, max_size=2)

    def machine(base=None):
        rows = []
        for s in STATES:
            for i in INPUTS:
                keep = base is not None and draw(st.integers(0, 5)) > 0
                answers = [t[2:4] for t in base.transitions if t[:2] == (s, i)] if keep else sorted(draw(cell))
                rows += [FsmTransition(s, i, o, t) for o, t in answers]
        return Fsm(name="m", initial="s0", states=STATES, inputs=INPUTS, outputs=OUTPUTS, transitions=tuple(rows))

    model = machine()
    return model, machine(model)


@given(complete_pairs(), st.lists(words(4), min_size=1, max_size=3))
def test_a_place_that_was_tried_less_often_than_agreed_leaves_a_doubt(pair, suite):
    model, system = pair
    traces = [trace(word, sorted(answers(system, word))[0]) for word in suite]
    wrong = any(sorted(answers(system, word))[0] not in answers(model, word) for word in suite)
    result = summarise(model, traces, repeat=len(suite) + 1)
    assert (result.verdict in BAD) == wrong
    if all(answers(model, word) == {sorted(answers(system, word))[0]} for word in suite):
        assert result.verdict is Verdict.PASS


@pytest.mark.requirement("JUDGE-12")
@given(complete_pairs(), st.lists(words(4), min_size=1, max_size=3))
def test_with_everything_shown_a_run_passes_iff_both_answer_alike(pair, suite):
    model, system = pair
    traces = [
        trace(word, outputs, repetition=n)
        for word in suite
        for n, outputs in enumerate(2 * sorted(answers(system, word)), 1)
    ]
    result = summarise(model, traces, repeat=2)
    alike = all(answers(model, word) == answers(system, word) for word in suite)
    assert (result.verdict is Verdict.PASS, result.verdict in BAD) == (alike, not alike)
    within = all(answers(system, word) <= answers(model, word) for word in suite)
    reduction = summarise(model, traces, relation=Relation.REDUCTION)
    assert (reduction.verdict is Verdict.PASS, reduction.verdict in BAD) == (within, not within)
    assert result.tests == len(suite)
