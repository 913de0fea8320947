"""Small random machines with two inputs and two outputs, and the same with some wrong transitions."""

import random
from itertools import product

from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition


def machine(dice: random.Random, states: int) -> Fsm:
    names = [f"s{k}" for k in range(states)]
    cells = product(names, ("x", "y"))
    transitions = tuple(FsmTransition(s, x, dice.choice("ab"), dice.choice(names)) for s, x in cells)
    return Fsm(name="m", initial="s0", states=tuple(names), inputs=("x", "y"), outputs=("a", "b"),
               transitions=transitions)  # fmt: skip


def with_faults(dice: random.Random, model: Fsm, number: int) -> Fsm:
    changed = list(model.transitions)
    for place in dice.sample(range(len(changed)), number):
        t = changed[place]
        wrong = {"a": "b", "b": "a"}[t.output]
        changed[place] = dice.choice([t._replace(output=wrong), t._replace(target=dice.choice(model.states))])
    return Fsm(name="f", initial="s0", states=model.states, inputs=model.inputs, outputs=model.outputs,
               transitions=tuple(changed))  # fmt: skip
