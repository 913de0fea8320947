"""Trees of suites and apartness, compiled and not, against sets of words."""

import numpy as np
import pytest
from hypothesis import given
from tests.kernels import WAYS, kernel
from tests.strategies.suites import cases

from fullproof.certify import tree as trees
from fullproof.certify.access import covers, pins
from fullproof.certify.machine import respond
from fullproof.certify.tree import maximal, plant, separations


def state_after(model, word):
    state = 0
    for symbol in word:
        state = model.target[state][symbol]
    return state


def apart_by_words(model, nodes, one, other):
    """Some word in the suite below both is answered differently."""
    below = {node[len(one) :] for node in nodes if node[: len(one)] == one}
    common = [w for w in below if other + w in nodes]
    return any(respond(model, one + w)[len(one) :] != respond(model, other + w)[len(other) :] for w in common)


@given(case=cases(max_states=4, max_inputs=3))
@pytest.mark.parametrize("way", WAYS)
def test_a_tree_holds_every_prefix_once(way, case):
    module = kernel("observations", way, room="certify")
    tree = trees.WordTree(*module.grow(*flattened(case)))
    nodes = {w[:k] for w in case.words for k in range(len(w) + 1)} | {()}
    found = [tree.word(node) for node in range(len(tree))]
    assert len(found) == len(nodes)
    assert set(found) == nodes
    for node, word in enumerate(found):
        assert tree.label[node] == state_after(case.model, word)
        assert tree.parent[node] < node
        if word:
            assert tree.output[node] == respond(case.model, word)[-1]
        symbols = [int(tree.symbol[child]) for child in tree.children(node)]
        assert symbols == sorted(i for i in range(case.model.inputs) if (*word, i) in nodes)


def flattened(case):
    symbols = np.array([i for w in case.words for i in w], dtype=np.int32)
    offsets = np.cumsum([0, *map(len, case.words)]).astype(np.int64)
    return symbols, offsets, *trees.flat(case.model), case.model.inputs


@given(case=cases())
@pytest.mark.parametrize("way", WAYS)
def test_apartness_is_what_words_say(way, case):
    module = kernel("observations", way, room="certify")
    tree = plant(case.model, case.words)
    seen = module.ApartNodes(tree.first, tree.after, tree.symbol, tree.output, tree.label)
    everything = np.arange(min(len(tree), 25), dtype=np.int32)
    words = [tree.word(node) for node in range(len(tree))]
    nodes = set(words)
    table = seen.table(everything, everything)
    for one in everything:
        for other in everything:
            expected = apart_by_words(case.model, nodes, words[one], words[other])
            assert bool(table[one, other]) == expected
            assert any(separations(tree, int(one), int(other))) == expected
        others = [o for o in everything if tree.label[o] != tree.label[one] and not table[one, o]]
        assert seen.first_not_apart(one, everything) == (others[0] if others else -1)


@given(case=cases(max_states=4, max_inputs=3))
def test_pins_are_apart_and_covers_are_covers(case):
    tree = plant(case.model, case.words)
    chosen = pins(tree, tree.observations(), extra=case.extra)
    assert chosen[0] == 0
    assert all(tree.apart(q, r) for k, q in enumerate(chosen) for r in chosen[:k])
    for cover in covers(case.model, tree, extra=case.extra):
        assert [int(tree.label[node]) for node in cover] == list(range(case.model.states))
        assert all(node == 0 or int(tree.parent[node]) in cover for node in cover)


def test_maximal_words():
    assert maximal([(0, 1), (0,), (), (1, 1), (0, 1)]) == [(0, 1), (1, 1)]
    assert maximal([()]) == []
    assert maximal([]) == []
