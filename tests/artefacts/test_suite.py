from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullproof.artefacts.suite import json_value, make_test


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Fraction(20, 3), "20/3"),
        (Fraction(9, 10), 0.9),
        (Fraction(200), 200),
        (Fraction(10**400 + 1, 2), f"{10**400 + 1}/2"),
        (Fraction(1, 10**400), f"1/{10**400}"),
        (True, True),
        ("W", "W"),
    ],
)
def test_values_are_numbers_where_that_is_exact(value: Fraction | bool | str, written: object) -> None:
    assert json_value(value) == written
    assert type(json_value(value)) is type(written)


@given(st.fractions())
def test_no_value_is_changed(value: Fraction) -> None:
    written = json_value(value)
    assert Fraction(written if isinstance(written, str) else repr(written)) == value


def test_the_same_test_keeps_its_id_and_another_gets_its_own() -> None:
    assert make_test(["a", "b"]).id == make_test(("a", "b")).id
    assert make_test([{"x": 1, "y": 2}]).id == make_test([{"y": 2, "x": 1}]).id
    words = [["a", "b"], ["ab"], ["a"], [], ["b", "a"], ["a,b"]]
    assert len({make_test(word).id for word in words}) == len(words)
