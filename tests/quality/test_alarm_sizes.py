"""The larger alarm systems of paper 004 as finite machines: H suites as published or smaller, auto at the minimum."""

from fractions import Fraction

import pytest
from tests.shared import REFERENCE

from fullproof.analysis.table import Table
from fullproof.formats import read_model
from fullproof.generate.finite.h import h
from fullproof.generate.finite.preparation import prepare
from fullproof.language.compile import compile_expression
from fullproof.language.scope import Scope
from fullproof.language.types import EnumType
from fullproof.model import Fsm, Sfsm
from fullproof.model.fsm import FsmTransition

CASES = {
    "alarm5": ((50, 100, 125, 150, 200), (23, 111, 575, 2875)),
    "alarm8": ((50, 100, 125, 150, 200, 250, 300, 350), (70, 572, 4560, 37008)),
}
LEAST = {"alarm8": (50, 400, 3200, 25600)}


def finite(name: str) -> Table:
    """The machine over one input from each class, with its equivalent states merged."""
    model = read_model(REFERENCE / "alarm" / f"{name}.yaml")
    assert isinstance(model, Sfsm)
    scope = Scope((*model.inputs, *model.outputs), {c.name: c.value for c in model.description.constants})
    answers = model.outputs[0].type
    assert isinstance(answers, EnumType)
    transitions = []
    for t in model.transitions:
        guard, output = compile_expression(t.guard, scope), compile_expression(t.output, scope)
        for x in CASES[name][0]:
            if guard({"x": Fraction(x)}):
                (answer,) = [y for y in answers.values if output({"x": Fraction(x), "y": y})]
                transitions.append(FsmTransition(t.source, str(x), answer, t.target))
    fsm = Fsm(
        name=name,
        initial=model.initial,
        states=model.states,
        inputs=tuple(map(str, CASES[name][0])),
        outputs=answers.values,
        transitions=tuple(transitions),
    )
    return prepare(fsm).table


def test_the_machines_are_those_of_the_paper() -> None:
    assert (finite("alarm5").states, finite("alarm5").inputs) == (4, 5)
    assert (finite("alarm8").states, finite("alarm8").inputs) == (7, 8)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("extra", range(4))
def test_h_is_no_larger_than_published(name: str, extra: int) -> None:
    assert len(h(finite(name), extra_states=extra)) <= CASES[name][1][extra]


@pytest.mark.parametrize("extra", range(4))
def test_h_reaches_the_least_number_of_tests(extra: int) -> None:
    assert len(h(finite("alarm8"), extra_states=extra)) <= LEAST["alarm8"][extra]
