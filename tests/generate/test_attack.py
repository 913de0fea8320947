"""A small share of ``benchmarks/attack.py`` on every run, and its search held against plain enumeration."""

import random
from collections import Counter

import pytest
from benchmarks.attack import DETERMINISTIC, PARTS, deterministic, other
from tests.oracles.reduction_survivors import Domain, SearchTooLong, survives
from tests.oracles.reductions import all_machines, complete, conforms, passes
from tests.strategies.observable_machines import observable_machine

from fullproof.artefacts.request import Relation

RELATIONS = (Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION, Relation.STRONG_REDUCTION)


def is_deterministic(machine) -> bool:
    return all(len(answers) == 1 for row in machine.after for answers in row.values())


@pytest.mark.parametrize("relation", RELATIONS)
def test_the_search_agrees_with_enumeration(relation: Relation) -> None:
    draw = random.Random(relation.value)
    whole = relation in (Relation.REDUCTION, Relation.EQUIVALENCE)
    answers: Counter[bool] = Counter()
    for bound, inputs, outputs in ((2, 1, 2), (2, 2, 1), (3, 1, 1)):
        domain = [machine for machine in all_machines(bound, inputs, outputs) if not whole or complete(machine)]
        for _ in range(60):
            states = draw.randint(1, bound)
            model = observable_machine(draw, states=states, inputs=inputs, outputs=outputs, complete=whole)
            words = [[draw.randrange(inputs) for _ in range(draw.randint(1, 4))] for _ in range(draw.randint(1, 4))]
            exists = any(
                passes(model, other, words, relation) and not conforms(model, other, relation) for other in domain
            )
            assert survives(model, words, Domain(bound, outputs, relation, complete=whole)) == exists
            answers[exists] += 1
    assert min(answers[True], answers[False]) >= 3, answers


def test_the_search_agrees_with_enumeration_of_deterministic_partial_machines() -> None:
    draw = random.Random(7)
    domain = [machine for machine in all_machines(2, 2, 2) if is_deterministic(machine)]
    answers = Counter()
    for _ in range(60):
        model = observable_machine(draw, states=draw.randint(1, 2), inputs=2, outputs=2, deterministic=True)
        words = [[draw.randrange(2) for _ in range(draw.randint(1, 5))] for _ in range(draw.randint(1, 8))]
        relation = Relation.EQUIVALENCE
        exists = any(passes(model, other, words, relation) and not conforms(model, other, relation) for other in domain)
        assert survives(model, words, Domain(2, 2, relation, deterministic=True)) == exists
        answers[exists] += 1
    assert min(answers[True], answers[False]) >= 3, answers


def test_the_search_says_when_it_is_cut_short() -> None:
    model = observable_machine(random.Random(1), states=3, inputs=2, outputs=2)
    with pytest.raises(SearchTooLong):
        survives(model, [[0, 1, 0, 1], [1, 0, 1, 0]], Domain(4, 3, Relation.QUASI_REDUCTION), guesses=0)


def test_no_method_lets_a_faulty_machine_through() -> None:
    found: Counter[str] = Counter()
    for index in range(14):
        for _, _, tally in deterministic(index):
            found += tally
    assert (found["survivors"], found["undecided"]) == (0, 0)
    assert found["suites"] == 14 * 2 * 8
    assert found["noticed"] > found["thinned"] * 3 // 4


@pytest.mark.parametrize("name", PARTS)
def test_nor_for_other_relations(name: str) -> None:
    found: Counter[str] = Counter()
    for index in range(8):
        for _, _, tally in other(name, index):
            found += tally
    assert found["survivors"] == 0
    assert found["suites"] >= 10
    assert found["undecided"] == 0
    assert found["searched"] >= 8
    assert found["noticed"] > found["thinned"] // 2


def test_parts_have_names_of_their_own() -> None:
    assert DETERMINISTIC not in PARTS
