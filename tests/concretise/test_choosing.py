"""Which values inputs get: wide, at boundaries, and beside what the model speaks of."""

from random import Random

from fullproof.artefacts.request import Values
from fullproof.concretise.purpose_driver import chooser_for
from fullproof.language.parser import parse_expression
from fullproof.language.types import IntType, RealType, Variable
from fullproof.language.values import in_range
from fullproof.model.sts import Gate, Sts, Switch

GATE = Gate(name="i", parameters=(Variable(name="p", type=IntType(None, None)),))


def model(gate: Gate = GATE) -> Sts:
    switch = Switch(source="l", gate="i", guard=parse_expression("p > 4711 or p < 9"), assignments=(), target="l")
    variable = Variable(name="n", type=IntType(None, None), initial=77)
    return Sts(
        name="m", initial="l", states=("l",), variables=(variable,), inputs=(gate,), outputs=(), transitions=(switch,)
    )


def drawn(gate: Gate = GATE) -> set:
    chooser = chooser_for(model(gate), Values.RANDOM, Random(1))
    return {chooser.propose(gate, 0, {"n": 77})[0] for _ in range(2000)}


def test_an_unbounded_integer_gets_values_of_every_kind() -> None:
    values = drawn()
    assert {4710, 4711, 4712, 8, 9, 10} <= values  # the numbers of guards, and those beside them
    assert {76, 77, 78} <= values  # what is remembered, and beside it
    assert {-1, 0, 1} <= values
    assert any(value < -1000 for value in values)
    assert any(value > 2**31 for value in values)


def test_values_stay_within_their_types() -> None:
    for type_ in (IntType(0, None), IntType(None, 5), IntType(3, 300), RealType(0, None), RealType(None, None)):
        gate = Gate(name="i", parameters=(Variable(name="p", type=type_),))
        values = drawn(gate)
        assert all(in_range(value, type_) for value in values)
        assert len(values) > 20
