"""Models that play the system under test."""

from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.execute.lamp import LAMP, outputs, run
from tests.judgement import judge
from tests.shared import REFERENCE
from tests.strategies.small_fsms import any_fsms, words

from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import make_test
from fullproof.core.errors import UserError
from fullproof.execute import Enabled, Options, SutError, execute
from fullproof.formats import read_model, write_model
from fullproof.kinds.fsm.player import FsmPlayer
from fullproof.kinds.sfsm.player import SfsmPlayer
from fullproof.kinds.systems import open_sut
from fullproof.language.parser import parse_declaration, parse_expression
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition

BRAKE = REFERENCE / "brake" / "brake.yaml"


def sfsm(inputs: dict[str, str], outs: dict[str, str], *transitions: tuple[str, str, str, str]) -> Sfsm:
    declare = lambda texts: tuple(parse_declaration(t, name=n, constants={}) for n, t in texts.items())  # noqa: E731
    return Sfsm(
        name="m",
        initial=transitions[0][0],
        states=tuple(dict.fromkeys(s for t in transitions for s in (t[0], t[3]))),
        inputs=declare(inputs),
        outputs=declare(outs),
        transitions=tuple(
            SfsmTransition(source=s, guard=parse_expression(g), output=parse_expression(o), target=t)
            for s, g, o, t in transitions
        ),
    )


def test_a_lamp_model_plays_the_lamp(tmp_path):
    write_model(LAMP, tmp_path / "lamp.yaml")
    first, second = run(f"model:{tmp_path}/lamp.yaml", "ppl", "plp")
    assert outputs(first) == ["on", "off", "off"]
    assert outputs(second) == ["on", "on", "off"]


@given(any_fsms(), words(), st.integers(0, 3))
def test_what_an_fsm_plays_is_allowed_by_it_and_it_stops_where_an_input_is_undefined(machine, word, seed):
    player = FsmPlayer(machine, Random(seed))
    player.reset()
    state, defined = {machine.initial}, {(t.source, t.input) for t in machine.transitions}
    for symbol in word:
        assert player.enabled() == {i for s, i in defined if s in state}
        if symbol not in player.enabled():
            with pytest.raises(SutError, match="undefined in state"):
                player.step(symbol)
            return
        output = player.step(symbol)
        state = {t.target for t in machine.transitions if t.source in state and t[1:3] == (symbol, output)}
        assert state


def test_choices_are_fair_and_follow_the_seed():
    machine = read_model(REFERENCE / "m-ex" / "m-ex.yaml")

    def play(seed):
        player = FsmPlayer(machine, Random(seed))
        seen = []
        for _ in range(300):
            player.reset()
            seen.append(player.step("b"))
        return seen

    assert play(1) == play(1) != play(2)
    assert all(70 < count < 130 for count in Counter(play(1)).values())


def test_an_unknown_input_gets_a_suggestion():
    with pytest.raises(SutError, match="unknown input 'pres'; did you mean 'press'"):
        FsmPlayer(LAMP, Random(0)).step("pres")


def test_a_partial_model_as_a_grey_box_is_not_asked_for_more():
    machine = read_model(REFERENCE / "card-reader" / "card-reader.yaml")
    sut = open_sut(f"model:{REFERENCE / 'card-reader' / 'card-reader.yaml'}", machine)
    test = make_test(["pr.a", "ci.in.i", "ts.in.ok", "ci.r"])
    (black,) = execute(sut, [test])
    assert black.error == "input 'ts.in.ok' is undefined in state 'ejected0'"
    (grey,) = execute(sut, [test], options=Options(enabled=Enabled.REQUIRED))
    assert outputs(grey) == ["ts.out.ic", "ci.out"]
    assert grey.enabled_at_end == {"pr.A", "pr.a", "ci.r"}


def test_a_symbolic_model_plays_itself_and_shows_all_it_can_do():
    model = read_model(BRAKE)
    sut = open_sut(f"model:{BRAKE}", model, seed=3)
    test = make_test([{"x": Fraction(200)}, {"x": Fraction(801, 4)}, {"x": 190}, {"x": 100}])
    traces = list(execute(sut, [test], options=Options(repeat=200)))
    assert all(judge(model, trace, Relation.REDUCTION).verdict.value == "pass" for trace in traces)
    first = {t.steps[0].output["y"] for t in traces}
    assert Fraction(0) in first
    assert len(first) > 5
    assert {Fraction(9, 10), Fraction(11, 10)} < first
    assert {t.steps[1].output["y"] for t in traces} == {Fraction(801, 400)}


