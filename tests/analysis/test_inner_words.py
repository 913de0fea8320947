"""What inner nodes need: the conditions of the proofs on the finished tree, kernels both ways."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.kernels import WAYS, kernel
from tests.oracles.machines import run
from tests.oracles.suites import access_words, apart_below, k_a_complete, traversal
from tests.strategies.tables import typical_tables

from fullproof.analysis import inner_words as module
from fullproof.analysis.covers import state_cover
from fullproof.analysis.identifiers import Identifiers, Taste, harmonised_identifiers, identifiers_of
from fullproof.analysis.inner_words import Agreement, NodeIdentifiers, leaf_states, where_needed, where_paths_need
from fullproof.analysis.separation import separation
from fullproof.analysis.table import Table
from fullproof.analysis.unique import unique_identifiers
from fullproof.generate.finite.composition import Composition

MACHINES = typical_tables(max_states=6, max_inputs=3, max_outputs=2)
TASTE = Taste(rate=1.0, fine=4.0, ahead=2)


@pytest.fixture(params=WAYS, scope="module", autouse=True)
def inner(request: pytest.FixtureRequest):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "InnerWords", kernel("inner", request.param).InnerWords)
        yield


def harmonised(table: Table) -> Identifiers:
    return harmonised_identifiers(table, separation(table), weight=np.ones(table.states), taste=TASTE)


def loose(table: Table) -> Identifiers:
    return identifiers_of(unique_identifiers(table, separation(table), base=4.0))


def tests_with(table: Table, nodes: NodeIdentifiers, extra: int) -> list[tuple[int, ...]]:
    made = Composition(table=table, cover=state_cover(table), identifiers=nodes, extra_states=extra)
    return [tuple(word.tolist()) for word in made.words()]


tests_with.__test__ = False  # type: ignore[attr-defined]


@settings(max_examples=60)
@given(MACHINES, st.integers(0, 2), st.sampled_from(Agreement))
def test_suites_with_what_is_needed_are_k_a_complete(table: Table, extra: int, agreement: Agreement) -> None:
    assume(table.states * table.inputs ** (extra + 1) <= 60)
    family = harmonised(table) if agreement is Agreement.HARMONISED else loose(table)
    nodes = where_needed(table, state_cover(table), family, extra_states=extra, agreement=agreement)
    assert k_a_complete(table, tests_with(table, nodes, extra), extra) is None


@settings(max_examples=60)
@given(MACHINES, st.integers(0, 2))
def test_suites_of_the_h_method_meet_its_conditions(table: Table, extra: int) -> None:
    assume(table.states * table.inputs ** (extra + 1) <= 60)
    nodes = where_paths_need(table, state_cover(table), loose(table), separation(table), extra_states=extra)
    apart = apart_below(table, tests_with(table, nodes, extra))
    cover = set(access_words(table).values())
    levels = traversal(table, extra)
    label = {word: run(table, word)[1] for word in levels}
    for word, level in levels.items():
        for access in cover:
            assert label[access] == label[word] or apart(access, word)
        for k in range(len(word) - level + 1, len(word)):
            assert label[word[:k]] == label[word] or apart(word[:k], word)


@given(MACHINES, st.integers(0, 3))
def test_states_of_leaves(table: Table, extra: int) -> None:
    assume(table.states * table.inputs ** (extra + 1) <= 200)
    leaves = {run(table, word)[1] for word, level in traversal(table, extra).items() if level == extra + 1}
    assert leaf_states(table, state_cover(table), extra_states=extra).tolist() == sorted(leaves)
