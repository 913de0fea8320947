"""H suites against the conditions of the method, the exact checker, and published sizes."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernels import WAYS, kernel
from tests.oracles.h_conditions import h_violation
from tests.oracles.machines import separates
from tests.oracles.suites import maximal
from tests.strategies.specifications import KINDS, specification
from tests.strategies.suites import fsm_of, machine_of

from fullproof.analysis.table import Table
from fullproof.certify import Complete, ProofEngine, certify
from fullproof.generate.finite import h as module
from fullproof.generate.finite.basis import basis_of
from fullproof.generate.finite.h import h, identifying_sets


@pytest.fixture(params=WAYS, scope="module", autouse=True)
def kernels(request: pytest.FixtureRequest):
    with pytest.MonkeyPatch.context() as patch:
        for name, part in (("layout", "plant"), ("layout", "planted"), ("tree", "Tree"), ("mender", "Mender")):
            patch.setattr(module, part, getattr(kernel(f"h.{name}", request.param, room="generate.finite"), part))
        patch.setattr(module, "WordSearch", kernel("h.words", request.param, room="generate.finite").WordSearch)
        yield


@st.composite
def machines(draw: st.DrawFn, *, states: int = 6, inputs: int = 3) -> Table:
    """Draw a machine of one of the kinds that have broken generators before."""
    seed, kind = draw(st.integers(0, 10**6)), draw(st.integers(0, len(KINDS) - 1))
    sizes = draw(st.integers(1, states)), draw(st.integers(1, inputs)), draw(st.integers(2, 3))
    return specification(random.Random(seed), kind, states=sizes[0], inputs=sizes[1], outputs=sizes[2])


def suite(table: Table, extra: int) -> list[tuple[int, ...]]:
    return [tuple(word.tolist()) for word in h(table, extra_states=extra)]


@settings(max_examples=40)
@given(machines(states=5), st.integers(0, 2))
def test_the_conditions_of_the_method_hold(table: Table, extra: int) -> None:
    tests = suite(table, extra)
    assert tests == maximal(tests)
    assert h_violation(table, tests, extra) is None


@settings(max_examples=40)
@given(machines(), st.integers(0, 2))
def test_the_exact_checker_agrees(table: Table, extra: int) -> None:
    extra = extra if table.states * table.inputs ** (extra + 1) <= 80 else 0
    fsm = fsm_of(machine_of(table))
    words = [[fsm.inputs[symbol] for symbol in word] for word in suite(table, extra)]
    assert isinstance(certify(fsm, words, extra_states=extra, methods=[ProofEngine.EXACT]), Complete)


@settings(max_examples=10)
@given(machines(states=4, inputs=2), st.integers(0, 2))
def test_larger_suites_stream_and_satisfy_the_conditions_as_well(table: Table, extra: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_ROOM", 0)
        tests = suite(table, extra)
    assert tests == maximal(tests)
    assert h_violation(table, tests, extra) is None


@settings(max_examples=25)
@given(machines())
def test_offered_words_identify_their_states(table: Table) -> None:
    if table.states == 1:
        return
    listed = identifying_sets(basis_of(table, extra_states=0))
    for state, choices in enumerate(listed.choices):
        for chosen in choices:
            for other in set(range(table.states)) - {state}:
                assert any(separates(table, word, state, other) for word in chosen)
        assert all(family[state] in choices for family in listed.families)


def test_a_shortened_suite_is_noticed() -> None:
    """The oracle can say no: no test of this suite can do without its last input."""
    target = np.array([1, 0, 2, 0, 2, 1], dtype=np.int32)
    table = Table(states=3, inputs=2, outputs=2, target=target, output=np.array([0, 0, 0, 1, 1, 1], dtype=np.int32))
    tests = suite(table, 0)
    noticed = [h_violation(table, [*tests[:k], test[:-1], *tests[k + 1 :]], 0) for k, test in enumerate(tests)]
    assert all(noticed)
