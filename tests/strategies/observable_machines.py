"""Random observable machines by a seed: partial, nondeterministic, complete, deterministic as asked."""

from __future__ import annotations

import random

from fullproof.analysis.responses import Responses
from fullproof.model.fsm import Fsm, FsmTransition


def observable_machine(
    draw: random.Random, *, states: int, inputs: int, outputs: int, complete: bool = False, deterministic: bool = False
) -> Responses:
    """Draw a machine whose states are all reachable; equivalent states may be there."""
    while True:
        density = draw.choice((0.3, 0.5, 0.8))
        after: list[dict[int, dict[int, int]]] = [{} for _ in range(states)]
        for s in range(states):
            for x in range(inputs):
                chosen = [y for y in range(outputs) if draw.random() < density]
                if complete and not chosen:
                    chosen = [draw.randrange(outputs)]
                if deterministic:
                    chosen = draw.sample(chosen, min(1, len(chosen)))
                if chosen:
                    after[s][x] = {y: draw.randrange(states) for y in chosen}
        machine = Responses(inputs=inputs, after=tuple(after))
        if reaches_all(machine):
            return machine


def reaches_all(machine: Responses) -> bool:
    reached = {0}
    for _ in range(machine.states):
        reached |= {t for s in reached for answers in machine.after[s].values() for t in answers.values()}
    return len(reached) == machine.states


def fsm_of(machine: Responses, *, outputs: int) -> Fsm:
    """The same machine as a model; inputs and outputs keep their numbers."""
    return Fsm(
        name="random",
        initial="s0",
        states=tuple(f"s{k}" for k in range(machine.states)),
        inputs=tuple(f"i{k}" for k in range(machine.inputs)),
        outputs=tuple(f"o{k}" for k in range(outputs)),
        transitions=tuple(
            FsmTransition(f"s{s}", f"i{x}", f"o{y}", f"s{t}")
            for s, row in enumerate(machine.after)
            for x, answers in row.items()
            for y, t in answers.items()
        ),
    )
