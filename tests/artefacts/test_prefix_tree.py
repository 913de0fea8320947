"""Prefix trees against sets of tuples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels import WAYS, kernel

from fullproof.artefacts import prefix_tree
from fullproof.artefacts.prefix_tree import PrefixTree
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
    return [tuple(word.tolist()) for word in tree]


@given(WORDS, WORDS)
def test_members_tests_and_statistics(words: list[tuple[int, ...]], others: list[tuple[int, ...]]) -> None:
    tree = PrefixTree(words)
    tree.insert_all(word_list(words))
    closed = closure(words)
    expected = maximal(closed)
    assert len(tree) == len(closed)
    assert leaves_of(tree) == expected
    assert tree.size() == (len(expected), sum(map(len, expected)))
    assert (len(tree.maximal()), tree.maximal().total) == tree.size()
    for word in (*words, *others):
        assert (word in tree) == (word in closed)
        assert tree.common_length(word) == max(k for k in range(len(word) + 1) if word[:k] in closed)


@given(WORDS, WORDS)
def test_set_operations(words: list[tuple[int, ...]], others: list[tuple[int, ...]]) -> None:
    one, other = PrefixTree(words), PrefixTree(others)
    assert leaves_of(one.union(other)) == maximal(closure([*words, *others]))
    assert leaves_of(one.intersection(other)) == maximal(closure(words) & closure(others))
    assert leaves_of(one.difference(other)) == [w for w in maximal(closure(words)) if w not in closure(others)]


def test_many_nodes_and_long_words_make_it_grow() -> None:
    word = list(range(500)) * 3
    tree = PrefixTree([word, word[::-1], [5]])
    assert len(tree) == 1 + 1500 + 1500 + 1
    assert leaves_of(tree) == sorted([tuple(word), tuple(word[::-1]), (5,)])


def test_words_of_numpy_arrays() -> None:
    tree = PrefixTree()
    tree.insert(np.array([1, 2], dtype=np.int32))
    assert (1, 2) in tree
    assert (2,) not in tree
