"""Small transition systems with lists, and others that differ from them in one place."""

from random import Random

from tests.strategies.changed_sts import SwitchParts

from fullproof.language.list_functions import with_defaults
from fullproof.language.lists import listed
from fullproof.language.parser import parse_expression
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.language.types import EnumType, IntType, ListType, Variable
from fullproof.model.sts import Assignment, Gate, Sts, Switch

BITS, COLOURS = ListType(IntType(0, 1), 2), ListType(EnumType(("red", "green")), 1)
VARIABLES = (
    Variable(name="u", type=BITS, initial=listed([0])),
    Variable(name="v", type=BITS, initial=listed([])),
    Variable(name="k", type=COLOURS, initial=listed(["green"])),
)


def _gate(name: str, **parameters: ListType | IntType) -> Gate:
    return Gate(name=name, parameters=tuple(Variable(name=p, type=t) for p, t in parameters.items()))


INPUTS = (_gate("many", p=BITS), _gate("one", i=IntType(0, 1)), _gate("paint", c=COLOURS))
OUTPUTS = (_gate("say", p=BITS), _gate("done"))
STATES = ("l0", "l1")
GUARDS = {
    "": ["true", "u == v", "len(u) > len(v)", "u[0] == 1", "red in k", "1 in append(u, v[1])", "rest(u) == []"],
    "many": ["p == u", "p != v", "len(p) == 2", "p[0] == u[0]", "0 in p", "rest(p) == v", "not p[1] in u"],
    "one": ["i in u", "u[i] == i", "append(v, i) == u", "v == [i, i]"],
    "paint": ["c == k", "len(c) == 0", "c[0] == green", "green in c"],
    "say": ["p == u", "p == rest(v)", "len(p) == len(u) and p[0] == v[0]", "p == [0, 1] or p == v"],
}
UPDATES = {
    "": ["u", "v", "[]", "rest(u)", "[1]", "if 1 in v then u else v", "append(rest(v), u[0])", "[u[1], v[0]]"],
    "many": ["p", "rest(p)", "append(rest(p), 1)"],
    "one": ["[i]", "append(rest(u), i)"],
}


def list_sts(random: Random) -> Sts:
    """A system; every location has a switch. No update makes a list too long."""
    switches = [_switch(random, source) for source in STATES for _ in range(random.randint(2, 3))]
    return Sts(
        name="lists",
        initial="l0",
        states=STATES,
        variables=VARIABLES,
        inputs=INPUTS,
        outputs=OUTPUTS,
        transitions=tuple(switches),
    )


def _switch(random: Random, source: str) -> Switch:
    gate = random.choice((*INPUTS, *OUTPUTS, *OUTPUTS))
    target = random.choice(STATES)
    guard, updates = _guard(random, gate), _updates(random, gate)
    return Switch(source=source, gate=gate.name, guard=guard, assignments=updates, target=target)


def _read(text: str, gate: Gate) -> Expression:
    return with_defaults(parse_expression(text), Scope((*VARIABLES, *gate.parameters)))


def _guard(random: Random, gate: Gate) -> Expression:
    texts = [*GUARDS.get(gate.name, ()), *GUARDS[""]]
    parts = random.sample(texts, random.randint(1, 2))
    return _read(random.choice((" and ", " or ")).join(f"({part})" for part in parts), gate)


def _updates(random: Random, gate: Gate) -> tuple[Assignment, ...]:
    texts = [*UPDATES[""], *UPDATES.get(gate.name, ()), *UPDATES.get(gate.name, ())]
    return tuple(
        Assignment(variable=v.name, expression=_read(random.choice(texts), gate))
        for v in VARIABLES[:2]
        if random.random() < 0.4
    )


changed_sts = SwitchParts(_switch, _guard, _updates).changed
"""The system with one change."""
