"""Classes and representatives against all sign vectors and all valuations."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.classes import by_solver, completions, fewest
from tests.shared import REFERENCE
from tests.strategies.symbolic import models, wild_models

from fullproof.abstract.alphabet import alphabet_of, scope_of
from fullproof.abstract.budget import SolverBudget
from fullproof.abstract.classes import io_classes
from fullproof.abstract.machine import class_machine
from fullproof.artefacts.abstraction import IoClasses
from fullproof.core.errors import Bug
from fullproof.formats import read_model
from fullproof.language.evaluate import evaluate
from fullproof.language.parser import parse_declaration, parse_expression, parse_formula
from fullproof.language.residual import residual
from fullproof.language.substitute import literal
from fullproof.language.syntax import Comparison, Name, Unary
from fullproof.language.traversal import nodes
from fullproof.language.values import in_range
from fullproof.model import Sfsm
from fullproof.model.common import Property
from fullproof.model.sfsm import SfsmTransition
from fullproof.smt import Sat, Unknown, open_solver


def sfsm(steps: list[tuple[str, str]], *, inputs: dict[str, str], outputs: dict[str, str]) -> Sfsm:
    return Sfsm(
        name="m",
        initial="s",
        states=("s",),
        inputs=tuple(parse_declaration(text, name=name, constants={}) for name, text in inputs.items()),
        outputs=tuple(parse_declaration(text, name=name, constants={}) for name, text in outputs.items()),
        transitions=tuple(
            SfsmTransition(source="s", guard=parse_expression(g), output=parse_expression(o), target="s")
            for g, o in steps
        ),
    )


def check_witnesses(model: Sfsm, classes: IoClasses) -> None:
    scope = scope_of(model)
    for c in classes.classes:
        assert all(in_range(c.witness[v.name], v.type) for v in scope.variables)
        assert c.signs == tuple(evaluate(e, scope, c.witness) for e in classes.alphabet.expressions)
    assert [c.id for c in classes.classes] == [f"io{k + 1}" for k in range(len(classes.classes))]


def check_against_valuations(model: Sfsm) -> None:
    """Everything that is claimed, where all valuations can be tried out."""
    classes = io_classes(model, alphabet_of(model))
    check_witnesses(model, classes)
    possible = completions(classes.alphabet.expressions, scope_of(model), model.inputs, model.outputs)
    every = frozenset().union(*possible.values())
    signs = [c.signs for c in classes.classes]
    assert len(set(signs)) == len(signs)
    if classes.undecided:
        assert set(signs) <= every
        return
    assert set(signs) == every
    for r in classes.representatives:
        assert {signs[k] for k in r.covers} == possible[tuple(r.input.values())]
    assert {k for r in classes.representatives for k in r.covers} == set(range(len(signs)))
    if classes.smallest:
        assert len(classes.representatives) == fewest([frozenset(c) for c in possible.values()])


@settings(max_examples=40, deadline=None)
@given(models())
def test_against_all_valuations(model: Sfsm) -> None:
    check_against_valuations(model)


@settings(max_examples=40, deadline=None)
@given(wild_models())
def test_any_expressions_against_all_valuations(model: Sfsm) -> None:
    check_against_valuations(model)


@settings(max_examples=15, deadline=None)
@given(models(reals=True, most=3))
def test_reals_against_all_sign_vectors(model: Sfsm) -> None:
    classes = io_classes(model, alphabet_of(model))
    check_witnesses(model, classes)
    sure, open_ = by_solver(classes.alphabet.expressions, scope_of(model))
    found = {c.signs for c in classes.classes}
    assert sure <= found | open_ or classes.undecided
    assert found <= sure | open_
    covered = {k for r in classes.representatives for k in r.covers}
    assert covered == set(range(len(classes.classes)))


@settings(max_examples=12, deadline=None)
@given(models(reals=True, most=2))
def test_covers_are_what_the_solver_finds_outputs_for(model: Sfsm) -> None:
    classes = io_classes(model, alphabet_of(model))
    solver = open_solver(scope_of(model))
    for r in classes.representatives:
        at = [Comparison((Name(name), literal(value)), ("==",)) for name, value in r.input.items()]
        for k, c in enumerate(classes.classes):
            signs = zip(classes.alphabet.expressions, c.signs, strict=True)
            answer = solver.check_assuming(*at, *(e if sign else Unary("not", e) for e, sign in signs))
            assert isinstance(answer, Unknown) or isinstance(answer, Sat) == (k in r.covers)


@settings(max_examples=6, deadline=None)
@given(models(reals=True, most=3))
def test_the_same_model_gives_the_same_classes(model: Sfsm) -> None:
    alphabet = alphabet_of(model)
    assert io_classes(model, alphabet) == io_classes(model, alphabet)


@pytest.mark.parametrize(("names", "size"), [((), (27, 8)), (("R1", "R2"), (38, 9))])
def test_brake(names: tuple[str, ...], size: tuple[int, int]) -> None:
    model = read_model(REFERENCE / "brake/brake.yaml")
    properties = [p for p in model.description.properties if p.name in names]
    budget = SolverBudget(None)
    classes = io_classes(model, alphabet_of(model, properties=properties), budget=budget)
    assert (len(classes.classes), len(classes.representatives)) == size
    assert classes.smallest
    assert not classes.undecided
    assert budget.calls <= 3 * size[0]
    check_witnesses(model, classes)


def test_brakes_values_are_as_in_the_paper() -> None:
    model = read_model(REFERENCE / "brake/brake.yaml")
    classes = io_classes(model, alphabet_of(model, properties=model.description.properties))
    assert sorted(r.input["x"] for r in classes.representatives) == [0, 45, 100, 150, 190, 195, 200, 201, 300]
    assert all((Fraction(v) * 100).denominator == 1 for c in classes.classes for v in c.witness.values())


def test_brakes_machine_is_table_2_6() -> None:
    model = read_model(REFERENCE / "brake/brake.yaml")
    machine = class_machine(model, io_classes(model, alphabet_of(model, properties=model.description.properties)))
    rows = {}
    for k, c in enumerate(machine.classes.classes):
        row = tuple(machine.after[s][k] for s in range(3))
        if any(row):
            rows[c.witness["x"], c.witness["y"]] = row
    s0, s1, s2, no = (0,), (1,), (2,), ()
    assert rows == {
        (0, 0): (s0, s0, s0),
        (200, 0): (s0, no, no),
        (200, Fraction(9, 10)): (s1, s1, no),
        (200, 2): (no, no, s2),
        (195, 0): (s0, s0, no),
        (195, Fraction(195, 100)): (no, no, s2),
        (190, 0): (s0, s0, no),
        (190, Fraction(19, 10)): (no, no, s2),
        (100, 0): (s0, s0, s0),
        (201, Fraction(201, 100)): (s2, s2, s2),
        (300, 3): (s2, s2, s2),
    }


@settings(max_examples=15, deadline=None)
@given(models())
def test_the_machine_moves_as_the_model_does(model: Sfsm) -> None:
    machine = class_machine(model, io_classes(model, alphabet_of(model)))
    scope = scope_of(model)
    for (s, state), (k, c) in product(enumerate(model.states), enumerate(machine.classes.classes)):
        expected = {
            model.states.index(t.target)
            for t in model.transitions
            if t.source == state and evaluate(t.guard, scope, c.witness) and evaluate(t.output, scope, c.witness)
        }
        assert machine.after[s][k] == tuple(sorted(expected))


def test_a_machine_needs_its_expressions_in_the_alphabet() -> None:
    model = sfsm([("x < 3", "y == x")], inputs={"x": "int 0..5"}, outputs={"y": "int"})
    other = sfsm([("x < 4", "y == x")], inputs={"x": "int 0..5"}, outputs={"y": "int"})
    with pytest.raises(Bug, match="x < 4"):
        class_machine(other, io_classes(model, alphabet_of(model)))


def test_one_state_without_transitions_is_one_class() -> None:
    model = sfsm([], inputs={"x": "int"}, outputs={"y": "bool"})
    classes = io_classes(model, alphabet_of(model))
    assert [c.signs for c in classes.classes] == [()]
    assert [r.covers for r in classes.representatives] == [(0,)]


def test_contradictory_guards_hold_nowhere() -> None:
    model = sfsm([("x < 3 and x > 4", "y == x"), ("x == x", "y != y")], inputs={"x": "int"}, outputs={"y": "int"})
    classes = io_classes(model, alphabet_of(model))
    assert {c.guards for c in classes.classes} == {(False, True)}
    assert {c.outputs for c in classes.classes} == {(True, False), (False, False)}
    assert len(classes.representatives) == 1


def test_names_may_be_any_letters() -> None:
    model = sfsm([("größe > 3", "ответ == größe")], inputs={"größe": "int 0..9"}, outputs={"ответ": "int 0..9"})
    classes = io_classes(model, alphabet_of(model))
    assert len(classes.classes) == 4
    assert set(classes.classes[0].witness) == {"größe", "ответ"}


def test_two_inputs_that_speak_of_each_other() -> None:
    model = sfsm(
        [("x < z", "y == z - x"), ("x == z", "y == 0"), ("x > z + 10", "y == x - z")],
        inputs={"x": "real 0..100", "z": "real 0..100"},
        outputs={"y": "real 0.."},
    )
    classes = io_classes(model, alphabet_of(model))
    sure, open_ = by_solver(classes.alphabet.expressions, scope_of(model))
    assert {c.signs for c in classes.classes} == sure
    assert not open_
    assert classes.smallest


def test_questions_grow_with_the_classes_not_with_the_alphabet() -> None:
    guards = [f"x <= {10 * k}" for k in range(1, 41)]
    model = sfsm([(g, "y == x") for g in guards], inputs={"x": "real"}, outputs={"y": "real"})
    budget = SolverBudget(None)
    classes = io_classes(model, alphabet_of(model), budget=budget)
    assert len(classes.classes) == 82
    assert budget.calls <= 2 * len(classes.classes)


def test_what_the_solver_cannot_decide_is_kept() -> None:
    """Two cubes that add up to a third: a theorem says that there are none, but no solver knows it."""
    model = sfsm(
        [("true", "y == 1"), ("a > 0 and b > 0 and a * a * a + b * b * b == c * c * c", "y == 0")],
        inputs={"a": "int", "b": "int", "c": "int"},
        outputs={"y": "int 0..1"},
    )
    classes = io_classes(model, alphabet_of(model), timeout=2.0)
    check_witnesses(model, classes)
    assert [c.signs for c in classes.classes] == [(True, False, True, False), (True, False, False, True)]
    for y in (0, 1):  # such cubes would make a class with either output
        left = [residual(formula, scope_of(model), {"y": y}) for formula, _ in classes.undecided]
        assert any(model.transitions[1].guard in nodes(formula) for formula in left)
    assert all(reason for _, reason in classes.undecided)


@pytest.mark.parametrize("guard", ["x * x == 2", "x * x - 2 * x == 4 and x > 0"])
def test_irrational_roots_are_no_values(guard: str) -> None:
    """Values are rationals; a solver that thinks of reals finds a root and cannot name it."""
    model = sfsm([(guard, "y == x"), ("x > 1", "y * y == 5")], inputs={"x": "real"}, outputs={"y": "real"})
    classes = io_classes(model, alphabet_of(model))
    assert not classes.undecided
    assert not any(c.guards[0] or c.outputs[1] for c in classes.classes)
    assert len(classes.classes) == 4


def test_time_over_is_no_answer() -> None:
    model = read_model(REFERENCE / "brake/brake.yaml")
    classes = io_classes(model, alphabet_of(model), timeout=0.0)
    assert classes.undecided
    assert "used up" in classes.undecided[0][1]
    assert {k for r in classes.representatives for k in r.covers} == set(range(len(classes.classes)))
    everything = {c.signs for c in io_classes(model, alphabet_of(model)).classes}
    assert {c.signs for c in classes.classes} <= everything
    missing = everything - {c.signs for c in classes.classes}
    scope = scope_of(model)
    whole = {c.signs: c.witness for c in io_classes(model, alphabet_of(model)).classes}
    for signs in missing:
        assert any(evaluate(formula, scope, whole[signs]) for formula, _ in classes.undecided)


def test_propositions_are_listed_even_where_they_are_guards() -> None:
    model = sfsm([("x > 3", "y == 0")], inputs={"x": "int 0..9"}, outputs={"y": "int 0..9"})
    stated = Property(name="P", formula=parse_formula("G(x > 3 -> X(y == 0 or not (y > 5)))"))
    alphabet = alphabet_of(model, properties=[stated])
    assert alphabet.propositions == tuple(map(parse_expression, ["x > 3", "y == 0", "y > 5"]))
    for c in io_classes(model, alphabet).classes:
        assert c.propositions[:2] == (c.guards[0], c.outputs[0])


@given(st.lists(st.sampled_from(["x < 1", "x < 2", "x < 3"])))
def test_expressions_are_listed_once(texts: list[str]) -> None:
    model = sfsm([(g, "true") for g in texts], inputs={"x": "int"}, outputs={})
    assert list(alphabet_of(model).guards) == [parse_expression(t) for t in dict.fromkeys(texts)]
