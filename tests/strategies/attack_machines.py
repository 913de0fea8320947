"""Random small symbolic machines with a fault domain: whole numbers in small ranges, linear guards and outputs."""

import random
from functools import cache

from tests.oracles.symbolic import Enumerated

from fullproof.language import parser
from fullproof.language.types import IntType, Variable
from fullproof.model import Sfsm
from fullproof.model.common import Description, FaultDomain, Property
from fullproof.model.sfsm import SfsmTransition

DETERMINISTIC_OUTPUTS = (
    "y == 0",
    "y == 1",
    "y == x",
    "y == 4 - x",
    "y + x == 3 or y == 4 and x > 3",
    "2 * y == 8 - 2 * x",
)
OUTPUTS = (*DETERMINISTIC_OUTPUTS, "y <= 1", "1 <= y <= 2", "y >= x", "y < 3")
PROPERTIES = {
    "P0": ("G", "y <= 3", "y <= 3"),
    "P1": ("W", "y < 2", "x > 1"),
    "P2": ("GX", "x > 2", "y > 0"),
    "P3": ("GX", "y == x", "y < 4"),
    "P4": ("W", "y <= x", "x == 0"),
    "P5": ("GX", "x < 2", "y <= 3"),
}
LIVENESS = {
    "L0": ("GF", "y <= 1", "y <= 1"),
    "L1": ("FG", "y < 4", "y < 4"),
    "L2": ("GFGF", "x == 0", "y <= 2"),
    "L3": ("GtoF", "x > 1", "y <= 2 or x == 0"),
    "L4": ("GG", "x <= 1", "y <= 3"),
    "L5": ("GFGF", "x <= 2", "y == x or y < 2"),
    "L6": ("GG", "x >= 1", "y > 0"),
    "L7": ("GtoF", "y > 2", "x <= 1"),
}
TEXTS = {"G": "G({0})", "W": "({0}) W ({1})", "GX": "G(({0}) -> X({1}))"}
TEXTS |= {
    "GF": "G(F({0}))",
    "FG": "F(G({0}))",
    "GFGF": "G(F({0})) -> G(F({1}))",
    "GtoF": "G(({0}) -> F({1}))",
    "GG": "G({0}) -> G({1})",
}


parse_expression, parse_formula = cache(parser.parse_expression), cache(parser.parse_formula)


def attack_machine(seed: int, *, loose: bool, choices: bool, extra: int = 1) -> Sfsm:
    """A complete machine of 2 or 3 states: ``loose`` guards may overlap, ``choices`` are outputs that leave some."""
    chance = random.Random(f"{seed}/{loose}/{choices}")
    top = chance.choice((3, 4))
    pool = OUTPUTS if choices else DETERMINISTIC_OUTPUTS
    outputs = chance.sample(pool, 3)
    first, second = sorted(chance.sample(range(top), 2))
    below, above = f"x <= {first}", f"x > {first}"
    splits = [(below, above), (f"x <= {second}", f"x > {second}"), ("x >= 0",)]
    states = tuple(f"s{k}" for k in range(chance.choice((2, 2, 3))))
    transitions = []
    for number, state in enumerate(states):
        guards = list(chance.choice(splits))
        if loose and chance.random() < 0.7:
            guards.append(chance.choice((below, above, f"x == {second}")))
        for k, guard in enumerate(guards):
            target = states[(number + 1) % len(states)] if k == 0 else chance.choice(states)
            transitions.append(
                SfsmTransition(
                    source=state,
                    guard=parse_expression(guard),
                    output=parse_expression(chance.choice(outputs)),
                    target=target,
                )
            )
    wrong_guard = chance.choice((f"x < {second}", f"x == {first}", "x % 2 == 0"))
    wrong_output = chance.choice([o for o in pool if o not in outputs])
    return Sfsm(
        name=f"attack{seed}",
        initial="s0",
        states=states,
        inputs=(Variable(name="x", type=IntType(0, top)),),
        outputs=(Variable(name="y", type=IntType(0, 4)),),
        transitions=tuple(transitions),
        description=Description(
            fault_domain=FaultDomain(
                extra_states=extra,
                guards=(parse_expression(wrong_guard),),
                outputs=(parse_expression(wrong_output),),
            ),
            properties=tuple(
                Property(name=name, formula=parse_formula(TEXTS[shape].format(*parts)))
                for name, (shape, *parts) in (PROPERTIES | LIVENESS).items()
            ),
        ),
    )


def is_complete(model: Sfsm) -> bool:
    """Whether every state has an answer to every input."""
    found = Enumerated(model)
    return all(answers for state in model.states for answers in found.results(state).values())
