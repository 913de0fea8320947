"""Random symbolic machines with one answer to each input, as guards that are lists of thresholds."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from fullproof.language.parser import parse_expression
from fullproof.language.types import IntType, Variable
from fullproof.model import Sfsm
from fullproof.model.common import Description, FaultDomain
from fullproof.model.sfsm import SfsmTransition

Guard = tuple[tuple[str, str, Fraction], ...]
"""Comparisons of an input with a number, all of which hold."""
LINEAR = ("y == 0", "y == 3", "y == x", "y == x + 2", "y == 9 - x", "y == 2 * x", "y == 18 - 2 * x", "y == 12")
SQUARE = (*LINEAR, "y == (x - 3) ** 2", "y == x * x")
TOP = 9


def text(guard: Guard) -> str:
    return " and ".join(f"{name} {sign} {number}" for name, sign, number in guard) or "true"


@dataclass(frozen=True)
class LocalMachine:
    """A model, its guards as lists, and its thresholds with the bounds of inputs."""

    model: Sfsm
    guards: tuple[Guard, ...]
    marks: dict[str, frozenset[Fraction]]

    def moved(self, distance: dict[str, int]) -> Iterator[str]:
        """Guards with one threshold moved, by their definition: to a mark, or to any half that is far from all."""
        for guard in self.guards:
            for place, (name, sign, _) in enumerate(guard):
                if name not in distance or sign == "==":
                    continue
                marks = self.marks[name]
                halves = [Fraction(k, 2) for k in range(2 * TOP + 1)]
                for number in halves:
                    if number in marks or all(abs(number - mark) >= distance[name] for mark in marks):
                        for other in (">", ">=") if sign in (">", ">=") else ("<", "<="):
                            atom = (name, other, number)
                            yield text((*guard[:place], atom, *guard[place + 1 :]))


def local_machine(
    seed: int, *, inputs: Sequence[str] = ("x",), outputs: Sequence[str] = LINEAR, domain: FaultDomain | None = None
) -> LocalMachine:
    """A complete machine of 2 or 3 states, each with up to three intervals of one of its inputs."""
    chance = random.Random(f"local/{seed}")
    states = tuple(f"s{k}" for k in range(chance.choice((2, 2, 3))))
    pool = chance.sample(outputs, 4)
    transitions, guards = [], []
    marks: dict[str, set[Fraction]] = {name: {Fraction(0), Fraction(TOP)} for name in inputs}
    for number, state in enumerate(states):
        name = chance.choice(inputs)
        cuts = sorted(chance.sample(range(1, TOP), chance.choice((1, 1, 2))))
        marks[name] |= {Fraction(cut) for cut in cuts}
        bounds = [(None, cuts[0]), *pairwise(cuts), (cuts[-1], None)]
        for k, (low, high) in enumerate(bounds):
            atoms = [(name, ">=", Fraction(low))] if low is not None else []
            atoms += [(name, "<", Fraction(high))] if high is not None else []
            guards.append(tuple(atoms))
            target = states[(number + 1) % len(states)] if k == 0 else chance.choice(states)
            transitions.append(
                SfsmTransition(
                    source=state,
                    guard=parse_expression(text(tuple(atoms))),
                    output=parse_expression(chance.choice(pool)),
                    target=target,
                )
            )
    model = Sfsm(
        name=f"local-{seed}",
        initial=states[0],
        states=states,
        inputs=tuple(Variable(name=name, type=IntType(0, TOP)) for name in inputs),
        outputs=(Variable(name="y", type=IntType(-9, 99)),),
        transitions=tuple(transitions),
        description=Description(fault_domain=domain or FaultDomain()),
    )
    return LocalMachine(model, tuple(dict.fromkeys(guards)), {n: frozenset(m) for n, m in marks.items()})
