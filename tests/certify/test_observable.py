"""Suites for partial and nondeterministic models: the exact engine held against all machines there are."""

import random
from collections import Counter

import pytest
from hypothesis import given
from tests.oracles.reduction_survivors import Domain, SearchTooLong, survives
from tests.oracles.reductions import all_machines, complete, conforms, passes
from tests.strategies.observable_machines import fsm_of, observable_machine
from tests.strategies.small_fsms import any_fsms

from fullproof.analysis.alignment import align
from fullproof.analysis.minimise import prime
from fullproof.analysis.observable import observable
from fullproof.analysis.table import relation_table
from fullproof.artefacts.request import Relation
from fullproof.certify import Complete, Incomplete, UndecidedCompleteness, certify
from fullproof.certify.applied_tests import applied_tests
from fullproof.certify.observable import trace_difference, trace_machine

RELATIONS = (
    *(Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION),
    *(Relation.STRONG_REDUCTION, Relation.LANGUAGE_EQUIVALENCE),
)


def asked(fsm, words, relation, extra, timeout=60):
    named = [[fsm.inputs[i] for i in word] for word in words]
    return certify(fsm, named, extra_states=extra, timeout=timeout, relation=relation)


def some_words(draw, inputs):
    return [
        tuple(draw.randrange(inputs) for _ in range(draw.randint(1, 4))) for _ in range(draw.choice((0, 1, 2, 4, 8)))
    ]


def check_survivor(model, fsm, words, answer, relation):
    """What an assessor would do: run the survivor, by the definitions of another room."""
    aligned = align(fsm, answer.survivor)
    assert passes(aligned.model, aligned.other, words, relation)
    assert not conforms(aligned.model, aligned.other, relation)
    assert set(answer.witness) <= set(fsm.inputs)


@pytest.mark.requirement("CERTIFY-1", "CERTIFY-2")
@pytest.mark.parametrize("relation", RELATIONS)
def test_answers_agree_with_enumeration_of_all_machines(relation):
    draw = random.Random(relation.value)
    found = Counter()
    for bound, inputs, outputs in ((2, 1, 1), (2, 1, 2), (3, 1, 1), (2, 2, 1)):
        domain = [
            m for m in all_machines(bound, inputs, outputs + 1) if relation is not Relation.REDUCTION or complete(m)
        ]
        for _ in range(10):
            states = draw.randint(1, bound)
            model = observable_machine(
                draw, states=states, inputs=inputs, outputs=outputs, complete=relation is Relation.REDUCTION
            )
            fsm = fsm_of(model, outputs=outputs)
            extra = bound - trace_machine(fsm).states
            words = some_words(draw, inputs)
            exists = any(
                passes(model, other, words, relation) and not conforms(model, other, relation) for other in domain
            )
            answer = asked(fsm, words, relation, extra)
            assert isinstance(answer, Incomplete if exists else Complete), (model, words)
            found[exists] += 1
            if isinstance(answer, Incomplete):
                check_survivor(model, fsm, words, answer, relation)
                assert len(answer.survivor.states) <= bound
    assert min(found[True], found[False]) >= 3, found


@pytest.mark.parametrize("relation", RELATIONS)
def test_answers_agree_with_a_search_through_larger_machines(relation):
    draw = random.Random(f"larger {relation.value}")
    found = Counter()
    for _ in range(12):
        model = observable_machine(
            draw, states=draw.randint(2, 3), inputs=2, outputs=2, complete=relation is Relation.REDUCTION
        )
        fsm = fsm_of(model, outputs=2)
        words = [tuple(draw.randrange(2) for _ in range(5)) for _ in range(draw.choice((2, 8, 30)))]
        extra = draw.randint(0, 1)
        domain = Domain(trace_machine(fsm).states + extra, 3, relation)
        try:
            exists = relation is not Relation.LANGUAGE_EQUIVALENCE and survives(model, words, domain, guesses=300)
        except SearchTooLong:
            continue
        answer = asked(fsm, words, relation, extra)
        if relation is not Relation.LANGUAGE_EQUIVALENCE:
            assert isinstance(answer, Incomplete if exists else Complete)
        found[type(answer)] += 1
        if isinstance(answer, Incomplete):
            check_survivor(model, fsm, words, answer, relation)
    assert found[Incomplete] >= 1
    assert found[UndecidedCompleteness] == 0


@given(fsm=any_fsms())
def test_states_are_counted_as_by_the_generators(fsm):
    machine = trace_machine(fsm)
    assert machine.states == prime(observable(relation_table(fsm)).relation).relation.states
    for relation in RELATIONS:
        assert trace_difference(machine, machine, relation) is None


@pytest.mark.parametrize("relation", RELATIONS)
def test_places_that_are_apart_differ_in_every_machine_that_passes(relation):
    draw = random.Random(f"apart {relation.value}")
    domain = [m for m in all_machines(2, 1, 2) if relation is not Relation.REDUCTION or complete(m)]
    met = 0
    for _ in range(40):
        model = observable_machine(draw, states=2, inputs=1, outputs=2, complete=relation is Relation.REDUCTION)
        fsm = fsm_of(model, outputs=2)
        word = tuple([0] * draw.randint(1, 4))
        tests = applied_tests(trace_machine(fsm), [word], relation)
        places = tests.places()
        for one in places:
            for other in places:
                if tests.apart(one, other):
                    met += 1
                    for machine in domain:
                        shared = [
                            t for t in range(2) if _fits(tests, one, machine, t) and _fits(tests, other, machine, t)
                        ]
                        assert not shared
    assert met


def _fits(tests, place, machine, t):
    """Whether a state of a machine over one input passes what is left of the tests at a place."""
    width = 3
    defined, row = tests.model.defined(place[1]), machine.after[t].get(0, {})
    if tests.relation in (Relation.STRONG_REDUCTION, Relation.LANGUAGE_EQUIVALENCE) and bool(defined) != bool(row):
        return False
    for i in tests.inputs_at(place):
        allowed = {letter % width for letter in tests.answers(place, i)}
        every = tests.relation in (Relation.EQUIVALENCE, Relation.LANGUAGE_EQUIVALENCE)
        if not row or not row.keys() <= allowed or (every and row.keys() != allowed):
            return False
        if not all(_fits(tests, tests.step(place, i, i * width + y), machine, after) for y, after in row.items()):
            return False
    return True


def test_a_partial_model_has_no_reductions_to_decide():
    fsm = fsm_of(observable_machine(random.Random(3), states=2, inputs=2, outputs=1), outputs=1)
    assert not trace_machine(fsm).is_complete
    answer = asked(fsm, [(0, 1)], Relation.REDUCTION, 0)
    assert isinstance(answer, UndecidedCompleteness)
    assert "partial" in answer.reason


def test_time_that_is_up_is_unknown():
    fsm = fsm_of(observable_machine(random.Random(5), states=3, inputs=2, outputs=2), outputs=2)
    answer = asked(fsm, [(0, 1, 0), (1, 1)], Relation.QUASI_REDUCTION, 2, timeout=0)
    assert isinstance(answer, UndecidedCompleteness)
    assert "0 s" in answer.reason
