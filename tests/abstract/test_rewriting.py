"""Refinement and the observability transformation keep the language, and do what they are for."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.classes import is_observable, same_language
from tests.oracles.valuations import every
from tests.shared import REFERENCE
from tests.strategies.sfsms import sfsms
from tests.strategies.symbolic import models

from fullproof.abstract.alphabet import scope_of
from fullproof.abstract.observability import observable
from fullproof.abstract.refinement import refined
from fullproof.check import check
from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.language.evaluate import evaluate
from fullproof.language.parser import parse_declaration, parse_expression
from fullproof.language.printer import to_text
from fullproof.language.types import IntType
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition
from fullproof.smt import Unsat, open_solver

SMALL = IntType(0, 8)
QUESTIONS = ["x < 2", "b", "y == x", "e == O", "y > 3 or b", "x < 0", "true", "y - x < 2"]


def shrunk(model: Sfsm) -> Sfsm:
    """The same machine with fewer outputs, for oracles that try all of them."""
    return replace(model, outputs=tuple(replace(v, type=SMALL) if v.name == "y" else v for v in model.outputs))


@settings(max_examples=30, deadline=None)
@given(sfsms(max_states=2), st.lists(st.sampled_from(QUESTIONS), max_size=3))
def test_refinement_keeps_the_language_and_answers_the_questions(model: Sfsm, texts: list[str]) -> None:
    model = shrunk(model)
    questions = [parse_expression(text) for text in texts]
    fine = refined(model, questions)
    assert same_language(model, fine)
    scope = scope_of(model)
    for t in fine.transitions:
        answers = {
            tuple(evaluate(q, scope, values) for q in questions)
            for values in every(scope.variables)
            if evaluate(t.guard, scope, values) and evaluate(t.output, scope, values)
        }
        assert len(answers) == 1, "no transition without values, none with different answers"


def test_refinement_asks_inputs_in_guards_and_outputs_in_outputs() -> None:
    model = read_model(REFERENCE / "brake/brake.yaml")
    fine = refined(model, [parse_expression("y > 1"), parse_expression("x > 100")])
    assert [(t.source, t.target) for t in fine.transitions].count(("s0", "s0")) == 2
    for t in fine.transitions:
        evaluate(t.guard, scope_of(replace(model, outputs=())), {"x": 0})
    assert len([t for t in fine.transitions if (t.source, t.target) == ("s0", "s1")]) == 2
    assert refined(model, []) == model


@settings(max_examples=30, deadline=None)
@given(st.one_of(sfsms(max_states=3), models(most=2, least_transitions=4)))
def test_observability_keeps_the_language(model: Sfsm) -> None:
    model = shrunk(model)
    seen = observable(model)
    assert is_observable(seen)
    assert same_language(model, seen)


@settings(max_examples=10, deadline=None)
@given(models(reals=True, most=2, least_transitions=3))
def test_observability_with_reals_by_the_solver(model: Sfsm) -> None:
    seen = observable(model)
    solver = open_solver(scope_of(model))
    for t in seen.transitions:
        for u in seen.transitions:
            if t.source == u.source and t.target != u.target:
                assert isinstance(solver.check_assuming(t.guard, t.output, u.guard, u.output), Unsat)


@pytest.mark.parametrize("name", ["brake/brake", "brake/ibrake2", "alarm/alarm"])
def test_what_is_observable_stays_as_it_is(name: str) -> None:
    model = read_model(REFERENCE / f"{name}.yaml")
    assert observable(model) is model


def test_example_1() -> None:
    """Section 3.5: one input and output leave two choices, and the machine goes on in both states at once."""
    step = [
        ("s0", "x <= 6", "0 <= y <= 10", "s1"),
        ("s0", "x >= 4", "y == floor(x)", "s0"),
        ("s1", "true", "0 <= y <= 10", "s1"),
    ]
    model = Sfsm(
        name="figure-3.1",
        initial="s0",
        states=("s0", "s1"),
        inputs=(parse_declaration("real 0..10", name="x", constants={}),),
        outputs=(parse_declaration("int 0..10", name="y", constants={}),),
        transitions=tuple(
            SfsmTransition(source=a, guard=parse_expression(g), output=parse_expression(o), target=b)
            for a, g, o, b in step
        ),
    )
    assert check(model).observable is False
    seen = observable(model)
    assert seen.states == ("s0", "{s0, s1}", "s1")
    assert check(seen).observable is True
    targets = {(t.source, t.target) for t in seen.transitions}
    assert {("s0", "{s0, s1}"), ("s0", "s1"), ("s0", "s0"), ("{s0, s1}", "{s0, s1}"), ("{s0, s1}", "s1")} <= targets


def test_names_of_new_states_are_new() -> None:
    step = [("a", "true", "y == 0", "b"), ("a", "true", "y == 0", "a"), ("b", "true", "y == 1", "{a, b}")]
    model = Sfsm(
        name="m",
        initial="a",
        states=("a", "b", "{a, b}"),
        inputs=(),
        outputs=(parse_declaration("int 0..1", name="y", constants={}),),
        transitions=tuple(
            SfsmTransition(source=s, guard=parse_expression(g), output=parse_expression(o), target=t)
            for s, g, o, t in step
        ),
    )
    seen = observable(model)
    assert seen.states == ("a", "{a, b}'", "{a, b}")
    assert same_language(model, seen)


CUBES = "a > 0 and b > 0 and a * a * a + b * b * b == c * c * c"


def one_step(guard: str) -> Sfsm:
    return Sfsm(
        name="m",
        initial="s",
        states=("s",),
        inputs=tuple(parse_declaration("int", name=name, constants={}) for name in "abc"),
        outputs=(parse_declaration("bool", name="y", constants={}),),
        transitions=(
            SfsmTransition(source="s", guard=parse_expression(guard), output=parse_expression("y"), target="s"),
        ),
    )


def test_what_the_solver_cannot_decide_is_kept() -> None:
    fine = refined(one_step("true"), [parse_expression(CUBES)], timeout=1.0)
    assert [to_text(t.guard) for t in fine.transitions] == [CUBES, f"not ({CUBES})"]


def test_too_much_that_cannot_be_decided_is_an_error() -> None:
    questions = [parse_expression(f"a + b > {k}") for k in range(10)]
    with pytest.raises(UserError, match="the solver could not decide whether this can hold: a > 0 and b > 0"):
        refined(one_step(CUBES), questions, timeout=0.0)
