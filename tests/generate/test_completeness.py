"""Every method against every machine of its fault domain."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles.suites import k_a_complete, maximal, survivor
from tests.strategies.methods import suite
from tests.strategies.tables import typical_tables

from fullproof.analysis.table import Table

METHODS = ("w", "wp", "hsi", "hads", "h")
K_A_METHODS = ("w", "wp", "hsi", "hads")


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=40)
@given(table=typical_tables(max_states=4, max_inputs=2), extra=st.integers(0, 1))
def test_no_faulty_machine_of_the_fault_domain_survives(name: str, table: Table, extra: int) -> None:
    tests = suite(name, table, extra)
    assert tests == maximal(tests)
    assert survivor(table, tests, table.states + extra) is None


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=15)
@given(table=typical_tables(max_states=2, max_inputs=2))
def test_nor_with_two_extra_states(name: str, table: Table) -> None:
    assert survivor(table, suite(name, table, 2), table.states + 2) is None


@pytest.mark.parametrize("name", K_A_METHODS)
@settings(max_examples=40)
@given(table=typical_tables(), extra=st.integers(0, 1))
def test_suites_are_k_a_complete(name: str, table: Table, extra: int) -> None:
    assume(table.states * table.inputs ** (extra + 1) <= 60)
    assert k_a_complete(table, suite(name, table, extra), extra) is None


@pytest.mark.parametrize("name", METHODS)
def test_machines_of_one_state(name: str) -> None:
    zeros = np.zeros(2, dtype=np.int32)
    table = Table(states=1, inputs=2, outputs=2, target=zeros, output=np.array([0, 1], dtype=np.int32))
    assert suite(name, table, 0) == [(0,), (1,)]
    assert suite(name, table, 1) == [(0, 0), (0, 1), (1, 0), (1, 1)]


@pytest.mark.parametrize("name", METHODS)
def test_machines_of_one_input(name: str) -> None:
    """A chain that ends in a loop: 0 0 1 1 1 ..."""
    target = np.array([1, 2, 2], dtype=np.int32)
    table = Table(states=3, inputs=1, outputs=2, target=target, output=np.array([0, 0, 1], dtype=np.int32))
    for extra in (0, 1, 2):
        assert survivor(table, suite(name, table, extra), 3 + extra) is None


@pytest.mark.parametrize("name", METHODS)
def test_a_missing_test_is_noticed(name: str) -> None:
    """The oracle can say no: some test of some suite is needed."""
    target = np.array([0, 1, 1, 0], dtype=np.int32)
    table = Table(states=2, inputs=2, outputs=2, target=target, output=np.array([0, 0, 1, 1], dtype=np.int32))
    tests = suite(name, table, 1)
    noticed = [survivor(table, tests[:k] + tests[k + 1 :], 3) is not None for k in range(len(tests))]
    assert any(noticed)