def test_the_faulty_brake_differs_where_the_paper_says():
    model = read_model(BRAKE)
    sut = open_sut(f"model:{REFERENCE / 'brake' / 'ibrake.yaml'}", model)
    traces = execute(sut, [make_test([{"x": 201}, {"x": 190}])], options=Options(repeat=30))
    judgements = {j.verdict: j for trace in traces if (j := judge(model, trace, Relation.REDUCTION))}.values()
    wrong = [j for j in judgements if j.verdict.value == "fail"]
    assert len(judgements) == 2  # at 190 the faulty guard overlaps with the right one
    assert [(j.step, j.allowed, j.observed) for j in wrong] == [(2, ("y == 1.9",), {"y": 0})]


@pytest.mark.parametrize(
    ("output", "outs"),
    [
        ("y * y == x * x and y < 0", {"y": "int"}),  # needs the solver
        ("y == x or y == x + 1", {"y": "int"}),
        ("y + z == x and y != z", {"y": "int -50..50", "z": "int -50..50"}),
        ("x < y < x + 1", {"y": "real"}),
        ("y >= x", {"y": "real"}),
        ("y <= x", {"y": "int"}),
        ("y != A", {"y": "enum A, B, C"}),
        ("b -> y > x", {"y": "int 0..9", "b": "bool"}),
        ("true", {"y": "real", "b": "bool"}),
        ("y > x and y < 3 * x + 4", {"y": "int 0.."}),
        ("if b then y == x else y == 0", {"y": "real", "b": "bool"}),
    ],
)
def test_outputs_satisfy_their_expression(output, outs):
    model = sfsm({"x": "int 1..9"}, outs, ("s", "true", output, "s"))
    player = SfsmPlayer(model, Random(0))
    seen = set()
    for x in (1, 2, 9):
        for _ in range(40):
            answer = player.step({"x": x})
            trace_ok = judge(model, _trace({"x": x}, answer), Relation.REDUCTION)
            assert trace_ok.verdict.value == "pass", (answer, trace_ok.reason)
            seen.add(tuple(answer.values()))
    assert len(seen) > 1


def _trace(symbol, output):
    from fullproof.artefacts.execution import Columns, Execution

    return Execution(make_test([symbol]), Columns((symbol,), [output]))


def test_a_transition_without_possible_outputs_is_never_taken():
    model = sfsm(
        {"x": "int"},
        {"y": "int 0..3"},
        ("s", "true", "y == x", "s"),
        ("s", "true", "y > 3 or y * y == 2", "t"),
        ("s", "x > 5", "y == 1", "s"),
    )
    player = SfsmPlayer(model, Random(0))
    assert {player.step({"x": 2})["y"] for _ in range(20)} == {2}
    assert {player.step({"x": 7})["y"] for _ in range(20)} == {1}
    with pytest.raises(SutError, match="input x = -1 has no output in state 's': true covers it"):
        player.step({"x": -1})


@pytest.mark.parametrize(
    ("symbol", "message"),
    [
        ("a", "the input 'a'; the model takes values for x"),
        ({}, "values for x"),
        ({"x": Fraction(1), "z": 2}, "values for x"),
        ({"x": Fraction(401)}, r"x = 401, which is not a value of real 0\.\.400"),
        ({"x": True}, "x = true, which is not a value of"),
        ({"x": "fast"}, "x = fast, which is not a value of"),
    ],
)
def test_inputs_of_an_sfsm_are_checked(symbol, message):
    with pytest.raises(SutError, match=message):
        SfsmPlayer(read_model(BRAKE), Random(0)).step(symbol)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("model:", "needs a model file"),
        ("model:no-such.yaml", "no-such.yaml"),
        (f"model:{BRAKE}", "a model of kind sfsm cannot play the system for one of kind fsm"),
        (f"model:{REFERENCE / 'm-ex' / 'm-ex.yaml'}", "has none of the inputs of lamp"),
    ],
)
def test_a_model_that_cannot_play_is_the_users_error(spec, message):
    with pytest.raises(UserError, match=message):
        open_sut(spec, LAMP)


def test_variables_must_have_the_same_names(tmp_path: Path):
    text = BRAKE.read_text().replace("x", "v")
    (tmp_path / "other.yaml").write_text(text)
    with pytest.raises(UserError):
        open_sut(f"model:{tmp_path}/other.yaml", read_model(BRAKE))
