"""Random small transition systems, with internal steps or without, and mutants of them."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from random import Random

from fullproof.language.parser import parse_expression
from fullproof.language.types import BoolType, IntType, Variable
from fullproof.model.sts import TAU, Assignment, Gate, Sts, Switch

VARIABLES = (
    Variable(name="n", type=IntType(0, 3), initial=0),
    Variable(name="f", type=BoolType(), initial=False),
)
INPUTS = (Gate(name="a", parameters=(Variable(name="p", type=IntType(0, 2)),)), Gate(name="b"))
OUTPUTS = (
    Gate(name="x", parameters=(Variable(name="q", type=IntType(0, 3)),)),
    Gate(name="y"),
    Gate(name="z", parameters=(Variable(name="r", type=BoolType()),)),
)
PLAIN = ("true", "true", "true", "n > 1", "n < 2", "f", "not f", "n == 0 or f")
GUARDS = {
    "a": ("p > 0", "p == n", "p != n", "p <= n", "p == 1 and not f", "true"),
    "b": PLAIN,
    "x": ("q == n", "q == n", "q == 3 - n", "q > n", "q <= n and q != 1", "q == (if f then 1 else 2)"),
    "y": PLAIN,
    "z": ("r == f", "r == (n > 1)", "r or n == 2", "true"),
}
UPDATES = {
    "n": ("0", "(n + 1) % 4", "3 - n", "if f then 0 else 2", "min(n + 1, 3)"),
    "f": ("not f", "n == 2", "true", "n > 1"),
}
WITH = {"a": {"n": ("p", "(n + p) % 4", "max(p, n)"), "f": ("p == n",)}, "x": {"n": ("q",)}, "z": {"f": ("r",)}}


class Internal(Enum):
    """Whether models take internal steps."""

    NONE = "no"
    SOME = "some"


def random_switch(random: Random, locations: tuple[str, ...], source: str | None = None) -> Switch:
    """A switch between any locations."""
    gate = random.choice([*INPUTS, *OUTPUTS])
    assignments = []
    for name, choices in UPDATES.items():
        options = (*choices, *WITH.get(gate.name, {}).get(name, ()) * 2)
        if random.random() < 0.4:
            assignments.append(Assignment(variable=name, expression=parse_expression(random.choice(options))))
    return Switch(
        source=source or random.choice(locations),
        gate=gate.name,
        guard=parse_expression(random.choice(GUARDS[gate.name])),
        assignments=tuple(assignments),
        target=random.choice(locations),
    )


def random_model(random: Random) -> Sts:
    """A model of 2 to 4 locations, each with one switch at least."""
    locations = tuple(f"l{number}" for number in range(random.randint(2, 4)))
    switches = [random_switch(random, locations, source) for source in locations]
    switches += [random_switch(random, locations) for _ in range(random.randint(1, 5))]
    return Sts(
        name="random",
        initial="l0",
        states=locations,
        variables=VARIABLES,
        inputs=INPUTS,
        outputs=OUTPUTS,
        transitions=tuple(switches),
    )


def with_internal_steps(random: Random, model: Sts) -> Sts:
    """The model with one to three internal steps more, which always end: they lead to later locations."""
    steps = []
    for _ in range(random.randint(1, 3)):
        source, target = sorted(random.sample(range(len(model.states)), 2))
        drawn = random_switch(random, model.states)
        updates = tuple(
            Assignment(variable=name, expression=parse_expression(random.choice(UPDATES[name])))
            for name in [a.variable for a in drawn.assignments]
        )
        guard = parse_expression(random.choice(PLAIN))
        ends = {"source": model.states[source], "target": model.states[target]}
        steps.append(Switch(gate=TAU, guard=guard, assignments=updates, **ends))
    return replace(model, transitions=(*model.transitions, *steps))


def random_mutant(random: Random, model: Sts) -> Sts:
    """The model with one change: a switch more, less or elsewhere, another guard, another update."""
    switches = list(model.transitions)
    place = random.randrange(len(switches))
    old, fresh = switches[place], random_switch(random, model.states)
    match random.choice(("drop", "add", "target", "guard", "update")):
        case "drop":
            del switches[place]
        case "add":
            switches.append(fresh)
        case "target":
            switches[place] = replace(old, target=fresh.target)
        case "guard":
            switches[place] = replace(old, guard=parse_expression(random.choice(GUARDS.get(old.gate, PLAIN))))
        case _:
            name = random.choice(list(UPDATES))
            kept = tuple(a for a in old.assignments if a.variable != name)
            new = Assignment(variable=name, expression=parse_expression(random.choice(UPDATES[name])))
            switches[place] = replace(old, assignments=(*kept, new))
    return replace(model, transitions=tuple(switches))


def drawn_model(random: Random, internal: Internal) -> Sts:
    """A random model with or without internal steps."""
    model = random_model(random)
    return with_internal_steps(random, model) if internal is Internal.SOME else model
