"""Suites for partial symbolic machines: no system of the fault domain passes that differs where these are defined."""

from collections import Counter

import pytest
from tests.oracles.partial_attack import attack_partial, partial_machine

from fullproof.artefacts.request import Relation

KINDS = {"plain": (False, False), "overlapping": (True, False), "choosing": (False, True), "both": (True, True)}


@pytest.mark.parametrize("relation", [Relation.EQUIVALENCE, Relation.QUASI_REDUCTION])
@pytest.mark.parametrize("kind", KINDS)
def test_no_mutant_that_differs_where_the_model_is_defined_survives(kind: str, relation: Relation) -> None:
    loose, choices = KINDS[kind]
    found: Counter = Counter()
    drawn = (partial_machine(seed, loose=loose, choices=choices) for seed in range(4000, 5000))
    machines = (model for model in drawn if model is not None and len(model.states) == 2)
    for number in range(3):
        found += attack_partial(next(machines), relation, extra=number % 2)
    assert found["partial"] >= 1
    assert found["judged"] > 100
    assert 0 < found["conforming"] < found["judged"]
    assert found["survivors"] == found["unfair"] == found["idle"] == 0
