"""Suites for models with assumptions on their inputs, judged by trying out all inputs that keep them.

The worlds of these attacks know no input that breaks an assumption: a suite with one is a KeyError.
"""

import dataclasses
from collections import Counter
from fractions import Fraction
from itertools import count, islice

import pytest
from tests.oracles.local_attack import SmallWorld, attack, polynomial_labels, suite_of
from tests.oracles.symbolic_attack import attack_equivalence, attack_properties
from tests.strategies.assumed_machines import ROWS, assumed_machine
from tests.strategies.attack_machines import PROPERTIES, is_complete
from tests.strategies.local_machines import LINEAR, local_machine

from fullproof.artefacts.request import SuiteRequest
from fullproof.language.parser import parse_expression
from fullproof.model import Sfsm
from fullproof.model.common import FaultDomain, Threshold


def machines(assumption: str, *, choices: bool, number: int) -> list[Sfsm]:
    found = (assumed_machine(seed, assumption, choices=choices) for seed in count())
    return list(islice((model for model in found if is_complete(model)), number))


@pytest.mark.parametrize("assumption", ROWS)
def test_no_mutant_that_differs_on_assumed_inputs_survives(assumption: str) -> None:
    found: Counter = Counter()
    for choices in (False, True):
        for k, model in enumerate(machines(assumption, choices=choices, number=2)):
            found += attack_equivalence(model, seed=k, extras=(k,))
    assert found["general", "suites"] == 4
    assert found["mutants"] > 500
    assert found["survivors"] == 0
    assert found["unfair"] == 0


def test_no_mutant_that_violates_a_property_on_assumed_inputs_survives() -> None:
    found: Counter = Counter()
    for assumption in ROWS:
        (model,) = machines(assumption, choices=False, number=1)
        for name in PROPERTIES:
            found += attack_properties(model, name, extras=(0,))
    assert found["general", "judged"] > 20
    assert found["survivors"] == 0


@pytest.mark.parametrize("domain", ["guards", "thresholds", "polynomials"])
def test_no_local_fault_on_assumed_inputs_survives(domain: str) -> None:
    """Thresholds that move and polynomials are distinguished by assumed inputs alone, or not at all."""
    found: Counter = Counter()
    wrong = tuple(map(parse_expression, ("x < 3", "x != 4", "2 <= x < 7", "x <= 6")))
    domains = {
        "guards": FaultDomain(guards=wrong, outputs=tuple(map(parse_expression, LINEAR))),
        "thresholds": FaultDomain(thresholds=(Threshold(variable="x", distance=Fraction(2)),)),
        "polynomials": FaultDomain(degree=1),
    }
    for seed, assumption in enumerate(("x % 2 == 0", "x != 4", "x <= 2 or x >= 6")):
        machine = local_machine(seed + 30, domain=domains[domain])
        model = dataclasses.replace(machine.model, assumptions=(parse_expression(assumption),))
        guards = [*(t.guard for t in model.transitions), *domains[domain].guards]
        if domain == "thresholds":
            guards += map(parse_expression, machine.moved({"x": 2}))
        outputs = [*(t.output for t in model.transitions), *domains[domain].outputs]
        world = SmallWorld(model, guards, outputs)
        labels = polynomial_labels(world, 1) if domain == "polynomials" else []
        suite = suite_of(model, SuiteRequest(method="local"))
        found += attack(world, world.labels(labels), suite, extra=0, seed=seed, machines=200)
    assert found["judged"] > 300
    assert found["survivors"] == found["unfair"] == 0
