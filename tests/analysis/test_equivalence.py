"""Reachability and equivalence of states against their slow twins."""

import numpy as np
import pytest
from hypothesis import given
from tests.kernels import WAYS, kernel
from tests.oracles.machines import bisimilar, reachable_states, traces
from tests.strategies.tables import complete_tables, partial_relations, relation, relation_of, relations

from fullproof.analysis import equivalence
from fullproof.analysis.reachability import reachable
from fullproof.analysis.table import RelationTable


@pytest.fixture(params=WAYS, scope="module", autouse=True)
def refine(request: pytest.FixtureRequest):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equivalence, "stable_partition", kernel("refine", request.param).stable_partition)
        yield


def assert_classes_are(machine: RelationTable, same: list[list[bool]]) -> None:
    classes = equivalence.state_classes(machine).tolist()
    assert [[a == b for b in classes] for a in classes] == same
    firsts = list(dict.fromkeys(classes))
    assert firsts == list(range(len(firsts)))


@given(relations())
def test_reachable_states(machine: RelationTable) -> None:
    assert set(np.flatnonzero(reachable(machine)).tolist()) == reachable_states(machine)


@given(complete_tables(max_states=8, max_outputs=2).map(relation))
def test_classes_of_complete_deterministic_machines(machine: RelationTable) -> None:
    assert_classes_are(machine, bisimilar(machine))


@given(partial_relations(max_states=8))
def test_classes_of_partial_machines(machine: RelationTable) -> None:
    assert_classes_are(machine, bisimilar(machine))


@given(relations(max_states=4, max_inputs=2, max_outputs=2, observable=True))
def test_classes_of_observable_machines_are_those_of_their_traces(machine: RelationTable) -> None:
    assert equivalence.is_observable(machine)
    words = [traces(machine, s, machine.states) for s in range(machine.states)]
    assert_classes_are(machine, [[a == b for b in words] for a in words])


@given(relations(max_states=5))
def test_classes_of_other_machines_are_bisimilarity(machine: RelationTable) -> None:
    assert_classes_are(machine, bisimilar(machine))


def test_machines_without_transitions_or_inputs() -> None:
    assert equivalence.state_classes(relation_of(3, 2, 1, set())).tolist() == [0, 0, 0]
    assert equivalence.state_classes(relation_of(2, 0, 0, set())).tolist() == [0, 0]
    assert reachable(relation_of(2, 0, 0, set())).tolist() == [True, False]


def test_not_observable() -> None:
    assert not equivalence.is_observable(relation_of(2, 1, 1, {(0, 0, 0, 0), (0, 0, 0, 1)}))
