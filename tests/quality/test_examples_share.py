"""The share of examples that `make test` takes reaches the properties; it would be silent if it did not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import take_share


@pytest.mark.parametrize(("share", "usual", "taken"), [(0.25, 80, 20), (0.25, 16, 10), (0.25, 4, 4), (1.0, 80, 80)])
def test_a_share_of_the_examples_is_taken(share: float, usual: int, taken: int) -> None:
    seen: list[int] = []

    @settings(max_examples=usual, database=None)
    @given(st.integers())
    def counted(number: int) -> None:
        seen.append(number)

    take_share(share, [counted, None])
    counted()
    assert len(seen) == taken
