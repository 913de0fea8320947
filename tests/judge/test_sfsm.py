from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.execute.test_play import sfsm
from tests.judgement import judge
from tests.shared import REFERENCE

from fullproof.artefacts.execution import Columns, Execution, Step
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import make_test
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.judge import Summary
from fullproof.kinds import oracle_for
from fullproof.kinds.sfsm.player import SfsmPlayer
from fullproof.language.evaluate import evaluate
from fullproof.language.scope import Scope

BRAKE = read_model(REFERENCE / "brake" / "brake.yaml")
ALARM = read_model(REFERENCE / "alarm" / "alarm.yaml")
REDUCTION = Relation.REDUCTION


def exact(value):
    return Fraction(str(value)) if isinstance(value, float) else value


def trace(*pairs) -> Execution:
    """Pairs of x and y, as decimals."""
    inputs = tuple({"x": exact(x)} for x, _ in pairs)
    return Execution(make_test(inputs), Columns(inputs, [{"y": exact(y)} for _, y in pairs]))


def test_a_right_trace_passes_and_says_what_it_exercised():
    judgement = judge(BRAKE, trace((200, 0), (200, 1.05), (201, 2.01), (190, 1.9), (100, 0)))
    assert judgement.verdict is Verdict.PASS
    assert judgement.exercised == {0, 1, 5, 6, 7}


@pytest.mark.parametrize(
    ("pairs", "step", "allowed", "reason"),
    [
        ([(201, 2.01), (250, 2.6)], 2, ("y == 2.5",), "no transition of the model fits these outputs here"),
        ([(200, 0.8)], 1, ("y == 0", "0.9 <= y <= 1.1"), "no transition of the model fits these outputs here"),
        ([(200, 1), (200, 0)], 2, ("0.9 <= y <= 1.1",), "no transition of the model fits these outputs here"),
        ([(100, -1)], 1, ("y == 0",), "y = -1 is not a value of real 0.."),
        ([(100, "no")], 1, ("y == 0",), "y = no is not a value of real 0.."),
        ([(100, True)], 1, ("y == 0",), "y = true is not a value of real 0.."),
        ([(Fraction(601, 3), 2)], 1, ("y == 601 / 300",), "no transition of the model fits these outputs here"),
    ],
)
def test_a_wrong_output_fails_and_the_right_ones_are_readable(pairs, step, allowed, reason):
    judgement = judge(BRAKE, trace(*pairs))
    assert judgement.verdict is Verdict.FAIL
    assert (judgement.step, judgement.allowed, judgement.reason) == (step, allowed, reason)


def test_input_and_observation_are_ready_for_json():
    judgement = judge(BRAKE, trace((200.5, 2.25)))
    assert (judgement.input, judgement.observed) == ({"x": 200.5}, {"y": 2.25})


def test_enum_outputs():
    assert judge(ALARM, trace((100, "W"), (101, "A"), (90, "A"), (89, "O"))).verdict is Verdict.PASS
    judgement = judge(ALARM, trace((101, "A"), (95, "W")))
    assert (judgement.step, judgement.allowed) == (2, ("y == A",))
    assert judge(ALARM, trace((101, "B"))).reason == "y = B is not a value of enum O, W, A"


def test_the_set_of_possible_states_is_tracked():
    model = sfsm(
        {"x": "int"},
        {"y": "int"},
        ("s", "true", "y >= 0", "left"),
        ("s", "true", "y <= 0", "right"),
        ("left", "true", "y == 1", "left"),
        ("right", "true", "y == 2", "right"),
    )
    assert judge(model, trace((0, 0), (0, 1)), REDUCTION).verdict is Verdict.PASS
    assert judge(model, trace((0, 0), (0, 2)), REDUCTION).verdict is Verdict.PASS
    assert judge(model, trace((0, 0), (0, 2), (0, 1)), REDUCTION).step == 3
    assert judge(model, trace((0, 5), (0, 2)), REDUCTION).step == 2
    assert judge(model, trace((0, 0)), REDUCTION).exercised == frozenset()  # either of two


def test_undefined_inputs():
    model = sfsm({"x": "int"}, {"y": "int"}, ("s", "x > 0", "y == x", "s"))
    assert judge(model, trace((0, 5), (1, 7))).verdict is Verdict.PASS
    assert "no guard admits" in judge(model, trace((0, 5))).reason
    assert judge(model, trace((0, 5)), REDUCTION).verdict is Verdict.FAIL
    assert not oracle_for(model).observer(make_test([])).wants({"x": 0})
    assert oracle_for(model).observer(make_test([])).wants({"x": 1})


NEAR = sfsm({"x": "real"}, {"y": "real 0.. ~ 0.01", "b": "bool"}, ("s", "true", "y == x / 3 and b", "s"))
ROUND = sfsm({"x": "real"}, {"y": "real ~ 0.01", "z": "real"}, ("s", "true", "y * y + z * z == x", "s"))
OPEN = sfsm({"x": "real"}, {"y": "real ~ 0.01"}, ("s", "true", "x < y < x + 1", "s"))


def observed(model, x, **outputs):
    inputs = ({"x": exact(x)},)
    seen = {name: exact(value) for name, value in outputs.items()}
    return judge(model, Execution(make_test(inputs), Columns(inputs, [seen])), REDUCTION).verdict


@pytest.mark.requirement("JUDGE-1")
@pytest.mark.parametrize(
    ("y", "b", "verdict"),
    [
        (0.33, True, Verdict.PASS),
        (0.3433, True, Verdict.PASS),
        (0.344, True, Verdict.FAIL),
        (0.32, True, Verdict.FAIL),
        (0.33, False, Verdict.FAIL),
    ],
)
def test_a_tolerance_widens_the_comparison(y, b, verdict):
    assert observed(NEAR, 1, y=y, b=b) is verdict


