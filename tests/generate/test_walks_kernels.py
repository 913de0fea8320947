"""The parts of the window walks against obvious twins, compiled and uncompiled."""

import importlib
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import EXTENSION_SUFFIXES
from itertools import pairwise
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernels import WAYS, kernel, kernels_from_source
from tests.oracles.exhaustive import survivors
from tests.oracles.survivors import SearchTooLong, find_survivor
from tests.strategies.specifications import specification, specifications
from tests.strategies.tables import minimal_tables

from fullproof.analysis.separation import separation
from fullproof.analysis.table import Table
from fullproof.generate.finite.kernels.walks.arena import Arena, breadth_first_tree


@contextmanager
def uncompiled_walks() -> Iterator[ModuleType]:
    """The method with all its kernels run from their sources."""
    name = "fullproof.generate.finite.walks"
    before = sys.modules.pop(name, None)
    try:
        with kernels_from_source():
            yield importlib.import_module(name)
    finally:
        sys.modules.pop(name, None)
        if before is not None:
            sys.modules[name] = before


def test_compiled_and_uncompiled_kernels_give_the_same_suites(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = importlib.import_module("fullproof.generate.finite.kernels.walks.walker")
    if not str(installed.__file__).endswith(tuple(EXTENSION_SUFFIXES)):
        pytest.skip("the kernels are not compiled here")
    fast = importlib.import_module("fullproof.generate.finite.walks")
    tables = specifications(41, 7, states=(3, 4), inputs=(2,))
    # Many transitions into one state: their order takes several words of bits.
    tables.append(specification(random.Random(6), 6, states=20, inputs=8, outputs=4))
    with uncompiled_walks() as slow:
        for module in (fast, slow):
            monkeypatch.setattr(module, "_MOST_RUNS", 2)
        for table in tables:
            for extra in (0, 1, 2) if table.states < 5 else (0, 1):
                suites = [module.walks(table, extra_states=extra, lookahead=1) for module in (fast, slow)]
                assert [word.tolist() for word in suites[0]] == [word.tolist() for word in suites[1]]


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=30)
@given(table=minimal_tables(max_states=7))
def test_identifiers_are_harmonised(way: str, table: Table) -> None:
    if table.states == 1:
        return
    letters = np.zeros((table.states, table.states), dtype=np.int32)
    letters[np.tril_indices(table.states, -1)] = separation(table).first
    words = kernel("walks.words", way, room="generate.finite").harmonised_identifiers(
        table.target, table.output, (letters + letters.T).ravel()
    )
    for x in range(table.states):
        for y in range(x):
            common = [_common(one, other) for one in words[x] for other in words[y]]
            assert any(_answers(table, x, prefix) != _answers(table, y, prefix) for prefix in common)


def _common(one: list[int], other: list[int]) -> list[int]:
    size = next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[:size]


def _answers(table: Table, state: int, word: list[int]) -> list[int]:
    found = []
    for symbol in word:
        found.append(int(table.output[state * table.inputs + symbol]))
        state = int(table.target[state * table.inputs + symbol])
    return found


@pytest.mark.parametrize("way", WAYS)
def test_the_order_is_kept_transitively_closed(way: str) -> None:
    """One state is entered by 130 transitions, so that a row of bits takes several words."""
    states, draw = 66, random.Random(5)
    target = np.array([(s + 1) % states if i == 0 else 0 for s in range(states) for i in range(3)], dtype=np.int32)
    arena = Arena((target, target), breadth_first_tree(states, target), 1, None)
    order = kernel("walks.order", way, room="generate.finite").WindowOrder(arena)
    into = [cell for cell in range(len(target)) if target[cell] == 0 and arena.rank[cell] >= 0]
    assert len(into) > 120
    pairs: set[tuple[int, int]] = set()
    for _ in range(60):
        first, second = sorted(draw.sample(range(len(into)), 2))
        order.insert(into[first], into[second])
        pairs.add((first, second))
    closed = _closure(pairs, len(into))
    for x, cell in enumerate(into):
        for y, other in enumerate(into):
            word, bit = divmod(int(arena.rank[cell]), 60)
            assert bool(arena.before[arena.row[other] + word] >> bit & 1) == ((x, y) in closed)
            word, bit = divmod(int(arena.rank[other]), 60)
            assert bool(arena.after[arena.row[cell] + word] >> bit & 1) == ((x, y) in closed)


def _closure(pairs: set[tuple[int, int]], size: int) -> set[tuple[int, int]]:
    reach = np.zeros((size, size), dtype=bool)
    for x, y in pairs:
        reach[x, y] = True
    for k in range(size):
        reach |= np.outer(reach[:, k], reach[k, :])
    return {(int(x), int(y)) for x, y in np.argwhere(reach)}


@pytest.mark.parametrize("way", WAYS)
@given(words=st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=5), min_size=1, max_size=8))
def test_the_trie_holds_the_maximal_words(way: str, words: list[list[int]]) -> None:
    trie = kernel("walks.trie", way, room="generate.finite").Trie(3)
    for word in words:
        trie.insert(word)
    ordered = sorted({tuple(word) for word in words})
    wanted = [a for a, b in pairwise([*ordered, ()]) if b[: len(a)] != a]
    assert [tuple(word) for word in trie.words()] == wanted


@settings(max_examples=60)
@given(table=minimal_tables(max_states=3, max_inputs=2, max_outputs=2), data=st.data())
def test_the_search_for_survivors_agrees_with_enumeration(table: Table, data: st.DataObject) -> None:
    bound = 2 if table.inputs == 2 else 3
    symbols = st.lists(st.integers(0, table.inputs - 1), min_size=1, max_size=5)
    words = data.draw(st.lists(symbols, min_size=1, max_size=8))
    rows = (
        tuple(map(tuple, table.target.reshape(-1, table.inputs).tolist())),
        tuple(map(tuple, table.output.reshape(-1, table.inputs).tolist())),
    )
    exists = next(survivors(rows, words, bound=bound, outputs=table.outputs + 1), None) is not None
    assert (find_survivor(table, words, bound) is not None) == exists


def test_the_search_for_survivors_says_when_it_is_cut_short() -> None:
    table = specification(random.Random(1), 0, states=4, inputs=2)
    with pytest.raises(SearchTooLong):
        find_survivor(table, [(0, 1, 0, 1, 0)] * 3 + [(1, 0, 0, 1, 1)], 6, guesses=0)
