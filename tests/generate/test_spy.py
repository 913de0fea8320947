"""SPY and SPYH suites against a slow proof of convergence, the exact checker, and published sizes."""

import random
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernels import WAYS, kernel
from tests.oracles.convergence import unproved
from tests.oracles.suites import maximal, survivor
from tests.strategies.methods import suite
from tests.strategies.specifications import KINDS, specification
from tests.strategies.suites import fsm_of, machine_of

from fullproof.analysis.table import Table
from fullproof.certify import Complete, ProofEngine, certify

METHODS = ("spy", "spyh")
KERNELS = {
    "spy": {"graph": "Graph", "judge": "Judge", "agenda": "Agenda"},
    "spyh": {"judge": "Judge", "chooser": "SpyChooser"},
}


@pytest.fixture(params=WAYS, scope="module", autouse=True)
def kernels(request: pytest.FixtureRequest):
    with pytest.MonkeyPatch.context() as patch:
        for name, parts in KERNELS.items():
            for part, title in parts.items():
                found = getattr(kernel(f"spy.{part}", request.param, room="generate.finite"), title)
                patch.setattr(import_module(f"fullproof.generate.finite.{name}"), title, found)
        yield


@st.composite
def machines(draw: st.DrawFn, *, states: int = 6, inputs: int = 3) -> Table:
    """Draw a machine of one of the kinds that have broken generators before."""
    seed, kind = draw(st.integers(0, 10**6)), draw(st.integers(0, len(KINDS) - 1))
    sizes = draw(st.integers(1, states)), draw(st.integers(1, inputs)), draw(st.integers(2, 3))
    return specification(random.Random(seed), kind, states=sizes[0], inputs=sizes[1], outputs=sizes[2])


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=20)
@given(table=machines(states=5), extra=st.integers(0, 2))
def test_every_transition_is_proved(name: str, table: Table, extra: int) -> None:
    extra = extra if table.states * table.inputs ** (extra + 1) <= 60 else 0
    tests = suite(name, table, extra)
    assert tests == maximal(tests)
    assert unproved(table, tests, extra) is None


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=40)
@given(table=machines(), extra=st.integers(0, 2))
def test_the_exact_checker_agrees(name: str, table: Table, extra: int) -> None:
    extra = extra if table.states * table.inputs ** (extra + 1) <= 80 else 0
    fsm = fsm_of(machine_of(table))
    words = [[fsm.inputs[symbol] for symbol in word] for word in suite(name, table, extra)]
    assert isinstance(certify(fsm, words, extra_states=extra, methods=[ProofEngine.EXACT]), Complete)


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=15)
@given(table=machines(states=3, inputs=2), extra=st.integers(0, 1))
def test_no_faulty_machine_survives(name: str, table: Table, extra: int) -> None:
    assert survivor(table, suite(name, table, extra), table.states + extra) is None


@pytest.mark.parametrize("name", METHODS)
def test_machines_of_one_state_and_of_one_input(name: str) -> None:
    zeros = np.zeros(2, dtype=np.int32)
    single = Table(states=1, inputs=2, outputs=2, target=zeros, output=np.array([0, 1], dtype=np.int32))
    assert suite(name, single, 0) == [(0,), (1,)]
    assert suite(name, single, 1) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    target = np.array([1, 2, 2], dtype=np.int32)
    chain = Table(states=3, inputs=1, outputs=2, target=target, output=np.array([0, 0, 1], dtype=np.int32))
    for extra in (0, 1, 2):
        assert survivor(chain, suite(name, chain, extra), 3 + extra) is None


@pytest.mark.parametrize("name", METHODS)
def test_a_missing_test_is_noticed(name: str) -> None:
    """The oracle can say no."""
    target = np.array([1, 0, 2, 0, 2, 1], dtype=np.int32)
    table = Table(states=3, inputs=2, outputs=2, target=target, output=np.array([0, 0, 0, 1, 1, 1], dtype=np.int32))
    tests = suite(name, table, 1)
    assert all(unproved(table, tests[:k] + tests[k + 1 :], 1) for k in range(len(tests)))
