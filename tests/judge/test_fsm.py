import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.execute.lamp import LAMP
from tests.judgement import judge
from tests.oracles.verdicts import answers, explains, first_wrong_step, is_over, paths
from tests.shared import REFERENCE
from tests.strategies.small_fsms import INPUTS, any_fsms, deterministic_fsms, words

from fullproof.artefacts.execution import Columns, Execution, Step
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import make_test
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.kinds import oracle_for

RELATIONS = [Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION, Relation.STRONG_REDUCTION]
CARDS = read_model(REFERENCE / "card-reader" / "card-reader.yaml")


def trace(word, outputs, **more) -> Execution:
    return Execution(make_test(word), Columns(tuple(word), list(outputs)), **more)


def test_a_right_trace_passes_and_says_what_it_exercised():
    judgement = judge(LAMP, trace(["press", "look", "press"], ["on", "on", "off"]))
    assert judgement.verdict is Verdict.PASS
    assert judgement.exercised == {0, 2, 3}


@pytest.mark.requirement("JUDGE-1")
def test_a_wrong_output_fails_at_its_step():
    judgement = judge(LAMP, trace(["press", "look", "press"], ["on", "off", "off"]))
    assert judgement.verdict is Verdict.FAIL
    assert (judgement.step, judgement.input, judgement.observed, judgement.allowed) == (2, "look", "off", ("on",))
    assert judgement.exercised == {0}
    assert judgement.reason == "the model does not give this output here"


@pytest.mark.requirement("JUDGE-8")
def test_a_system_that_breaks_down_is_an_error_at_the_next_step():
    judgement = judge(LAMP, trace(["press", "look"], ["on"], error="died: exit status 3"))
    assert judgement.verdict is Verdict.ERROR
    assert (judgement.step, judgement.input, judgement.reason) == (2, "look", "died: exit status 3")


@pytest.mark.requirement("JUDGE-8")
def test_a_wrong_step_before_the_breakdown_is_a_fail():
    judgement = judge(LAMP, trace(["press", "look"], ["off"], error="died: exit status 3"))
    assert (judgement.verdict, judgement.step) == (Verdict.FAIL, 1)


@pytest.mark.requirement("JUDGE-8")
def test_an_error_at_reset_and_an_empty_test_have_no_step_to_name():
    judgement = judge(LAMP, trace([], [], error="reset: died"))
    assert (judgement.verdict, judgement.step, judgement.input) == (Verdict.ERROR, None, None)
    assert judge(LAMP, trace([], [])).verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("relation", "verdict"),
    [
        (Relation.EQUIVALENCE, Verdict.PASS),
        (Relation.QUASI_REDUCTION, Verdict.PASS),
        (Relation.REDUCTION, Verdict.FAIL),
        (Relation.STRONG_REDUCTION, Verdict.FAIL),
    ],
)
def test_undefined_inputs(relation, verdict):
    judgement = judge(CARDS, trace(["ci.r"], ["null"]), relation)
    assert judgement.verdict is verdict
    if verdict is Verdict.PASS:
        assert judgement.reason == "step 1: input 'ci.r' is undefined here: anything goes after it"
    else:
        assert judgement.allowed == ()
        assert judgement.reason == "the model does not take this input here"


@pytest.mark.requirement("JUDGE-1")
def test_strong_reduction_compares_what_is_enabled_before_each_step_and_at_the_end():
    test = make_test(["ci.in.v", "ci.r"])
    initial = frozenset({"pr.A", "pr.a", "ci.in.v", "ci.in.i"})
    ejected = frozenset({"pr.A", "pr.a", "ci.r"})
    right = (Step("ci.in.v", "ci.out", initial), Step("ci.r", "ts.out.clr", ejected))
    strong = Relation.STRONG_REDUCTION
    assert judge(CARDS, Execution(test, right, initial), strong).verdict is Verdict.PASS
    assert judge(CARDS, Execution(test, right), strong).verdict is Verdict.INCONCLUSIVE
    at_end = judge(CARDS, Execution(test, right, ejected), strong)
    assert (at_end.verdict, at_end.step, at_end.input) == (Verdict.FAIL, 2, None)
    assert at_end.observed == sorted(ejected)
    assert at_end.allowed == (sorted(initial),)
    wrong = (right[0], Step("ci.r", "ts.out.clr", initial))
    before = judge(CARDS, Execution(test, wrong, initial), strong)
    assert (before.verdict, before.step, before.input) == (Verdict.FAIL, 2, "ci.r")
    assert "before this step" in before.reason
    refused = Execution(test, right[:1], initial)
    assert judge(CARDS, refused, strong).verdict is Verdict.FAIL
    assert judge(CARDS, refused, Relation.QUASI_REDUCTION).verdict is Verdict.FAIL
    nothing = Execution(test, right[:1], frozenset())
    assert judge(CARDS, nothing, Relation.REDUCTION).verdict is Verdict.PASS


def test_a_test_of_another_model_is_the_users_error():
    with pytest.raises(UserError, match="the input 'pres', which the model does not know; did you mean 'press'"):
        judge(LAMP, trace(["pres"], ["on"]))
    with pytest.raises(UserError, match="which the model does not know"):
        judge(LAMP, trace([{"x": 1}], ["on"]))


