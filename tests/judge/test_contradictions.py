"""Equal inputs that were answered in two ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.execute.lamp import LAMP
from tests.strategies.small_fsms import INPUTS, OUTPUTS

from fullproof.artefacts.execution import Columns, Execution
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import make_test
from fullproof.artefacts.verdict import Verdict
from fullproof.formats import read_model_text
from fullproof.judge import Summary
from fullproof.judge.contradictions import contradiction_among
from fullproof.kinds import oracle_for
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition


def seen(word, outputs, number=1, **more) -> Execution:
    return Execution(make_test(word), Columns(tuple(word), list(outputs)), number=number, **more)


def verdict_of(model, executions, relation=Relation.EQUIVALENCE):
    oracle = oracle_for(model, relation)
    summary = Summary(oracle)
    for execution in executions:
        summary.add(execution, oracle.judge(execution))
    return summary.result(seconds=0)


RIGHT = seen(["press", "look"], ["on", "on"], 1)
WRONG = seen(["press", "look", "look"], ["on", "off", "off"], 2)


@pytest.mark.parametrize("order", [(RIGHT, WRONG), (WRONG, RIGHT)])
def test_a_run_with_two_answers_to_equal_inputs_is_nondeterministic(order):
    result = verdict_of(LAMP, order)
    assert result.verdict is Verdict.NONDETERMINISTIC
    assert (result.failed, result.passed) == (1, 1)
    found = result.contradiction
    assert {found.tests[0], found.tests[1]} == {RIGHT.test.id, WRONG.test.id}
    assert [row[0] for row in found.steps] == ["press", "look"]
    assert set(found.steps[-1][1:]) == {"on", "off"}
    assert found.steps[0][1] == found.steps[0][2]


def test_two_wrong_answers_contradict_each_other_too():
    one, other = seen(["press"], ["broken"], 1), seen(["press", "look"], ["off", "off"], 2)
    assert verdict_of(LAMP, (one, other)).contradiction.steps == (("press", "broken", "off"),)


def test_the_repetitions_of_one_test_are_compared():
    again = seen(["press", "look"], ["on", "off"], 2, repetition=2)
    assert verdict_of(LAMP, (RIGHT, again)).verdict is Verdict.NONDETERMINISTIC


def test_a_steady_fault_is_a_fail():
    same = seen(["press", "look", "press"], ["on", "off", "off"], 3)
    result = verdict_of(LAMP, (WRONG, same))
    assert (result.verdict, result.contradiction) == (Verdict.FAIL, None)


def test_a_system_that_breaks_down_has_not_answered():
    broken = seen(["press", "look"], ["on"], 2, error="died")
    assert verdict_of(LAMP, (WRONG, broken)).contradiction is None


def fork(*outputs):
    return Fsm(
        name="fork",
        initial="s",
        states=("s",),
        inputs=("a",),
        outputs=outputs,
        transitions=tuple(FsmTransition(source="s", input="a", output=o, target="s") for o in outputs),
    )


def test_a_model_with_a_choice_excuses_two_answers_but_not_a_third():
    executions = (seen(["a"], ["x"], 1), seen(["a"], ["z"], 2))
    result = verdict_of(fork("x", "y"), executions, Relation.REDUCTION)
    assert (result.verdict, result.contradiction) == (Verdict.FAIL, None)
    assert verdict_of(fork("x"), executions).verdict is Verdict.NONDETERMINISTIC


SYMBOLIC = """
machine: sfsm
name: scale
inputs: {x: int 0..9}
outputs: {y: int}
initial: s
states:
  s:
    - {when: x < 5, then: y == x + 1, to: s}
    - {when: x >= 5, then: OUTPUT, to: s}
"""


@pytest.mark.parametrize(("output", "contradicts"), [("y == 3", True), ("3 <= y <= 4", False)])
def test_a_symbolic_machine_with_ranges_leaves_a_choice(tmp_path, output, contradicts):
    model = read_model_text(SYMBOLIC.replace("OUTPUT", output), tmp_path / "scale.yaml")
    executions = [seen([{"x": 2}], [{"y": y}], number) for number, y in enumerate((3, 7), 1)]
    found = verdict_of(model, executions)
    assert found.verdict is (Verdict.NONDETERMINISTIC if contradicts else Verdict.FAIL)


def test_what_is_left_open_is_listed_after_what_fails():
    model = Fsm(
        name="part",
        initial="s",
        states=("s",),
        inputs=("a",),
        outputs=("x",),
        transitions=(FsmTransition(source="s", input="a", output="x", target="s"),),
    )
    open_, wrong = seen(["a", "a"], ["x"], 1), seen(["a"], ["y"], 2)
    result = verdict_of(model, (open_, wrong))
    assert [failure.verdict for failure in result.failures] == [Verdict.FAIL, Verdict.INCONCLUSIVE]


@st.composite
def runs(draw):
    """Executions of a machine, some of which give another output at their last step."""
    words = draw(st.lists(st.lists(st.sampled_from(INPUTS), min_size=1, max_size=3), min_size=1, max_size=6))
    return [(word, draw(st.lists(st.sampled_from(OUTPUTS), min_size=len(word), max_size=len(word)))) for word in words]


@given(runs())
def test_a_contradiction_is_found_where_two_executions_differ_and_one_fails(pairs):
    """The obvious twin: all pairs of executions, all common beginnings."""
    model = Fsm(
        name="loop",
        initial="s",
        states=("s",),
        inputs=tuple(INPUTS),
        outputs=tuple(OUTPUTS),
        transitions=tuple(FsmTransition(source="s", input=i, output=OUTPUTS[0], target="s") for i in INPUTS),
    )
    oracle = oracle_for(model, Relation.EQUIVALENCE)
    executions = [seen(word, outputs, number) for number, (word, outputs) in enumerate(pairs, 1)]
    found = contradiction_among(oracle, executions)
    assert (found is not None) == any(_differ(*one, *other) for one in pairs for other in pairs)


def _differ(word, outputs, other, others) -> bool:
    """At the first step with different outputs; before it, all were right."""
    for place in range(min(len(word), len(other))):
        if word[place] != other[place]:
            return False
        if outputs[place] != others[place]:
            return True
        if outputs[place] != OUTPUTS[0]:
            return False
    return False
