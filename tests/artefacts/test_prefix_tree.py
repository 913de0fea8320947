"""Prefix trees against sets of tuples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels import WAYS, kernel

from fullproof.artefacts import prefix_tree
from fullproof.artefacts.prefix_tree import ROOT, PrefixTree
from fullproof.artefacts.words import word_list

WORDS = st.lists(st.lists(st.integers(0, 3), max_size=6).map(tuple), max_size=12)


@pytest.fixture(params=WAYS, scope="module", autouse=True)
def forest(request: pytest.FixtureRequest):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prefix_tree, "Forest", kernel("forest", request.param, room="artefacts").Forest)
        yield


def closure(words: list[tuple[int, ...]]) -> set[tuple[int, ...]]:
    return {()} | {word[:k] for word in words for k in range(len(word) + 1)}


def maximal(words: set[tuple[int, ...]]) -> list[tuple[int, ...]]:
    return sorted(w for w in words if w and not any(v != w and v[: len(w)] == w for v in words))


def leaves_of(tree: PrefixTree) -> list[tuple[int, ...]]:
    return [tuple(word.tolist()) for word in tree.maximal()]


def node_of(tree: PrefixTree, word: tuple[int, ...]) -> int:
    node = ROOT
    for symbol in word:
        node = tree.find(node, symbol) if node >= 0 else node
    return node


@given(WORDS, WORDS)
def test_members_tests_and_statistics(words: list[tuple[int, ...]], others: list[tuple[int, ...]]) -> None:
    tree = PrefixTree(words)
    closed = closure(words)
    expected = maximal(closed)
    assert len(tree) == len(PrefixTree(word_list(words))) == len(closed)
    assert leaves_of(tree) == leaves_of(PrefixTree(word_list(words))) == expected
    assert tree.size() == (len(expected), sum(map(len, expected)))
    assert [tuple(word.tolist()) for word in tree.tests()] == (expected or [()])
    for word in (*words, *others):
        assert (node_of(tree, word) >= 0) == (word in closed)


@given(WORDS, WORDS, st.integers(0, 3))
def test_a_symbol_costs_what_the_suite_grows_by(words: list[tuple[int, ...]], more: list[tuple[int, ...]], symbol: int):
    tree = PrefixTree(words)
    for word in more:
        node = tree.insert(word)
        assert node == node_of(tree, word)
        before, price = sum(tree.size()), tree.price(node, symbol)
        assert tree.child(node, symbol) == node_of(tree, (*word, symbol)) == tree.insert([symbol], node)
        assert sum(tree.size()) - before == price + (before == 0)  # the first test is a reset more


def test_many_nodes_and_long_words_make_it_grow() -> None:
    word = list(range(500)) * 3
    tree = PrefixTree([word, word[::-1], [5]])
    assert len(tree) == 1 + 1500 + 1500 + 1
    assert leaves_of(tree) == sorted([tuple(word), tuple(word[::-1]), (5,)])


def test_words_of_numpy_arrays() -> None:
    tree = PrefixTree()
    tree.insert(np.array([1, 2], dtype=np.int32))
    assert node_of(tree, (1, 2)) > 0
    assert node_of(tree, (2,)) < 0
