"""Separating words of all pairs against breadth-first search for each pair."""

import pytest
from hypothesis import given
from tests.kernels import WAYS, kernel
from tests.oracles.machines import defined_separating_length, separates, shortest_separating_length
from tests.strategies.tables import complete_tables, partial_relations

from fullproof.analysis import separation as module
from fullproof.analysis.separation import separation
from fullproof.analysis.table import RelationTable, Table, deterministic_table


@pytest.fixture(params=WAYS, scope="module", autouse=True)
def pairs(request: pytest.FixtureRequest):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "separating_inputs", kernel("pairs", request.param).separating_inputs)
        yield


@given(complete_tables(max_states=8, max_outputs=2))
def test_words_separate_and_are_shortest(table: Table) -> None:
    found = separation(table)
    lengths = []
    for t in range(table.states):
        for s in range(t):
            expected = shortest_separating_length(table, s, t)
            lengths.append(expected)
            assert found.length(s, t) == found.length(t, s) == (expected or 0)
            if expected is not None:
                word = found.word(t, s)
                assert len(word) == expected
                assert separates(table, word, s, t)
    assert found.total == (None not in lengths)


@given(partial_relations(max_states=6))
def test_in_partial_machines_words_are_defined_in_both_states(machine: RelationTable) -> None:
    table = deterministic_table(machine)
    found = separation(table)
    for t in range(table.states):
        for s in range(t):
            assert found.length(s, t) == (defined_separating_length(table, s, t) or 0)
