"""Suites that only machines with overlapping transitions survive, held against all small symbolic machines."""

import random
import re
from collections import Counter
from dataclasses import replace

import pytest
from tests.oracles.every_symbolic import machines, tiny_model
from tests.oracles.partial_attack import Reading
from tests.oracles.symbolic_faults import World, key

from fullproof.artefacts.request import Relation
from fullproof.certify.answers import Complete, Incomplete
from fullproof.certify.largest_symbolic import Has, Lacks, LargestSymbolic, Leads
from fullproof.certify.symbolic_checker import SymbolicDomain, certify_symbolic

RELATIONS = (Relation.EQUIVALENCE, Relation.QUASI_REDUCTION, Relation.REDUCTION)


def survives(reading, system, tests, relation):
    """Whether a system of the domain passes and does not conform; for reduction, systems answer every input."""
    refusing = relation is Relation.REDUCTION and reading.world.undefined(system)
    return not refusing and reading.passes(system, tests, relation) and not reading.conforms(system, relation)


@pytest.mark.requirement("CERTIFY-1", "CERTIFY-2")
@pytest.mark.parametrize("seed", [14, 84, 112])
def test_every_small_symbolic_machine_agrees(seed):
    model, chance = tiny_model(seed), random.Random(seed)
    faults = model.description.fault_domain
    world = World(model, faults.guards, faults.outputs)
    reading = Reading(world, model)
    systems = {world.dfa(machine) for machine in machines(world, states=2, most=3)}
    domain = SymbolicDomain(guards=faults.guards, outputs=faults.outputs, extra_states=0)
    found = Counter()
    for relation in RELATIONS:
        for size in (1, 3, 9):
            words = [[{"x": chance.randrange(3)} for _ in range(chance.choice((2, 3, 4)))] for _ in range(size)]
            tests = [[key(symbol) for symbol in word] for word in words]
            answer, _ = certify_symbolic(model, words, domain, relation=relation, timeout=60)
            found[type(answer)] += 1
            if isinstance(answer, Complete):
                bound = int(re.search(r"at most (\d+) state", answer.reason)[1])
                assert not any(
                    len(system) <= bound and survives(reading, system, tests, relation) for system in systems
                )
            elif isinstance(answer, Incomplete):
                assert survives(reading, world.dfa(world.machine(answer.survivor)), tests, relation)
                found["overlap"] += "in observable form" in answer.reason
            else:
                assert answer.reason == "reductions are decided for complete models, and this one is partial"
    assert found["overlap"]
    assert found[Complete]


def test_the_form_of_a_symbolic_machine_is_told_from_others_with_the_reason():
    # Classes 0 and 1 are those of one transition, class 0 of another one: after class 1 the system is where it also may
    # be after class 0, so what is possible after class 1 is possible after class 0.
    after = [{0: 1, 1: 2}, {}, {0: 1}]
    bundles = [frozenset({0, 1}), frozenset({0})]
    largest = LargestSymbolic(after, bundles)
    assert largest.missing() == (1, 0)
    reasons = [Leads(0, 1, 2), Has(2, 0), Leads(0, 0, 1), Lacks(1, 0)]
    assert sorted(largest.reasons((1, 0)), key=str) == sorted(reasons, key=str)
    for changed in ([{0: 2, 1: 2}, {}, {0: 1}], [{0: 1, 1: 2}, {0: 1}, {0: 1}], [{0: 1, 1: 2}, {}, {}]):
        assert LargestSymbolic(changed, bundles).missing() is None
    assert LargestSymbolic(after, [*bundles, frozenset({1})]).missing() is None


def test_a_survivor_overlaps_only_as_much_as_it_has_to():
    model = tiny_model(84)
    faults = model.description.fault_domain
    domain = SymbolicDomain(guards=faults.guards, outputs=faults.outputs, extra_states=0)
    chance = random.Random(84)
    words = [[{"x": chance.randrange(3)} for _ in range(chance.choice((2, 3, 4)))] for _ in range(1)]
    answer, _ = certify_symbolic(model, words, domain, timeout=60)
    assert isinstance(answer, Incomplete)
    world = World(model, faults.guards, faults.outputs)
    whole = world.dfa(world.machine(answer.survivor))
    for lost in answer.survivor.transitions:
        kept = tuple(t for t in answer.survivor.transitions if t != lost)
        assert world.dfa(world.machine(replace(answer.survivor, transitions=kept))) != whole
