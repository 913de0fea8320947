"""What must be seen of a nondeterministic answer: classes of outputs, each once, or one that stands for it."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.execute.test_play import sfsm
from tests.oracles.class_machines import scope_of
from tests.oracles.symbolic import valuations
from tests.strategies.sfsms import sfsms

from fullproof.artefacts.execution import Columns, Execution
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import make_test
from fullproof.artefacts.verdict import Verdict
from fullproof.judge import Summary
from fullproof.judge.output_classes import OutputClasses
from fullproof.kinds import oracle_for
from fullproof.language.parser import parse_expression
from fullproof.language.types import IntType
from fullproof.model import Sfsm
from fullproof.model.common import Description, FaultDomain

K = 3


@given(sfsms(), st.data())
@settings(max_examples=60, deadline=None)
def test_the_classes_are_those_of_all_outputs(model: Sfsm, data: st.DataObject) -> None:
    if not model.transitions:
        return
    classes = OutputClasses(model, scope_of(model))
    inputs = data.draw(st.sampled_from(list(valuations(model.inputs))))
    place = data.draw(st.integers(0, len(classes.expressions) - 1))
    all_signs = {classes.signs({**inputs, **outputs}) for outputs in valuations(model.outputs)}
    ways = classes.ways(classes.expressions[place], inputs)
    assert ways.is_certain
    assert set(ways.classes) == {signs for signs in all_signs if signs[place]}


def _result(model, *answers, repeat=K):
    """A run of one test per list of outputs, all for x = 0."""
    oracle = oracle_for(model, Relation.EQUIVALENCE)
    summary = Summary(oracle, repeat=repeat)
    for repetition, outputs in enumerate(answers, 1):
        test = make_test(tuple({"x": Fraction(0)} for _ in range(max(map(len, answers)))), ())
        number = int if isinstance(model.outputs[0].type, IntType) else Fraction
        run = Execution(test, Columns(test.inputs, [{"y": number(y)} for y in outputs]), repetition=repetition)
        summary.add(run, oracle.judge(run))
    return summary.result(seconds=0)


def _with_faults(model, *outputs):
    domain = FaultDomain(outputs=tuple(parse_expression(text) for text in outputs))
    return Sfsm(
        name=model.name,
        initial=model.initial,
        states=model.states,
        inputs=model.inputs,
        outputs=model.outputs,
        transitions=model.transitions,
        description=Description(fault_domain=domain),
    )


WIDE = sfsm({"x": "real"}, {"y": "real"}, ("s", "true", "0 <= y <= 10", "s"))


def test_a_system_that_always_answers_alike_may_know_nothing_else() -> None:
    """Both outputs are allowed; only one of the two expressions of the fault domain can give 5 and nothing else."""
    faulty = _with_faults(WIDE, "y == 5")
    result = _result(faulty, [5], [5], [5])
    assert result.verdict is Verdict.FAIL
    assert result.failures[0].reason.startswith("tried 3 times, never seen: 0 <= y <= 10 and not y == 5")
    assert _result(WIDE, [5], [5], [5]).verdict is Verdict.PASS


def test_of_few_values_all_are_expected() -> None:
    narrow = sfsm({"x": "real"}, {"y": "int 0..10"}, ("s", "true", "y <= 5", "s"))
    assert _result(_with_faults(narrow, "y == 5"), [5], [5], [5]).verdict is Verdict.FAIL
    assert _result(_with_faults(narrow, "y == 5"), [5], [4], [5]).verdict is Verdict.PASS


def test_a_value_that_the_same_expression_gives_need_not_be_hit() -> None:
    assert _result(_with_faults(WIDE, "y == 5"), [4], [3], [4]).verdict is Verdict.PASS


def test_a_single_value_that_only_some_expressions_give_leaves_a_doubt() -> None:
    result = _result(_with_faults(WIDE, "0 <= y < 10"), [4], [3], [4])
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "never seen: 0 <= y <= 10 and not 0 <= y < 10" in result.failures[0].reason
    assert _result(_with_faults(WIDE, "0 <= y < 10"), [10], [10], [4]).verdict is Verdict.PASS


def test_a_value_that_leads_elsewhere_must_be_seen() -> None:
    forked = sfsm(
        {"x": "real"}, {"y": "real"}, ("s", "true", "0 <= y <= 10", "s"), ("s", "true", "y == 5", "t"),
        ("t", "true", "y == 0", "t"),
    )  # fmt: skip
    assert _result(forked, [4], [3], [4]).verdict is Verdict.FAIL
    assert _result(forked, [4], [5], [4]).verdict is Verdict.PASS


def test_what_follows_is_looked_for_behind_the_answer_that_stands_for_others() -> None:
    """After y = 5, met by chance, the next answers were not all seen; after any other y they were."""
    two = sfsm(
        {"x": "real"}, {"y": "real"}, ("s", "true", "0 <= y <= 10", "t"), ("t", "true", "y == 1", "t"),
        ("t", "true", "y == 2", "t"),
    )  # fmt: skip
    faulty = _with_faults(two, "y == 5")
    assert _result(faulty, [4, 1], [4, 2], [5, 1]).verdict is Verdict.PASS
    assert _result(faulty, [5, 1], [4, 2], [4, 1]).verdict is Verdict.PASS
    assert _result(faulty, [5, 1], [5, 1], [4, 2]).verdict is Verdict.INCONCLUSIVE


def test_a_place_tried_less_often_than_agreed_leaves_a_doubt() -> None:
    two = sfsm({"x": "real"}, {"y": "real"}, ("s", "true", "y == 1", "s"), ("s", "true", "y == 2", "s"))
    result = _result(two, [1, 1], [1, 2], [2, 1])
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "less often than --repeat 3" in result.failures[0].reason
    assert _result(two, [1, 1], [1, 1], [1, 1]).verdict is Verdict.FAIL


@pytest.mark.parametrize(("answers", "more"), [([[1]], True), ([[1], [1]], True), ([[1], [2]], False)])
def test_repetitions_go_on_while_something_is_missing(answers, more) -> None:
    two = sfsm({"x": "real"}, {"y": "real"}, ("s", "true", "y == 1", "s"), ("s", "true", "y == 2", "s"))
    oracle = oracle_for(two, Relation.EQUIVALENCE)
    summary = Summary(oracle, repeat=9)
    test = make_test(({"x": Fraction(0)},), ())
    for repetition, outputs in enumerate(answers, 1):
        run = Execution(test, Columns(test.inputs, [{"y": Fraction(y)} for y in outputs]), repetition=repetition)
        summary.add(run, oracle.judge(run))
    assert summary.wants_more(test) is more


def test_few_answers_need_few_visits() -> None:
    """Paper 004, figure 10: after one of two first answers the second is always the same."""
    two = sfsm({"x": "real"}, {"y": "real"}, ("s", "true", "y == 1", "s"), ("s", "true", "y == 2", "s"))
    answers = [[1, 1], [2, 1], [2, 2]]
    assert _result(two, *answers * 12, repeat=36).verdict is Verdict.FAIL
    assert _result(two, *answers * 11, repeat=33).verdict is Verdict.INCONCLUSIVE


def test_where_answers_are_rare_more_visits_are_needed() -> None:
    """The second answer came once in 41 tries: that it was not seen in 40 more says little."""
    two = sfsm({"x": "real"}, {"y": "real"}, ("s", "true", "y == 1", "s"), ("s", "true", "y == 2", "s"))
    answers = [[1, 1]] * 40 + [[2, 1]]
    assert _result(two, *answers, repeat=41).verdict is Verdict.INCONCLUSIVE
    assert _result(two, *answers, repeat=40).verdict is Verdict.FAIL  # as agreed


def test_deeper_forks_count() -> None:
    two = sfsm({"x": "real"}, {"y": "real"}, ("s", "true", "y == 1", "s"), ("s", "true", "y == 2", "s"))
    oracle = oracle_for(two, Relation.EQUIVALENCE)
    summary = Summary(oracle, repeat=9)
    test = make_test(({"x": Fraction(0)}, {"x": Fraction(0)}), ())
    wanted = []
    for repetition, outputs in enumerate(([1, 1], [2, 2], [1, 2], [2, 1]), 1):
        run = Execution(test, Columns(test.inputs, [{"y": Fraction(y)} for y in outputs]), repetition=repetition)
        summary.add(run, oracle.judge(run))
        wanted.append(summary.wants_more(test))
    assert wanted == [True, True, True, False]


def test_a_failing_test_is_not_repeated() -> None:
    oracle = oracle_for(WIDE, Relation.EQUIVALENCE)
    summary = Summary(oracle, repeat=9)
    test = make_test(({"x": Fraction(0)},), ())
    run = Execution(test, Columns(test.inputs, [{"y": Fraction(11)}]))
    summary.add(run, oracle.judge(run))
    assert not summary.wants_more(test)


def _range(*answers, wrong: str, repeat: int, outputs: str = "real"):
    """A model that answers from 2 to 4, and a fault domain that knows a narrower range."""
    wide = sfsm({"x": "real"}, {"y": outputs}, ("s", "x >= 0", "2 <= y <= 4", "s"), ("s", "x < 0", "y == 0", "s"))
    return _result(_with_faults(wide, wrong), *([y] for y in answers), repeat=repeat)


def test_a_narrower_range_is_a_fail_once_it_was_tried_as_often_as_agreed() -> None:
    answers = [2 + Fraction(k, 30) for k in range(30)]
    result = _range(*answers, wrong="2 <= y <= 3", repeat=30)
    assert result.verdict is Verdict.FAIL
    assert "never seen: 2 <= y <= 4 and not 2 <= y <= 3" in result.failures[0].reason
    assert "state it as a property such as G(x >= 0 -> 2 <= y <= 4)" in result.failures[0].reason
    assert _range(*answers, wrong="2 <= y <= 3", repeat=31).verdict is Verdict.INCONCLUSIVE
    assert _range(*answers, Fraction(7, 2), wrong="2 <= y <= 3", repeat=31).verdict is Verdict.PASS


def test_a_small_part_of_a_range_leaves_a_doubt_that_more_tries_may_settle() -> None:
    answers = [2 + Fraction(k, 30) for k in range(30)]
    result = _range(*answers, wrong="2 <= y <= 3.96", repeat=30)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "repeat more to decide" in result.failures[0].reason


def test_a_single_value_of_a_range_need_never_be_shown() -> None:
    """Systems that draw from a range never hit its end: to fail them would be wrong, and so would a promise be."""
    answers = [2 + Fraction(k, 16) for k in range(30)]
    for repeat in (1, 30, 1000):
        result = _range(*answers, wrong="2 <= y < 4", repeat=repeat)
        assert result.verdict is Verdict.INCONCLUSIVE
        reason = result.failures[0].reason
        assert "no number of repetitions need show it; if only the range matters, state it as a property" in reason
        assert "repeat more" not in reason
        assert "must be repeated" not in reason


@pytest.mark.parametrize(("top", "verdict"), [(500, Verdict.FAIL), (995, Verdict.INCONCLUSIVE)])
def test_whole_numbers_have_parts_as_well(top: int, verdict: Verdict) -> None:
    wide = sfsm({"x": "real"}, {"y": "int"}, ("s", "true", "0 <= y <= 1000", "s"))
    answers = [[k * 7] for k in range(40)]
    assert _result(_with_faults(wide, f"0 <= y <= {top}"), *answers, repeat=40).verdict is verdict
