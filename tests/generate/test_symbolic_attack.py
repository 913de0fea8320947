"""No faulty machine of the fault domain survives a suite, judged by trying out all values."""

from collections import Counter

import pytest
from tests.oracles.symbolic_attack import attack_equivalence, attack_properties, attack_reduction, questions, words_of
from tests.oracles.symbolic_faults import World, mutants
from tests.strategies.attack_machines import LIVENESS, PROPERTIES, attack_machine, is_complete

from fullproof.artefacts.request import SuiteRequest
from fullproof.kinds.sfsm.method_suite import MethodSuite
from fullproof.kinds.sfsm.methods import answer

KINDS = {"plain": (False, False), "overlapping": (True, False), "choosing": (False, True), "both": (True, True)}


def machines(kind: str, count: int, *, start: int = 1000):
    loose, choices = KINDS[kind]
    found = (attack_machine(seed, loose=loose, choices=choices) for seed in range(start, start + 1000))
    complete = (model for model in found if is_complete(model) and len(model.states) == 2)
    return [next(complete) for _ in range(count)]


@pytest.mark.parametrize("kind", KINDS)
def test_no_mutant_survives_and_no_equivalent_one_fails(kind: str) -> None:
    found = sum((attack_equivalence(model, seed=k) for k, model in enumerate(machines(kind, 2))), Counter())
    assert found["general", "suites"] == 4
    assert found["mutants"] > 500
    assert found["survivors"] == 0
    assert found["unfair"] == 0


def test_no_mutant_that_violates_a_property_survives() -> None:
    found: Counter = Counter()
    for kind in KINDS:
        for model in machines(kind, 1, start=2000):
            for name in PROPERTIES:
                found += attack_properties(model, name)
    assert found["general", "judged"] > 100
    assert found["survivors"] == 0


def test_no_mutant_that_violates_a_property_for_ever_survives() -> None:
    """Liveness and fairness, which no test refutes: docs/proofs/ltl.md."""
    found: Counter = Counter()
    for kind in KINDS:
        for model in machines(kind, 1, start=3000):
            for name in LIVENESS:
                found += attack_properties(model, name)
    assert found["model violates"] < len(KINDS) * len(LIVENESS)
    assert found["general", "judged"] > 100
    assert found["survivors"] == 0


def test_no_mutant_that_is_no_reduction_survives() -> None:
    found = sum((attack_reduction(model) for model in machines("plain", 2) + machines("overlapping", 1)), Counter())
    assert found["general", "judged"] > 100
    assert found["separable", "judged"] > 100
    assert found["survivors"] == 0
    assert found["unfair"] == 0


@pytest.mark.parametrize("weakened", ["a state too many", "no identification"])
def test_the_attack_finds_holes(weakened: str) -> None:
    """Suites for fewer states than a system has, or whose last inputs are missing, let mutants through."""
    survivors = 0
    for model in machines("both", 3) + machines("plain", 3):
        (question,) = questions(model, SuiteRequest(method="general"), (0,))
        suite = answer(question)
        assert isinstance(suite, MethodSuite)
        alphabet = question.machine.classes.alphabet
        world = World(model, alphabet.guards, alphabet.outputs)
        reference = world.machine(model)
        right = world.dfa(reference)
        words = words_of(suite)
        if weakened == "no identification":
            words = [word[:-1] for word in words]
        bound = len(right) + (weakened == "a state too many")
        systems = {world.dfa(mutant) for mutant in mutants(reference, world, extra=1)}
        tree = world.tree(words)
        survivors += sum(world.passes(right, s, tree) for s in systems if s != right and len(s) <= bound)
    assert survivors > 0
