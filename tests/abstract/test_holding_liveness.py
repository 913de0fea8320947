"""Model checking of formulas of any form against all lassos of small machines, value by value."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.class_machines import enumerated_machine, scope_of
from tests.oracles.lassos import Graph, lassos
from tests.oracles.ltl import holds
from tests.oracles.symbolic import Enumerated
from tests.strategies.sfsms import sfsms

from fullproof.abstract.property_product import holding, sfsm_holding
from fullproof.artefacts.property_answers import Holds, Undecided, Violated
from fullproof.language import parse_formula
from fullproof.language.compile import compile_expression
from fullproof.language.propositions import atomic_propositions
from fullproof.model import Sfsm

_ATOMS = ("x < 2", "y > 3", "e == O", "b", "y == x", "x % 2 == 0")
_TEMPLATES = (
    "G(F({a}))",
    "F(G({a}))",
    "G({a} -> F({b}))",
    "G(F({a})) -> G(F({b}))",
    "({a}) U ({b})",
    "G({a}) -> G({b})",
    "F({a}) and G(({b}) or X({a}))",
    "(F({a}) W ({b})) or X(F(G(not ({b}))))",
)
questions = st.tuples(st.sampled_from(_TEMPLATES), st.sampled_from(_ATOMS), st.sampled_from(_ATOMS))


def _graph(model: Sfsm, atoms: dict[str, str]) -> Graph:
    scope = scope_of(model)
    tests = {name: compile_expression(parse_formula(text), scope) for name, text in atoms.items()}
    table, number = Enumerated(model), {state: k for k, state in enumerate(model.states)}
    steps = (
        [(frozenset(n for n, test in tests.items() if test(dict(x) | dict(y))), number[to]) for (x, y), to in row]
        for row in map(table.step, model.states)
    )
    return tuple(tuple(dict.fromkeys(row)) for row in steps)


@given(sfsms(), questions)
@settings(max_examples=60)
def test_answers_are_those_of_all_lassos(model: Sfsm, question: tuple[str, str, str]) -> None:
    template, a, b = question
    formula, plain = parse_formula(template.format(a=a, b=b)), parse_formula(template.format(a="a", b="b"))
    graph = _graph(model, {"a": a, "b": b})
    start = model.states.index(model.initial)
    machine = enumerated_machine(model, atomic_propositions(formula))
    answers = [sfsm_holding(model, formula, timeout=None), holding(machine, formula)]
    assert type(answers[0]) is type(answers[1])
    if answers[0] == Holds():
        assert all(holds(plain, stem, loop) for stem, loop in lassos(graph, 4, start=start))
        return
    for answer in answers:
        assert isinstance(answer, Violated)
        assert answer.loop is not None
        letters = _replayed(model, answer, {"a": a, "b": b})
        assert not holds(plain, letters[: answer.loop], letters[answer.loop :])


def _replayed(model: Sfsm, answer: Violated, atoms: dict[str, str]) -> list[frozenset[str]]:
    """The letters of a trace that the model has, whose loop closes."""
    table, scope = Enumerated(model), scope_of(model)
    inputs, outputs = ([v.name for v in vs] for vs in (model.inputs, model.outputs))
    assert answer.states[0] == model.initial
    for values, source, target in zip(answer.trace, answer.states, answer.states[1:], strict=False):
        pair = tuple(tuple((name, values[name]) for name in names) for names in (inputs, outputs))
        assert (pair, target) in table.step(source)
    assert answer.loop is not None
    assert answer.states[-1] == answer.states[answer.loop]
    tests = {name: compile_expression(parse_formula(text), scope) for name, text in atoms.items()}
    return [frozenset(name for name, test in tests.items() if test(values)) for values in answer.trace]


def test_what_the_solver_may_not_take_its_time_for_stays_open() -> None:
    from tests.shared import ROOT

    from fullproof.formats import read_model

    model = read_model(ROOT / "tests/data/reference/brake/brake.yaml")
    assert isinstance(model, Sfsm)
    formula = parse_formula("G(F((x - y) ** 3 + x * y > 7)) or G(F(x ** 2 * y < 3))")
    assert isinstance(sfsm_holding(model, formula, timeout=0), Undecided)
