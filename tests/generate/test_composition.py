"""Suites laid out leaf by leaf against the set of all their words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels import WAYS, kernel
from tests.oracles.machines import run
from tests.oracles.suites import maximal, traversal
from tests.strategies.tables import minimal_tables

from fullproof.analysis.covers import state_cover
from fullproof.analysis.identifiers import identifiers_of
from fullproof.analysis.inner_words import NodeIdentifiers
from fullproof.analysis.table import Table
from fullproof.generate.finite import composition as module
from fullproof.generate.finite.composition import Composition


@pytest.fixture(params=WAYS, scope="module", autouse=True)
def compose(request: pytest.FixtureRequest):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "Composer", kernel("compose", request.param).Composer)
        yield


@st.composite
def compositions(draw: st.DrawFn) -> tuple[Composition, list[tuple[int, ...]]]:
    """Draw a suite with any words as identifiers, and its tests by definition."""
    table = draw(minimal_tables(max_states=4, max_inputs=2))
    extra = draw(st.integers(0, 2))
    word = st.lists(st.integers(0, table.inputs - 1), max_size=5)
    count = table.states * (extra + 2)
    words = draw(st.lists(st.lists(word, max_size=3), min_size=count, max_size=count))
    forest = identifiers_of(words)
    roots = np.arange(count, dtype=np.int32)
    nodes = NodeIdentifiers(
        child=forest.child,
        sibling=forest.sibling,
        symbol=forest.symbol,
        inner=roots[: table.states * (extra + 1)],
        leaf=roots[table.states * (extra + 1) :],
    )
    made = Composition(table=table, cover=state_cover(table), identifiers=nodes, extra_states=extra)
    return made, by_definition(table, words, extra)


def by_definition(table: Table, words: list[list[list[int]]], extra: int) -> list[tuple[int, ...]]:
    tests = set()
    for node, level in traversal(table, extra).items():
        own = words[level * table.states + run(table, node)[1]]
        tests |= {node, *((*node, *word) for word in own)}
    return maximal(tests)


@given(compositions())
def test_exactly_the_maximal_words_in_lexicographic_order(case: tuple[Composition, list[tuple[int, ...]]]) -> None:
    made, expected = case
    assert [tuple(word.tolist()) for word in made.words()] == expected
    size = made.size()
    assert (size.tests, size.inputs) == (len(expected), sum(map(len, expected)))
    assert size.cost == size.tests + size.inputs


@given(compositions(), st.integers(1, 40))
def test_a_stream_has_the_same_tests(case: tuple[Composition, list[tuple[int, ...]]], limit: int) -> None:
    made, expected = case
    pieces = list(made.chunks(inputs=limit))
    assert all(len(piece) > 0 for piece in pieces)
    assert [tuple(word.tolist()) for piece in pieces for word in piece] == expected


def test_more_positions_than_there_was_room_for() -> None:
    """A machine of one state: after 70 inputs, 70 identifiers are still going on."""
    table = Table(
        states=1,
        inputs=1,
        outputs=1,
        target=np.zeros(1, dtype=np.int32),
        output=np.zeros(1, dtype=np.int32),
    )
    forest = identifiers_of([[[0] * 200]])
    root = np.zeros(80, dtype=np.int32)
    nodes = NodeIdentifiers(child=forest.child, sibling=forest.sibling, symbol=forest.symbol, inner=root, leaf=root[:1])
    made = Composition(table=table, cover=state_cover(table), identifiers=nodes, extra_states=79)
    assert [len(word) for word in made.words()] == [280]


@given(compositions(), st.integers(1, 10))
def test_parts_one_after_the_other_are_the_whole(case: tuple[Composition, list[tuple[int, ...]]], leaves: int) -> None:
    made, expected = case
    parts = [made.below(prefix) for prefix in made.parts(leaves=leaves)]
    assert [tuple(word.tolist()) for part in parts for word in part.words()] == expected
    assert [tuple(w.tolist()) for part in parts for piece in part.chunks(inputs=2) for w in piece] == expected
    sizes = [part.size() for part in parts]
    assert sum(size.tests for size in sizes) == len(expected)
    assert all(size.tests > 0 for size in sizes)
    assert all(word[: len(part.prefix)] == part.prefix for part in parts for word in map(tuple, part.words()))
