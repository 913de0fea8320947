"""A transition system that differs from another one in one place."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from fullproof.language.syntax import Expression
from fullproof.model.sts import INTERNAL, Assignment, Gate, Sts, Switch


@dataclass(frozen=True)
class SwitchParts:
    """Draws switches, and the guards and updates of switches at a gate."""

    switch: Callable[[Random, str], Switch]
    guard: Callable[[Random, Gate], Expression]
    updates: Callable[[Random, Gate], tuple[Assignment, ...]]

    def changed(self, random: Random, model: Sts) -> Sts:
        """The system with another switch in the place of one, or with a changed guard, update or target."""
        switches = list(model.transitions)
        place = random.randrange(len(switches))
        old, new = switches[place], self.switch(random, switches[place].source)
        gate = next(g for g in (*model.inputs, *model.outputs, INTERNAL) if g.name == old.gate)
        switches[place] = random.choice(
            [
                new,
                replace(old, guard=self.guard(random, gate)),
                replace(old, assignments=self.updates(random, gate)),
                replace(old, target=random.choice(model.states)),
            ]
        )
        return replace(model, transitions=tuple(switches))
