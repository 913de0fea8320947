"""Random small symbolic machines whose guards are complete and exclude each other only within an assumption."""

import random

from tests.strategies.attack_machines import DETERMINISTIC_OUTPUTS, OUTPUTS, PROPERTIES, TEXTS, parse_formula

from fullproof.language.parser import parse_expression
from fullproof.language.types import IntType, Variable
from fullproof.model import Sfsm
from fullproof.model.common import Description, FaultDomain, Property
from fullproof.model.sfsm import SfsmTransition

ROWS = {
    "z <= x": (("z == x", "z < x"), ("x <= 1", "x > 1"), ("z < x", "x <= z")),
    "x + z == 3": (("x == 3 - z",), ("z <= 1", "x <= 1"), ("x >= 2", "z >= 2")),
    "x != 2": (("x < 2", "x > 2"), ("z == 0", "z > 0"), ("x <= 1", "x >= 3")),
}
"""For each assumption the guards that a state may have."""


def assumed_machine(seed: int, assumption: str, *, choices: bool) -> Sfsm:
    """A machine of 2 states over two inputs; ``choices`` are outputs that leave some."""
    chance = random.Random(f"{seed}/{assumption}/{choices}")
    pool = OUTPUTS if choices else DETERMINISTIC_OUTPUTS
    outputs = chance.sample(pool, 3)
    states = ("s0", "s1")
    transitions = [
        SfsmTransition(
            source=state,
            guard=parse_expression(guard),
            output=parse_expression(chance.choice(outputs)),
            target=states[1 - number] if k == 0 else chance.choice(states),
        )
        for number, state in enumerate(states)
        for k, guard in enumerate(chance.choice(ROWS[assumption]))
    ]
    wrong_output = chance.choice([o for o in pool if o not in outputs])
    return Sfsm(
        name=f"assumed{seed}",
        initial="s0",
        states=states,
        inputs=(Variable(name="x", type=IntType(0, 3)), Variable(name="z", type=IntType(0, 3))),
        outputs=(Variable(name="y", type=IntType(0, 4)),),
        transitions=tuple(transitions),
        assumptions=(parse_expression(assumption),),
        description=Description(
            fault_domain=FaultDomain(
                extra_states=1,
                guards=(parse_expression(chance.choice(("x < z + 1", "z % 2 == 0", "x > 2"))),),
                outputs=(parse_expression(wrong_output),),
            ),
            properties=tuple(
                Property(name=name, formula=parse_formula(TEXTS[shape].format(*parts)))
                for name, (shape, *parts) in PROPERTIES.items()
            ),
        ),
    )