def test_an_output_of_an_old_log_may_be_anything():
    assert judge(LAMP, trace(["press"], [["on"]])).verdict is Verdict.FAIL
    assert judge(LAMP, trace(["press"], [None])).verdict is Verdict.FAIL


@pytest.mark.parametrize("relation", [Relation.IOCO, Relation.PROPERTY])
def test_other_relations_say_that_they_cannot_yet(relation):
    with pytest.raises(UserError, match=f"cannot be judged for {relation.value}"):
        oracle_for(LAMP, relation)


def test_the_story_shows_what_was_allowed_up_to_the_wrong_step():
    rows = oracle_for(LAMP).story(trace(["press", "look", "press"], ["on", "off", "off"]))
    assert [(r.input, r.allowed_text, r.observed, r.ok) for r in rows] == [
        ("press", "on", "on", True),
        ("look", "on", "off", False),
    ]
    broken = oracle_for(LAMP).story(trace(["press", "look"], ["on"], error="died"))
    assert [(r.input, r.allowed_text, r.observed, r.ok) for r in broken][1] == ("look", "on", "died", False)


enabled_sets = st.none() | st.frozensets(st.sampled_from(INPUTS))


@st.composite
def observations(draw):
    word = draw(words())
    grey = draw(st.booleans())
    steps = tuple(
        Step(symbol, draw(st.sampled_from(["0", "1"])), draw(enabled_sets) if grey else None) for symbol in word
    )
    done = draw(st.integers(0, len(word)))
    return Execution(make_test(word), steps[:done], draw(enabled_sets) if grey else None)


@pytest.mark.requirement("JUDGE-1")
@given(any_fsms(), observations(), st.sampled_from(RELATIONS))
def test_verdicts_agree_with_their_definition(machine, seen, relation):
    judgement = judge(machine, seen, relation)
    if explains(machine, seen.steps, seen.enabled_at_end, relation):
        hidden = relation is Relation.STRONG_REDUCTION and seen.enabled_at_end is None
        doubtful = hidden or not is_over(machine, seen, relation)
        assert judgement.verdict is (Verdict.INCONCLUSIVE if doubtful else Verdict.PASS)
        return
    assert judgement.verdict is Verdict.FAIL
    number = first_wrong_step(machine, seen.steps, relation)
    assert judgement.step == number or number is None
    if number is None:
        assert "after the last step" in judgement.reason or "before this step" in judgement.reason


@pytest.mark.requirement("JUDGE-1")
@given(any_fsms(), observations(), st.sampled_from(RELATIONS))
def test_columns_and_rows_are_judged_alike(machine, seen, relation):
    rows = tuple(Step(step.input, step.output) for step in seen.steps)
    columns = Columns(seen.test.inputs, [step.output for step in seen.steps])
    oracle = oracle_for(machine, relation)
    by_rows, by_columns = (oracle.judge(Execution(seen.test, steps)) for steps in (rows, columns))
    assert by_rows == by_columns
    assert oracle.judge(Execution(seen.test, columns)) == by_columns  # the second time from memory


@given(any_fsms(), words(4))
def test_allowed_outputs_are_those_that_would_pass(machine, word):
    for outputs in answers(machine, word):
        for number in range(len(word)):
            wrong = judge(machine, trace(word, [*outputs[:number], "?"]), Relation.REDUCTION)
            right = {
                y
                for y in machine.outputs
                if judge(machine, trace(word, [*outputs[:number], y]), Relation.REDUCTION).verdict is not Verdict.FAIL
            }
            assert wrong.step == number + 1
            assert set(wrong.allowed) == right


@given(deterministic_fsms(), words())
def test_exercised_transitions_of_a_deterministic_machine_are_those_on_the_path(machine, word):
    (path,) = paths(machine, word)
    judgement = judge(machine, trace(word, [machine.transitions[n].output for n in path]))
    assert judgement.verdict is Verdict.PASS
    assert judgement.exercised == set(path)


@given(any_fsms(), words(5))
def test_exercised_transitions_lie_on_every_path_that_explains_the_trace(machine, word):
    explained: dict[tuple[str, ...], list[set[int]]] = {}
    for path in paths(machine, word):
        explained.setdefault(tuple(machine.transitions[n].output for n in path), []).append(set(path))
    for outputs, ways in explained.items():
        exercised = judge(machine, trace(word, outputs), Relation.REDUCTION).exercised
        assert exercised <= set.intersection(*ways)


@given(any_fsms(), observations(), st.sampled_from(RELATIONS))
def test_stopping_where_the_observer_has_seen_enough_does_not_change_the_verdict(machine, seen, relation):
    oracle = oracle_for(machine, relation)
    observer, done, at_end = oracle.observer(seen.test), [], None
    for step in seen.steps:
        assume(step.enabled is None or step.input in step.enabled)  # no system takes what it does not offer
        if not observer.wants(step.input):
            at_end = step.enabled  # as the runner does
            break
        observer.sees(step)
        done.append(step)
    whole = oracle.judge(Execution(seen.test, seen.steps))
    short = oracle.judge(Execution(seen.test, tuple(done), at_end))
    if relation is not Relation.STRONG_REDUCTION:
        assert short.verdict is whole.verdict
    elif all(step.enabled is not None for step in seen.steps):
        assert (short.verdict is Verdict.FAIL) == (whole.verdict is Verdict.FAIL)
