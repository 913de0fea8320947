"""Window walks against the definition of completeness, against their own conditions, and against mutants."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.survivors import equivalent, find_survivor, passes
from tests.oracles.window_conditions import satisfies_conditions
from tests.strategies.partial_machines import partial_machine
from tests.strategies.specifications import specification, specifications
from tests.strategies.tables import minimal_tables

from fullproof.analysis.table import Table
from fullproof.core.errors import UserError
from fullproof.generate.finite.hsi import hsi
from fullproof.generate.finite.walks import walks

Word = tuple[int, ...]


def suite(
    table: Table,
    extra: int,
    *,
    lookahead: int | None = None,
    max_length: int | None = None,
    reset_cost: float = 1.0,
) -> list[Word]:
    words = walks(table, extra_states=extra, lookahead=lookahead, max_length=max_length, reset_cost=reset_cost)
    return [tuple(word.tolist()) for word in words]


def machine(target: list[int], output: list[int], *, inputs: int) -> Table:
    return Table(
        states=len(target) // inputs,
        inputs=inputs,
        outputs=max(output) + 1,
        target=np.array(target, dtype=np.int32),
        output=np.array(output, dtype=np.int32),
    )


@pytest.mark.parametrize(
    ("extra", "count", "states", "inputs"),
    [(0, 140, (1, 2, 3, 4, 5), (1, 2, 3)), (1, 140, (1, 2, 3, 4), (1, 2, 3)), (2, 42, (1, 2, 3), (1, 2))],
)
def test_no_faulty_machine_of_the_fault_domain_survives(
    extra: int, count: int, states: tuple[int, ...], inputs: tuple[int, ...]
) -> None:
    for table in specifications(17 + extra, count, states=states, inputs=inputs):
        assert find_survivor(table, suite(table, extra), table.states + extra, guesses=100_000) is None


@settings(max_examples=60)
@given(
    table=minimal_tables(max_states=5, max_inputs=3),
    extra=st.integers(0, 1),
    lookahead=st.integers(1, 3),
    reset_cost=st.sampled_from([0.0, 1.0, 10.0]),
)
def test_suites_satisfy_the_conditions_of_the_proof(
    table: Table, extra: int, lookahead: int, reset_cost: float
) -> None:
    tests = suite(table, extra, lookahead=lookahead, reset_cost=reset_cost)
    assert satisfies_conditions(table, tests, extra)


@pytest.mark.parametrize("extra", [2, 3])
def test_the_conditions_hold_for_more_extra_states(extra: int) -> None:
    for table in specifications(5 + extra, 14, states=(2, 3), inputs=(2,)):
        assert satisfies_conditions(table, suite(table, extra), extra)


@pytest.mark.parametrize("extra", [0, 1])
def test_what_satisfies_the_conditions_is_complete(extra: int) -> None:
    """Cut suites down as long as the conditions hold: what is left must still be complete."""
    draw = random.Random(3)
    for table in specifications(23 + extra, 12, states=(2, 3), inputs=(2,)):
        tests = suite(table, extra)
        for test in draw.sample(tests, len(tests)):
            shorter = [t for t in tests if t != test] + ([test[:-1]] if len(test) > 1 else [])
            if satisfies_conditions(table, shorter, extra):
                tests = shorter
        assert find_survivor(table, tests, table.states + extra, guesses=100_000) is None


def partial_machines(seed: int, count: int, *, states: tuple[int, ...], inputs: tuple[int, ...]) -> Iterator[Table]:
    draw = random.Random(seed)
    for _ in range(count):
        gaps = draw.choice((0.15, 0.3, 0.5))
        yield partial_machine(draw, states=draw.choice(states), inputs=draw.choice(inputs), outputs=2, gaps=gaps)


@pytest.mark.parametrize(
    ("extra", "count", "states", "inputs"),
    [(0, 20, (1, 2, 3, 4, 5, 6), (2, 3)), (1, 20, (1, 2, 3, 4, 5), (2, 3)), (2, 10, (2, 3), (2,)), (3, 4, (2,), (2,))],
)
def test_suites_of_partial_machines_satisfy_the_conditions(
    extra: int, count: int, states: tuple[int, ...], inputs: tuple[int, ...]
) -> None:
    for table in partial_machines(31 + extra, count, states=states, inputs=inputs):
        assert satisfies_conditions(table, suite(table, extra), extra)


@pytest.mark.parametrize(("extra", "states"), [(0, (2, 3, 4)), (1, (2, 3)), (2, (2,))])
def test_what_satisfies_the_conditions_is_complete_for_partial_machines(extra: int, states: tuple[int, ...]) -> None:
    """Cut down more tests than are needed, so that what is left is not what the program makes."""
    draw = random.Random(5)
    cut = 0
    for table in partial_machines(41 + extra, 8, states=states, inputs=(2,)):
        words = hsi(table, extra_states=extra).words()
        tests = whole = sorted({*suite(table, extra), *(tuple(word.tolist()) for word in words)})
        for test in draw.sample(tests, len(tests)):
            shorter = [t for t in tests if t != test] + ([test[:-1]] if len(test) > 1 else [])
            if satisfies_conditions(table, shorter, extra):
                tests = shorter
        cut += sum(map(len, whole)) - sum(map(len, tests))
        assert find_survivor(table, tests, table.states + extra, guesses=100_000) is None
    assert cut


def test_a_missing_test_is_noticed() -> None:
    """The oracles can say no."""
    draw = random.Random(11)
    noticed = refused = tried = 0
    for table in specifications(29, 28, states=(2, 3), inputs=(2, 3)):
        tests = suite(table, 1)
        del tests[draw.randrange(len(tests))]
        tried += 1
        refused += not satisfies_conditions(table, tests, 1)
        found = find_survivor(table, tests, table.states + 1)
        if found is not None:
            assert passes(found, table, tests)
            assert not equivalent(found, table)
            noticed += 1
    assert noticed > tried * 3 // 4
    assert refused >= noticed


def mutant(draw: random.Random, table: Table, extra: int) -> Table:
    """One more state for each extra one, a copy of another; then a few transitions redirected or answered wrongly."""
    n, p = table.states, table.inputs
    target, output = table.target.tolist(), table.output.tolist()
    for _ in range(extra):
        copied = draw.randrange(n)
        target += target[copied * p : (copied + 1) * p]
        output += output[copied * p : (copied + 1) * p]
        entering = [c for c in range(len(target)) if target[c] == copied]
        for cell in draw.sample(entering, min(len(entering), draw.choice((1, 1, 2)))):
            target[cell] = len(target) // p - 1
    for _ in range(draw.choice((1, 1, 2))):
        cell = draw.randrange(len(target))
        if draw.random() < 0.7:
            target[cell] = draw.randrange(len(target) // p)
        else:
            output[cell] = draw.randrange(table.outputs)
    return machine(target, output, inputs=p)


@pytest.mark.parametrize(("states", "inputs", "extra"), [(10, 4, 0), (10, 4, 1), (8, 3, 2), (30, 5, 0), (20, 4, 1)])
def test_no_mutant_of_a_larger_machine_survives(states: int, inputs: int, extra: int) -> None:
    draw = random.Random(states + extra)
    for kind in range(7):
        table = specification(draw, kind, states=states, inputs=inputs, outputs=3)
        tests = suite(table, extra, lookahead=2)
        survivors = 0
        for _ in range(40):
            faulty = mutant(draw, table, extra)
            survivors += passes(faulty, table, tests) and not equivalent(faulty, table)
        assert survivors == 0


def test_one_state_and_one_input() -> None:
    single = machine([0, 0], [0, 1], inputs=2)
    assert suite(single, 0) == [(0,), (1,)]
    assert suite(single, 1) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    chain = machine([1, 2, 2], [0, 0, 1], inputs=1)
    for extra in (0, 1, 2, 3):
        tests = suite(chain, extra)
        assert satisfies_conditions(chain, tests, extra)
        assert find_survivor(chain, tests, 3 + extra) is None


def test_the_same_bytes_every_time() -> None:
    table = specification(random.Random(8), 0, states=12, inputs=4, outputs=3)
    for extra in (0, 1):
        assert suite(table, extra) == suite(table, extra)


@pytest.mark.parametrize("extra", [0, 1, 2])
def test_the_length_of_tests_is_bounded(extra: int) -> None:
    table = specification(random.Random(2), 5, states=8, inputs=3, outputs=2)
    free = suite(table, extra)
    limit = max(map(len, free)) * 3 // 4
    bounded = suite(table, extra, max_length=limit)
    assert max(map(len, bounded)) <= limit
    assert satisfies_conditions(table, bounded, extra)
    with pytest.raises(UserError, match="too short for walks"):
        suite(table, extra, max_length=extra)


@pytest.mark.parametrize("extra", [0, 1])
def test_dear_resets_make_fewer_tests(extra: int) -> None:
    free = dear = 0
    for table in specifications(4, 5, states=(12,), inputs=(4,)):
        free += len(suite(table, extra, reset_cost=0.0))
        dear += len(suite(table, extra, reset_cost=50.0))
    assert dear < free


def test_what_the_proof_does_not_cover_is_refused() -> None:
    with pytest.raises(UserError, match="reachable"):
        suite(machine([0, 0, 0, 1], [0, 0, 1, 1], inputs=2), 0)
    with pytest.raises(UserError, match="minimal"):
        suite(machine([0, 1, 1, 0], [0, 1, 0, 1], inputs=2), 0)
