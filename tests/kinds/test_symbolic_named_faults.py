"""Faults by name of symbolic machines against their definition: all machines of the domain, one by one."""

import random

from tests.oracles.symbolic_members import INPUTS, differ, members

from fullproof.artefacts.request import SuiteRequest
from fullproof.certify.answers import Complete, Incomplete
from fullproof.core.errors import NOWHERE, NothingToDo, UserError
from fullproof.formats.document.document import Document
from fullproof.formats.document.named_faults import named_faults_text
from fullproof.formats.document.sfsm import read_sfsm
from fullproof.formats.yaml.reader import parse_yaml
from fullproof.kinds.kind import CompletenessAsked
from fullproof.kinds.sfsm.fault_members import certify_named_values
from fullproof.kinds.sfsm.named_faults import machine_for, suite_for_named
from fullproof.language.printer import to_text
from fullproof.model.named_faults import FaultName, NamedFaults

MOST = 3_000
NAMES = (FaultName.TRANSFER, FaultName.OUTPUT, FaultName.STUCK, FaultName.SWAPPED)
EQUATIONS = ("y == 0", "y == 1", "y == x", "y == x + 1", "y == 2 * x", "y == 5 - x")


def text_of(dice: random.Random) -> str:
    """A machine whose states divide the inputs at one or two places."""
    states = [f"s{k}" for k in range(dice.randint(1, 3))]
    lines = ["machine: sfsm", "inputs: {x: int 0..5}", "outputs: {y: int -20..30}", "initial: s0", "states:"]
    said = dice.sample(EQUATIONS, dice.randint(2, 3))
    places = dice.sample(range(5), 2)
    for state in states:
        lines.append(f"  {state}:")
        first, second = sorted(dice.choices(places, k=2))
        guards = [f"x <= {first}", f"{first} < x and x <= {second}", f"x > {second}"]
        lines += [
            f"    - {{when: {guard}, then: {dice.choice(said)}, to: {dice.choice(states)}}}"
            for guard in (guards if first < second else (guards[0], guards[2]))
        ]
    return "\n".join(lines)


def small_domains(seed: int, wanted: int):
    """Models with faults whose domains can be enumerated."""
    dice = random.Random(seed)
    while wanted:
        model = read_sfsm(Document(parse_yaml(text_of(dice), file="m.yaml"), file="m.yaml"), default_name="m")
        faults = NamedFaults(
            names=tuple(dice.sample(NAMES, dice.randint(1, 2))),
            states=tuple(dice.sample(model.states, dice.randint(0, 1))),
            at_most=dice.choice([None, 1, 2]),
        )
        listed = members(model, faults, most=MOST)
        if listed is not None and len(listed) > 1:
            wanted -= 1
            yield dice, model, faults, listed


def sequences_of(made):
    return [[dict(made.alphabet[k]) for k in word.tolist()] for piece in made.words.chunks() for word in piece]


def survives(machine, own, tests) -> bool:
    words = [[step["x"] for step in test] for test in tests]
    return all(machine.run(word) == own.run(word) for word in words)


def attack(seed: int, wanted: int) -> tuple[int, int, int]:
    """Domains, differing machines and damaged suites that were tried."""
    domains = tried = damaged = 0
    for dice, model, faults, listed in small_domains(seed, wanted):
        own = listed[0]
        wrong = [one for one in listed if differ(own, one)]
        asked = CompletenessAsked(extra_states=0, seconds=60, faults=named_faults_text(faults))
        try:
            tests = sequences_of(suite_for_named(model, SuiteRequest(), faults, "", NOWHERE))
        except NothingToDo:
            assert not wrong
            continue
        except UserError as error:
            assert "separable" in error.message
            continue
        domains += 1
        assert not any(survives(one, own, tests) for one in wrong)
        assert isinstance(certify_named_values(model, [tuple(t) for t in tests], asked), Complete)
        tried += len(wrong)
        # other inputs of the same cells, and fewer of them: some show less than the whole output
        other = [[{"x": dice.choice(INPUTS)} if dice.random() < 0.4 else s for s in t] for t in tests]
        for some in (other, [*tests[1:], *(t[:-1] for t in tests[:1])]):
            left = any(survives(one, own, some) for one in wrong)
            answer = certify_named_values(model, [tuple(t) for t in some], asked)
            assert isinstance(answer, Incomplete) == left, (model, faults, some)
            assert isinstance(answer, Complete) == (not left)
            damaged += left
    return domains, tried, damaged


def test_a_swapped_reaction_is_the_expression_and_not_what_equals_it_for_other_inputs():
    """For x = 0 the outputs x and 2 x are the same; swapped to other inputs, they differ."""
    text = """
inputs: {x: int 0..5}
outputs: {y: int -20..30}
machine: sfsm
initial: s
states:
  t:
    - {when: x >= 0, then: y == x, to: s}
  s:
    - {when: x <= 0, then: y == 2 * x, to: s}
    - {when: x > 0, then: y == 7, to: s}
"""
    model = read_sfsm(Document(parse_yaml(text, file="m.yaml"), file="m.yaml"), default_name="m")
    machine, named = machine_for(model, NamedFaults(names=(FaultName.SWAPPED,)), None, NOWHERE)
    domain = machine.domain(named, 0, NOWHERE)
    outputs = [to_text(output) for output in machine.alphabet.alphabet.outputs]
    cell = next(c for c, name in enumerate(machine.fsm.inputs) if name != "x = 0")
    assert {outputs[o] for o in domain.choices_of(0, cell)[0]} == {"y == 7", "y == 2 * x"}


def test_no_machine_of_the_domain_survives_and_certify_answers_as_enumeration_does():
    domains, tried, damaged = attack(1, 12)
    assert domains >= 5
    assert tried > 100
    assert damaged >= 5
