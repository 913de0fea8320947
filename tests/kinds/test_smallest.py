"""Suites grown by counterexamples for partial machines with states that no defined word distinguishes."""

import random

import numpy as np
import pytest
from benchmarks.partial import door
from tests.oracles.quasi_equivalence import survivors
from tests.oracles.survivors import SearchTooLong, find_survivor
from tests.strategies.partial_machines import fsm_of_table, merging_machine

from fullproof.analysis.separation import separation
from fullproof.analysis.table import Table
from fullproof.artefacts.request import SuiteRequest
from fullproof.certify.answers import Complete
from fullproof.certify.checker import certify
from fullproof.certify.machine import difference, minimal, tabulate
from fullproof.certify.partial_encoding import inseparable_states
from fullproof.certify.shrink import ShrinkLimits, grown, shrink
from fullproof.core.deadline import Deadline
from fullproof.core.errors import NOWHERE
from fullproof.generate.finite.preparation import prepare
from fullproof.generate.finite.suite import FiniteSuite, finite_suite
from fullproof.kinds.fsm.smallest import smallest_suite

LIMITS = ShrinkLimits(steps=4_000_000)
Words = list[tuple[int, ...]]


def listed(suite: FiniteSuite) -> Words:
    return [tuple(word.tolist()) for piece in suite.words.chunks() for word in piece]


def price(words: Words) -> int:
    return sum(map(len, words)) + len(words)


def grown_words(table: Table, extra: int) -> Words | None:
    fsm = fsm_of_table(table)
    found = grown(fsm, extra_states=extra, limits=LIMITS)
    return None if found is None else [tuple(fsm.inputs.index(name) for name in word) for word in found.words]


def survives(table: Table, words: Words, bound: int) -> bool | None:
    try:
        return find_survivor(table, words, bound, guesses=20_000) is not None
    except SearchTooLong:
        return None


@pytest.mark.parametrize(("states", "extra"), [(2, 0), (3, 0), (2, 1)])
def test_no_machine_of_the_fault_domain_survives(states: int, extra: int) -> None:
    draw = random.Random(f"{states}/{extra}")
    noticed = 0
    for _ in range(12 if states + extra < 3 else 2):
        table = merging_machine(draw, states=states, inputs=2, outputs=2, gaps=0.3)
        words = grown_words(table, extra)
        assert words is not None
        assert next(survivors(table, words, states=states + extra), None) is None
        shorter = [words[0][:-1], *words[1:]]
        noticed += next(survivors(table, shorter, states=states + extra), None) is not None
    assert noticed > 0


def test_no_larger_machine_survives_and_every_input_is_needed() -> None:
    noticed = attacked = 0
    for index in range(10):
        draw = random.Random(index)
        table = merging_machine(draw, states=draw.choice((3, 4)), inputs=draw.choice((2, 3)), outputs=2, gaps=0.35)
        extra = index % 2
        words = grown_words(table, extra)
        if words is None:
            continue
        attacked += 1
        bound = table.states + extra
        assert survives(table, words, bound) in (False, None)
        lost = draw.randrange(len(words))
        shorter = [word[:-1] if k == lost else word for k, word in enumerate(words)]
        noticed += survives(table, shorter, bound) is True
    assert attacked >= 8
    assert noticed > 0.7 * attacked


def test_inseparable_states_are_those_that_no_common_word_distinguishes() -> None:
    for index in range(20):
        table = merging_machine(random.Random(index), states=6, inputs=3, outputs=2, gaps=0.4)
        model = tabulate(fsm_of_table(table))
        found = inseparable_states(model)
        for one in range(6):
            for other in range(6):
                apart = difference(model, model, start=(one, other)) is not None
                assert (other in found[one]) is not apart
        assert sum(map(len, found)) - 6 == 2 * separation(table).inseparable


def test_auto_is_cheaper_than_state_counting_and_certified_by_the_other_encoding() -> None:
    model = door()
    counted = finite_suite(model, SuiteRequest(), extra_states=0)
    smaller = smallest_suite(model, SuiteRequest(), extra_states=0, at=NOWHERE, clock=Deadline(None))
    assert price(listed(smaller)) < 0.8 * price(listed(counted))
    words = [[model.inputs[symbol] for symbol in word] for word in listed(smaller)]
    assert isinstance(certify(model, words, extra_states=0), Complete)
    assert smaller.guarantee.says.startswith("is quasi-equivalent to the model")
    assert any("grown by counterexamples" in note for note in smaller.notes)
    assert listed(smallest_suite(model, SuiteRequest(), extra_states=0, at=NOWHERE, clock=Deadline(None))) == listed(
        smaller
    )


def test_a_named_method_is_left_alone() -> None:
    model, request = door(), SuiteRequest(method="counting")
    counted = finite_suite(model, request, extra_states=0)
    assert listed(smallest_suite(model, request, extra_states=0, at=NOWHERE, clock=Deadline(None))) == listed(counted)


def test_tests_are_no_longer_than_asked() -> None:
    suite = smallest_suite(door(), SuiteRequest(max_length=8), extra_states=0, at=NOWHERE, clock=Deadline(None))
    assert max(map(len, listed(suite))) <= 8


def test_partial_suites_can_be_shrunk() -> None:
    draw = random.Random(5)
    for _ in range(4):
        table = merging_machine(draw, states=4, inputs=3, outputs=2, gaps=0.3)
        fsm = fsm_of_table(table)
        names = [[fsm.inputs[s] for s in w] for w in listed(finite_suite(fsm, SuiteRequest(), extra_states=0))]
        result = shrink(fsm, names, extra_states=0, limits=LIMITS)
        assert result.after < result.before
        words = [tuple(fsm.inputs.index(name) for name in word) for word in result.words]
        assert survives(table, words, prepare(fsm, partial=True).table.states) in (False, None)


def test_the_smallest_partial_machine_keeps_states_that_define_different_inputs() -> None:
    table = Table(
        states=3,
        inputs=2,
        outputs=2,
        target=np.array([1, 2, 0, -1, 0, -1], dtype=np.int32),
        output=np.array([0, 0, 1, -1, 1, -1], dtype=np.int32),
    )
    model = minimal(tabulate(fsm_of_table(table)))
    assert model.states == 2
    assert model.target == ((1, 1), (0, -1))