def test_a_tolerance_reaches_over_the_end_of_the_range():
    assert observed(NEAR, 0, y=-0.005, b=True) is Verdict.PASS
    assert observed(NEAR, 0, y=-0.02, b=True) is Verdict.FAIL


def test_a_tolerance_at_an_open_end_is_open():
    assert observed(OPEN, 0, y=-0.009) is Verdict.PASS
    assert observed(OPEN, 0, y=-0.01) is Verdict.FAIL
    assert observed(OPEN, 0, y=1.01) is Verdict.FAIL
    assert observed(OPEN, 0, y=1.009) is Verdict.PASS


def test_a_tolerance_may_need_the_solver():
    assert observed(ROUND, 2, y=1.001, z=1) is Verdict.PASS
    assert observed(ROUND, 2, y=1.02, z=1) is Verdict.FAIL
    assert observed(ROUND, 2, y=0.195, z=1.4) is Verdict.PASS  # y may be a little more
    assert observed(ROUND, 2, y=0.2, z=1.5) is Verdict.FAIL  # z may not be less
    assert (
        observed(ROUND, 2, y=1, z=1.001) is not Verdict.FAIL
    )  # right only for an irrational y: the solver may not tell


@pytest.mark.parametrize("symbol", ["a", {}, {"z": 1}, {"x": "fast"}, {"x": Fraction(401)}, {"x": True}], ids=str)
def test_a_test_of_another_model_is_the_users_error(symbol):
    with pytest.raises(UserError):
        judge(BRAKE, Execution(make_test([symbol]), Columns((symbol,), [{"y": Fraction(0)}])))


def test_a_trace_of_another_model_is_the_users_error():
    with pytest.raises(UserError, match="needs values for y"):
        judge(BRAKE, Execution(make_test([{"x": 1}]), Columns(({"x": 1},), ["on"])))


def test_strong_reduction_says_that_it_cannot_yet():
    with pytest.raises(UserError, match="strong-reduction of a model of kind sfsm"):
        oracle_for(BRAKE, Relation.STRONG_REDUCTION)


def slow_verdict(model, steps) -> int | None:
    """The first wrong step, by trying all transitions from all states with the obvious evaluator."""
    scope = Scope(model.inputs + model.outputs, {c.name: c.value for c in model.description.constants})
    states = {model.initial}
    for number, step in enumerate(steps, 1):
        values = {**step.input, **step.output}
        states = {
            t.target
            for t in model.transitions
            if t.source in states and evaluate(t.guard, scope, values) and evaluate(t.output, scope, values)
        }
        if not states:
            return number
    return None


speeds = st.sampled_from([0, 189, 190, 195, 199.5, 200, 200.5, 201, 400]).map(lambda x: Fraction(str(x)))
forces = st.sampled_from([0, 0.9, 1, 1.1, 1.9, 1.95, 2, 2.005, 2.01, 4, 5]).map(lambda y: Fraction(str(y)))


@pytest.mark.requirement("JUDGE-1")
@given(st.lists(st.tuples(speeds, forces), max_size=5), st.randoms(use_true_random=False))
def test_verdicts_agree_with_the_obvious_evaluator(pairs, random):
    steps = [Step({"x": x}, {"y": y}) for x, y in pairs]
    player = SfsmPlayer(BRAKE, Random(random.randint(0, 9)))
    honest = [Step(step.input, player.step(step.input)) for step in steps[: len(steps) // 2 + 1]]
    for story in (steps, honest, honest + steps):
        seen = Execution(make_test(s.input for s in story), tuple(story))
        wrong = slow_verdict(BRAKE, story)
        judgement = judge(BRAKE, seen, REDUCTION)
        assert judgement.verdict is (Verdict.PASS if wrong is None else Verdict.FAIL)
        assert judgement.step == wrong
    assert slow_verdict(BRAKE, honest) is None


def summarise(model, traces, *, repeat):
    oracle = oracle_for(model)
    summary = Summary(oracle, repeat=repeat)
    for seen in traces:
        summary.add(seen, oracle.judge(seen))
    return summary.result(seconds=0)


@pytest.mark.requirement("JUDGE-6")
def test_an_equivalent_system_must_take_every_symbolic_transition():
    def twice(first, second):
        return [first._replace(repetition=1), second._replace(repetition=2)]

    one, other = trace((200, 0)), trace((200, 1))
    assert summarise(BRAKE, twice(one, other), repeat=2).verdict is Verdict.PASS
    assert summarise(BRAKE, [one], repeat=1).verdict is Verdict.INCONCLUSIVE
    missing = summarise(BRAKE, twice(one, one), repeat=2)
    assert missing.verdict is Verdict.FAIL
    (failure,) = missing.failures
    assert failure.reason.startswith("tried 2 times, never seen: 0.9 <= y <= 1.1; ")
    assert (failure.step, failure.input, failure.observed) == (1, {"x": 200}, ["y == 0"])
    assert summarise(BRAKE, [trace((201, 2.01))], repeat=1).verdict is Verdict.PASS


def test_a_transition_that_cannot_answer_need_not_be_seen():
    model = sfsm(
        {"x": "int"},
        {"y": "int 0..3"},
        ("s", "true", "y == x", "s"),
        ("s", "true", "y > 3", "s"),
        ("s", "true", "y * y == 2", "s"),
    )
    assert summarise(model, [trace((1, 1))], repeat=1).verdict is Verdict.PASS
