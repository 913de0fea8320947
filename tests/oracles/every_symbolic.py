"""All symbolic machines of so many states over a few guards and output expressions; transitions may overlap."""

import random
from collections.abc import Iterator
from itertools import combinations, product

from tests.oracles.symbolic_faults import Machine, World

from fullproof.language.parser import parse_expression
from fullproof.language.types import IntType, Variable
from fullproof.model import Sfsm
from fullproof.model.common import Description, FaultDomain
from fullproof.model.sfsm import SfsmTransition

_GUARDS = ("x >= 0", "x <= 0", "x >= 1", "x <= 1", "x == 1")
_OUTPUTS = ("y == 0", "y == 1", "y <= 1", "x + y >= 1", "y >= x - 1", "y == x % 2", "y == 1 - x % 2")
_SOMETIMES = ("y == x", "y + x <= 1", "y == 2 - x", "y >= x")
"""These have no value for some input."""


def machines(world: World, *, states: int, most: int) -> Iterator[Machine]:
    """Every set of transitions with at most so many from each state."""
    ways = [(g, o, t) for (g, o), letters in world.admits.items() if letters for t in range(states)]
    rows = [row for number in range(most + 1) for row in combinations(ways, number)]
    for chosen in product(rows, repeat=states):
        yield Machine(states, tuple((s, *way) for s, row in enumerate(chosen) for way in row))


def tiny_model(seed: int) -> Sfsm:
    """A machine of two states that may be partial and overlap; every input that a guard admits has an answer.

    Systems may use an output expression that has no value for some inputs.
    """
    chance = random.Random(seed)
    guards = [parse_expression(text) for text in chance.sample(_GUARDS, 2)]
    outputs = [parse_expression(text) for text in chance.sample(_OUTPUTS, chance.choice((1, 2)))]
    others = [parse_expression(chance.choice(_SOMETIMES))] if len(outputs) == 1 else []
    transitions = [
        SfsmTransition(source=state, guard=guard, output=chance.choice(outputs), target=chance.choice(("s0", "s1")))
        for state in ("s0", "s1")
        for guard in chance.choices(guards, k=chance.choice((1, 2, 2, 3)))
    ]
    return Sfsm(
        name=f"tiny{seed}",
        initial="s0",
        states=("s0", "s1"),
        inputs=(Variable(name="x", type=IntType(0, 2)),),
        outputs=(Variable(name="y", type=IntType(0, 1)),),
        transitions=tuple(dict.fromkeys(transitions)),
        description=Description(fault_domain=FaultDomain(guards=tuple(guards), outputs=(*outputs, *others))),
    )
