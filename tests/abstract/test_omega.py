"""Omega: paper 000, section 4.2 and 5.3."""

from itertools import combinations

from hypothesis import given, settings
from tests.oracles.class_machines import enumerated_machine
from tests.shared import REFERENCE
from tests.strategies.class_machines import class_machines

from fullproof.abstract.alphabet import alphabet_of
from fullproof.abstract.classes import io_classes
from fullproof.abstract.machine import class_machine
from fullproof.abstract.omega import omega, omega_machine, preserves_states, preserving_omega, with_propositions
from fullproof.analysis.state_preservation import Preserving
from fullproof.artefacts.abstraction import ClassMachine
from fullproof.artefacts.omega import Confusion
from fullproof.formats import read_model
from fullproof.language.parser import parse_expression
from fullproof.language.printer import to_text
from fullproof.language.types import BoolType, IntType, Variable
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition


def _fork() -> Sfsm:
    """From s0, x = 0 leads to s1 or s2, which only y tells; x = 1 leads to s1."""
    steps = [
        ("s0", "x == 0", "y == 1", "s1"),
        ("s0", "x == 0", "y == 2", "s2"),
        ("s0", "x == 1", "y == 1", "s1"),
        ("s1", "true", "y == 0 and z", "s0"),
        ("s2", "true", "y == 0 and not z", "s0"),
    ]
    return Sfsm(
        name="fork",
        initial="s0",
        states=("s0", "s1", "s2"),
        inputs=(Variable(name="x", type=IntType(0, 1)),),
        outputs=(Variable(name="y", type=IntType(0, 2)), Variable(name="z", type=BoolType())),
        transitions=tuple(
            SfsmTransition(source=s, guard=parse_expression(g), output=parse_expression(o), target=t)
            for s, g, o, t in steps
        ),
    )


def test_a_fork_that_the_propositions_do_not_see() -> None:
    machine = enumerated_machine(_fork(), [parse_expression("x == 0"), parse_expression("z")])
    assert omega(machine) == tuple(c.propositions for c in machine.classes.classes)
    answer = preserves_states(machine)
    assert isinstance(answer, Confusion)
    refined = preserving_omega(machine)
    assert refined.confusion == answer
    assert refined.smallest
    assert len(refined.added) == 1
    assert refined.machine.classes.alphabet.propositions[2:] == refined.added
    assert isinstance(preserves_states(refined.machine), Preserving)


def test_nothing_is_added_where_nothing_is_confused() -> None:
    machine = enumerated_machine(_fork(), [parse_expression("y == 2"), parse_expression("z")])
    found = preserving_omega(machine)
    assert found.added == ()
    assert found.machine is machine
    assert found.distinguishes(1, 2)


def test_without_propositions_there_is_nothing_to_tell_apart() -> None:
    machine = enumerated_machine(_fork())
    found = preserving_omega(machine)
    assert set(found.blocks.values()) == {0}
    assert omega_machine(machine) == ({(): (1, 2)}, {(): (0,)}, {(): (0,)})


@given(class_machines())
@settings(max_examples=150, deadline=None)
def test_additions_preserve_states_and_fewer_do_not(machine: ClassMachine) -> None:
    found = preserving_omega(machine)
    answer = preserves_states(found.machine)
    assert isinstance(answer, Preserving)
    assert answer.blocks == found.blocks
    assert (found.confusion is None) == (not found.added)
    assert found.machine.after == machine.after
    assert [c.witness for c in found.machine.classes.classes] == [c.witness for c in machine.classes.classes]
    alphabet = machine.classes.alphabet
    if found.added and found.smallest:
        everything = range(len(alphabet.guards) + len(alphabet.outputs))
        for size in range(len(found.added)):
            for positions in combinations(everything, size):
                assert not isinstance(preserves_states(with_propositions(machine, positions)), Preserving)


@given(class_machines())
@settings(max_examples=150, deadline=None)
def test_where_the_search_is_given_up_no_addition_is_idle(machine: ClassMachine) -> None:
    found = preserving_omega(machine, trials=0)
    assert isinstance(preserves_states(found.machine), Preserving)
    if not found.added:
        return
    assert not found.smallest
    positions = [machine.classes.alphabet.expressions.index(added) for added in found.added]
    for position in positions:
        fewer = with_propositions(machine, [other for other in positions if other != position])
        assert not isinstance(preserves_states(fewer), Preserving)


def test_brake_is_abstracted_as_in_table_2_7() -> None:
    """Paper 000: s0 and s1 cannot be distinguished under omega, and omega preserves states."""
    model = read_model(REFERENCE / "brake" / "brake.yaml")
    assert isinstance(model, Sfsm)
    alphabet = alphabet_of(model, properties=model.description.properties)
    machine = class_machine(model, io_classes(model, alphabet))
    names = {"y <= B1": "a3", "x > vmax": "a1", "y >= B2 - 0.1": "a4", "x < vmax - delta": "a2"}
    atoms = [names[to_text(atom)] for atom in alphabet.propositions]
    table = [
        {
            "".join(sorted(a for a, holds in zip(atoms, image, strict=True) if holds)): [
                model.states[t] for t in targets
            ]
            for image, targets in row.items()
        }
        for row in omega_machine(machine)
    ]
    low = {"a2a3": ["s0"], "a3": ["s0", "s1"], "a1a4": ["s2"]}
    assert table == [low, low, {"a2a3": ["s0"], "a4": ["s2"], "a1a4": ["s2"]}]
    found = preserving_omega(machine)
    assert found.added == ()
    assert not found.distinguishes(0, 1)
    assert found.distinguishes(0, 2)
    assert found.distinguishes(1, 2)
