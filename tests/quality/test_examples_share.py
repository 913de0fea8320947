"""The share of examples that `make test` takes reaches the properties; it would be silent if it did not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import pytest_collection_modifyitems


class Item:
    def __init__(self, function: object) -> None:
        self.function = function


@pytest.mark.parametrize(
    ("share", "usual", "taken"), [("0.25", 80, 20), ("0.25", 16, 10), ("0.25", 4, 4), ("1", 80, 80)]
)
def test_a_share_of_the_examples_is_taken(monkeypatch: pytest.MonkeyPatch, share: str, usual: int, taken: int) -> None:
    seen: list[int] = []

    @settings(max_examples=usual, database=None)
    @given(st.integers())
    def counted(number: int) -> None:
        seen.append(number)

    monkeypatch.setenv("FULLPROOF_EXAMPLES", share)
    pytest_collection_modifyitems([Item(counted)])
    counted()
    assert len(seen) == taken
