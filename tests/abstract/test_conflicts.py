"""The fewest groups against all ways to divide."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from fullproof.abstract.conflicts import Fits, fewest_groups


def fewest(count: int, conflicts: list[frozenset[int]]) -> int:
    """By trying every way to number the members."""
    for size in range(1, count + 1):
        for numbers in product(range(size), repeat=count):
            groups = [{k for k in range(count) if numbers[k] == g} for g in range(size)]
            if not any(conflict <= group for conflict in conflicts for group in groups):
                return size
    return 0


conflict_sets = st.lists(st.frozensets(st.integers(0, 4), min_size=2, max_size=3), max_size=8)


@settings(max_examples=120, deadline=None)
@given(conflict_sets, st.data())
def test_against_all_divisions(conflicts: list[frozenset[int]], data: st.DataObject) -> None:
    count = 5
    told = data.draw(st.lists(st.sampled_from(conflicts))) if conflicts else []

    def fits(group: frozenset[int]) -> Fits:
        return Fits.NO if any(conflict <= group for conflict in conflicts) else Fits.YES

    grouping = fewest_groups(count, [frozenset({k}) for k in range(count)], fits, conflicts=told)
    assert grouping.smallest
    assert len(grouping.groups) == fewest(count, conflicts)
    assert frozenset().union(*grouping.groups) == frozenset(range(count))
    assert all(fits(group) is Fits.YES for group in grouping.groups)


@settings(max_examples=60, deadline=None)
@given(conflict_sets)
def test_what_is_unknown_proves_nothing(doubtful: list[frozenset[int]]) -> None:
    def fits(group: frozenset[int]) -> Fits:
        return Fits.UNKNOWN if any(doubt <= group for doubt in doubtful) else Fits.YES

    grouping = fewest_groups(5, [frozenset({k}) for k in range(5)], fits)
    assert frozenset().union(*grouping.groups) == frozenset(range(5))
    assert all(fits(group) is Fits.YES for group in grouping.groups)
    assert not (grouping.smallest and len(grouping.groups) > 1)


def test_without_time_the_best_known_is_the_answer() -> None:
    grouping = fewest_groups(3, [frozenset({k}) for k in range(3)], lambda _: Fits.NO, may_go_on=lambda: False)
    assert len(grouping.groups) == 3
    assert not grouping.smallest
