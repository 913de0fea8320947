"""The larger alarm systems of paper 004, with input classes as symbols: published sizes of H suites and better."""

import numpy as np
import pytest
from tests.oracles.suites import survivor
from tests.strategies.tables import relation

from fullproof.analysis.minimise import prime
from fullproof.analysis.table import Table, deterministic_table
from fullproof.generate.finite.h import h
from fullproof.generate.finite.wp import wp


def alarm(states: int) -> Table:
    """``alarm5.yaml`` or ``alarm8.yaml`` on one input from each class: below max, max, and up in steps of max / 2.

    States 0 and 1 (no alarm, warning) react to the first two classes; from there the alarm moves one level at a time
    towards the level of the speed, level 2 for the third class and so on. The output names the state entered.
    """
    target = np.zeros((states, states), dtype=np.int32)
    for state in range(states):
        for speed in range(states):
            if state < 2:
                target[state, speed] = min(speed, 2)
            else:
                target[state, speed] = max(2, state - 1, min(state + 1, speed))
    flat = target.reshape(-1)
    whole = Table(states=states, inputs=states, outputs=states, target=flat, output=flat)
    return deterministic_table(prime(relation(whole)).relation)


def test_the_machines_are_those_of_the_paper() -> None:
    assert (alarm(5).states, alarm(5).inputs) == (4, 5)
    assert (alarm(8).states, alarm(8).inputs) == (7, 8)


@pytest.mark.parametrize(
    ("states", "published"),
    [(5, (23, 111, 575, 2875)), (8, (50, 400, 3200, 25600))],
)
def test_h_is_no_larger_than_published(states: int, published: tuple[int, ...]) -> None:
    for extra, tests in enumerate(published):
        words = h(alarm(states), extra_states=extra)
        assert len(words) <= tests
        assert len(words) <= wp(alarm(states), extra_states=extra).size().tests


def test_the_small_suite_is_complete() -> None:
    table = alarm(5)
    words = [tuple(word.tolist()) for word in h(table, extra_states=0)]
    assert survivor(table, words, table.states) is None
