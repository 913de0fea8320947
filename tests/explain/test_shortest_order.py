"""The tests that must come before a failing one."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from fullproof.core.deadline import Deadline
from fullproof.explain.shortest_order import shortest_order

FOREVER = Deadline(None)


def test_one_test_is_enough():
    found = shortest_order(list(range(20)), lambda order: 3 in order, FOREVER)
    assert (found.order, found.is_shortest) == ((3,), True)


def test_all_together_are_not_enough():
    assert shortest_order([1, 2, 3], lambda _: False, FOREVER) is None
    assert shortest_order([], lambda _: True, FOREVER) is None


def test_two_tests_in_their_order():
    def shows(order):
        return 2 in order and 7 in order and order.index(2) < order.index(7)

    found = shortest_order(list(range(10)), shows, FOREVER)
    assert (found.order, found.is_shortest) == ((2, 7), True)


def test_the_clock_ends_the_search():
    found = shortest_order(list(range(8)), lambda order: len(order) > 3, Deadline(0))
    assert found is None


@given(st.integers(1, 7), st.sets(st.frozensets(st.integers(0, 6), min_size=1, max_size=3), max_size=4))
def test_nothing_of_the_result_can_be_left_out(count, needed):
    def shows(order):
        return any(parts <= set(order) for parts in needed)

    before = list(range(count))
    found = shortest_order(before, shows, FOREVER)
    assert (found is None) == (not shows(before))
    if found is not None:
        assert shows(found.order)
        assert not any(shows(part) for part in combinations(found.order, len(found.order) - 1))
        if found.is_shortest:
            fewest = min(size for size in range(count + 1) if any(map(shows, combinations(before, size))))
            assert len(found.order) == fewest
