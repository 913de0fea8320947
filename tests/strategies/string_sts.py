"""Small transition systems with strings, and others that differ from them in one place."""

from random import Random

from tests.strategies.changed_sts import SwitchParts

from fullproof.language.formulas import conjunction, disjunction
from fullproof.language.strings import text_of
from fullproof.language.syntax import TRUE, Comparison, Conditional, Expression, Name, Quoted
from fullproof.language.types import StringType, Variable
from fullproof.model.sts import INTERNAL, Assignment, Gate, Sts, Switch

LITERALS = ("", "admin", 'größe\n"x"')
VARIABLES = (
    Variable(name="u", type=StringType(), initial=text_of("")),
    Variable(name="v", type=StringType(), initial=text_of("admin")),
)


def _gate(name: str, *parameters: str) -> Gate:
    return Gate(name=name, parameters=tuple(Variable(name=p, type=StringType()) for p in parameters))


INPUTS = (_gate("one", "p"), _gate("two", "p", "q"))
OUTPUTS = (_gate("say", "p"), _gate("done"))
STATES = ("l0", "l1", "l2")


def string_sts(random: Random) -> Sts:
    """A system; every location has a switch."""
    switches = [_switch(random, source) for source in STATES for _ in range(random.randint(1, 3))]
    return Sts(
        name="strings",
        initial="l0",
        states=STATES,
        variables=VARIABLES,
        inputs=INPUTS,
        outputs=OUTPUTS,
        transitions=tuple(switches),
    )


def _switch(random: Random, source: str) -> Switch:
    gate = random.choice((*INPUTS, *OUTPUTS, *OUTPUTS, INTERNAL))
    target = random.choice(STATES)
    if gate is INTERNAL:  # forward only, so that internal steps end
        if source == STATES[-1]:
            gate = INPUTS[0]
        else:
            target = random.choice(STATES[STATES.index(source) + 1 :])
    guard, updates = _guard(random, gate), _updates(random, gate)
    return Switch(source=source, gate=gate.name, guard=guard, assignments=updates, target=target)


def _guard(random: Random, gate: Gate) -> Expression:
    parts = [_atom(random, gate) for _ in range(random.randint(0, 3))]
    if not parts:
        return TRUE
    return conjunction(parts) if random.random() < 0.7 else disjunction(parts)


def _atom(random: Random, gate: Gate) -> Expression:
    return Comparison((_term(random, gate), _term(random, gate)), (random.choice(("==", "!=")),))


def _term(random: Random, gate: Gate, *, deep: bool = True) -> Expression:
    dice = random.random()
    if gate.parameters and dice < 0.5:
        return Name(random.choice(gate.parameters).name)
    if dice < 0.75:
        return Name(random.choice(VARIABLES).name)
    if deep and dice > 0.93:
        return Conditional(_atom(random, gate), _term(random, gate, deep=False), _term(random, gate, deep=False))
    return Quoted(text_of(random.choice(LITERALS)))


def _updates(random: Random, gate: Gate) -> tuple[Assignment, ...]:
    return tuple(
        Assignment(variable=v.name, expression=_term(random, gate)) for v in VARIABLES if random.random() < 0.4
    )


changed_sts = SwitchParts(_switch, _guard, _updates).changed
"""The system with one change."""
