"""Components composed into one system, against components that step in parallel."""

from dataclasses import replace
from random import Random

import pytest
from tests.oracles.composition import Parallel, States
from tests.oracles.ioco import TAU_LABEL, Concrete, State

from fullproof.formats.components.composition import CompositionSpec, composed
from fullproof.language.parser import parse_expression
from fullproof.language.types import BoolType, EnumType, IntType, Variable
from fullproof.model import Sts
from fullproof.model.common import Constant, Description
from fullproof.model.sts import TAU, Assignment, Gate, Switch

COLOUR = EnumType(("red", "green", "blue"))
GATES = (
    Gate(name="g", parameters=(Variable(name="p", type=IntType(0, 2)),)),
    Gate(name="h"),
    Gate(name="c", parameters=(Variable(name="d", type=COLOUR), Variable(name="q", type=IntType(0, 3)))),
    Gate(name="k", parameters=(Variable(name="r", type=BoolType()),)),
)
VARIABLES = (
    Variable(name="n", type=IntType(0, 3), initial=0),
    Variable(name="f", type=BoolType(), initial=False),
    Variable(name="e", type=COLOUR, initial="red"),
)
PLAIN = ("true", "true", "n > 1", "f", "not f", "n == LIMIT", "e == red", "e != green")
GUARDS = {
    "g": ("p == n", "p > 0", "p == n + 1", "p != n", "p == LIMIT", "2 * p == n"),
    "h": (),
    "c": ("d == e", "d == green and q == n", "d != e and q < 2", "q == 1", "d < blue and q == n", "d == red or f"),
    "k": ("r == f", "r", "not r", "r or n > 1"),
    TAU: (),
}
UPDATES = {"n": ("0", "(n + 1) % 4", "3 - n"), "f": ("not f", "n == 2"), "e": ("green", "blue", "e")}
WITH = {"g": {"n": ("p", "(n + p) % 4")}, "c": {"e": ("d",), "n": ("q",), "f": ("d == e",)}, "k": {"f": ("r",)}}


def component(random: Random) -> Sts:
    locations = tuple(f"l{k}" for k in range(random.randint(1, 3)))
    gates = random.sample(GATES, random.randint(1, 4))
    inside = random.randint(0, len(gates))
    switches = []
    for _ in range(random.randint(1, 6)):
        gate = random.choice([*(gate.name for gate in gates), TAU])
        guard = random.choice((*GUARDS[gate], *PLAIN))
        changed = random.sample(sorted(UPDATES), random.randint(0, 2))
        updates = [(name, random.choice((*UPDATES[name], *WITH.get(gate, {}).get(name, ())))) for name in changed]
        switches.append(
            Switch(
                source=random.choice(locations),
                gate=gate,
                guard=parse_expression(guard),
                assignments=tuple(Assignment(variable=n, expression=parse_expression(e)) for n, e in updates),
                target=random.choice(locations),
            )
        )
    return Sts(
        name="part",
        initial="l0",
        states=locations,
        variables=VARIABLES,
        inputs=tuple(gates[:inside]),
        outputs=tuple(gates[inside:]),
        transitions=tuple(switches),
        description=Description(constants=(Constant(name="LIMIT", value=random.randint(1, 2)),)),
    )


def drawn(random: Random) -> tuple[list[Sts], frozenset[str], frozenset[str]]:
    """Components, gates on which they synchronise, gates that are hidden."""
    parts = [component(random) for _ in range(random.randint(2, 3))]
    owners: dict[str, list[Sts]] = {}
    for part in parts:
        for gate in (*part.inputs, *part.outputs):
            owners.setdefault(gate.name, []).append(part)
    sync = {
        name
        for name, having in owners.items()
        if len(having) > 1
        and (random.random() < 0.7 or len({any(g.name == name for g in part.inputs) for part in having}) > 1)
    }
    given = {gate.name for part in parts for gate in part.outputs}
    hide = {name for name in sorted(given) if random.random() < 0.5}
    return parts, frozenset(sync), frozenset(hide)


@pytest.mark.parametrize("seed", range(120))
def test_every_step_is_a_step_of_the_components(seed: int) -> None:
    random = Random(f"components {seed}")
    parts, sync, hide = drawn(random)
    parallel = Parallel(parts, sync, hide)
    names = [f"part {number}" for number in range(len(parts))]
    one = composed(CompositionSpec(name="all", parts=list(zip(names, parts, strict=True)), sync=sync, hide=hide))
    assert {gate.name for gate in (*one.inputs, *one.outputs)} == parallel.gates.keys() - hide
    whole = Concrete(one)

    def same(states: States) -> State:
        return "|".join(location for location, _ in states), tuple(value for _, own in states for value in own)

    assert whole.start == same(parallel.start)
    waiting, seen = [parallel.start], {parallel.start}
    while waiting and len(seen) < 300:
        here = waiting.pop(0)
        for label in (*parallel.visible(), TAU_LABEL):
            expected = parallel.after(here, label)
            assert whole.after(same(here), label) == {same(there) for there in expected}, label
            fresh = sorted(expected - seen, key=repr)
            seen.update(fresh)
            waiting += fresh


def test_the_range_of_the_other_side_is_a_condition() -> None:
    """A gate carries what all that take it can carry."""
    wide = Gate(name="g", parameters=(Variable(name="p", type=IntType(0, 9)),))
    narrow = Gate(name="g", parameters=(Variable(name="z", type=IntType(5, 20)),))
    switch = Switch(source="l", gate="g", guard=parse_expression("true"), assignments=(), target="l")
    giving = Sts(name="a", initial="l", states=("l",), variables=(), inputs=(), outputs=(wide,), transitions=(switch,))
    taking = replace(giving, inputs=(narrow,), outputs=())
    whole = Concrete(composed(CompositionSpec(name="all", parts=[("a", giving), ("b", taking)])))
    assert [value for value in range(10) if whole.after(whole.start, ("g", (value,)))] == [5, 6, 7, 8, 9]
