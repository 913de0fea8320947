"""The sufficient conditions: never wrong, as strong as their slow twins, and met by the suites they are made for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernels import WAYS, kernel
from tests.oracles.suites import k_a_complete as k_a_by_words
from tests.oracles.window_conditions import satisfies_conditions
from tests.strategies.suites import cases, hsi_suite, machine_of, minimal_models

from fullproof.certify import tree as trees
from fullproof.certify import windows
from fullproof.certify.answers import Proved
from fullproof.certify.exact import search
from fullproof.certify.gaps import fault_in, gap
from fullproof.certify.k_a import k_a_complete
from fullproof.certify.machine import FlatMachine, difference, respond
from fullproof.certify.transition_order import transitions_verified
from fullproof.certify.tree import maximal, plant
from fullproof.certify.windows import windows_refuted
from fullproof.core.deadline import Deadline


def k_a(model, words, extra):
    return isinstance(k_a_complete(model, plant(model, words), extra=extra, deadline=Deadline(60)), Proved)


def window(model, words, extra):
    tree = plant(model, words)
    if extra == 0:
        return isinstance(transitions_verified(model, tree, deadline=Deadline(60)), Proved)
    return isinstance(windows_refuted(model, tree, extra=extra, deadline=Deadline(60)), Proved)


def complete(model, words, extra):
    return isinstance(search(model, plant(model, words), extra=extra, deadline=Deadline(60)), Proved)


EDGES = cases(max_states=4, max_inputs=3, max_extra=2, max_bound=5)


@pytest.mark.requirement("CERTIFY-1", "CERTIFY-6")
@given(case=EDGES)
def test_what_is_accepted_is_complete(case):
    if k_a(case.model, case.words, case.extra) or window(case.model, case.words, case.extra):
        assert complete(case.model, case.words, case.extra)


@settings(max_examples=60)
@given(case=EDGES)
def test_k_a_is_at_least_as_strong_as_its_twin(case):
    if k_a_by_words(case.table, case.words, case.extra) is None:
        assert k_a(case.model, case.words, case.extra)


@settings(max_examples=60)
@given(case=EDGES)
def test_windows_are_at_least_as_strong_as_their_twin(case):
    if satisfies_conditions(case.table, case.words, case.extra):
        assert window(case.model, case.words, case.extra)


@settings(max_examples=60)
@given(table=minimal_models(max_states=5), extra=st.integers(0, 2))
def test_hsi_suites_satisfy_both(table, extra):
    words = hsi_suite(table, extra)
    assert k_a(machine_of(table), words, extra)
    assert window(machine_of(table), words, extra)


@pytest.mark.requirement("CERTIFY-1", "CERTIFY-6")
@pytest.mark.parametrize("accepts", [k_a, window])
@settings(max_examples=15)
@given(
    table=minimal_models(),
    extra=st.integers(0, 1),
    walks=st.lists(st.lists(st.integers(0, 2), min_size=5, max_size=30), max_size=3),
    order=st.randoms(use_true_random=False),
)
def test_suites_cut_until_no_further_cut_is_accepted_are_complete(accepts, table, extra, walks, order):
    model = machine_of(table)
    walks = [tuple(i % table.inputs for i in walk) for walk in walks]
    words = maximal([*hsi_suite(table, extra), *walks])
    assert accepts(model, words, extra)
    for word in order.sample(words, len(words)):
        while word in words:
            shorter = maximal([other for other in words if other != word] + [word[:-1]])
            if not accepts(model, shorter, extra):
                break
            words, word = shorter, word[:-1]
    assert complete(model, words, extra)


TRAPS = {
    # Nodes behind a transition that is not taken yet count as known.
    "any node is good": (
        FlatMachine(target=((1, 1), (1, 0)), output=((0, 0), (2, 1))),
        ["001", "011", "110110010"],
    ),
    # The last step of a window is only shown not to lead to a wrong state of the model, extra states are forgotten.
    "no e-items": (
        FlatMachine(target=((1, 1), (0, 0)), output=((0, 1), (1, 1))),
        ["0000", "0100", "100", "111010"],
    ),
    # v-items are refuted with what only follows once all of them are refuted.
    "circular": (
        FlatMachine(target=((0, 1), (2, 1), (0, 2)), output=((1, 2), (0, 2), (0, 2))),
        ["000", "0100", "10000", "10010", "1001110100", "1010", "101100", "11000", "11100"],
    ),
}


@pytest.mark.requirement("CERTIFY-1")
@pytest.mark.parametrize("name", TRAPS)
def test_incomplete_suites_that_careless_conditions_accept(name):
    model, texts = TRAPS[name]
    words = [tuple(map(int, text)) for text in texts]
    assert not window(model, words, 1)
    assert not complete(model, words, 1)


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=40)
@given(case=cases(max_states=4, max_inputs=2, max_extra=2, max_bound=5))
def test_kernels_decide_alike_compiled_and_not(way, case):
    expected = window(case.model, case.words, case.extra)
    kept = windows.Refuter, trees.ApartNodes
    windows.Refuter = kernel("windows", way, room="certify").Refuter
    trees.ApartNodes = kernel("observations", way, room="certify").ApartNodes
    try:
        assert window(case.model, case.words, case.extra) == expected
    finally:
        windows.Refuter, trees.ApartNodes = kept


@pytest.mark.requirement("CERTIFY-2")
@given(case=cases(max_states=4, max_inputs=3, max_extra=2))
def test_gaps_are_gaps_and_their_faults_survive(case):
    tree = plant(case.model, case.words)
    applied = set()
    for word in case.words:
        state = 0
        for k, symbol in enumerate(word):
            if k + case.extra < len(word):
                applied.add((state, word[k : k + case.extra + 1]))
            state = case.model.target[state][symbol]
    found = gap(case.model, tree, extra=case.extra)
    if found is None:
        assert len(applied) == case.model.states * case.model.inputs ** (case.extra + 1)
        return
    assert found not in applied
    survivor = fault_in(case.model, *found)
    assert survivor.states == case.model.states + case.extra
    assert difference(case.model, survivor) is not None
    assert all(respond(survivor, word) == respond(case.model, word) for word in case.words)
