from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies.expressions import SCOPE, conditions, valuations

from fullproof.core.errors import UserError
from fullproof.language.evaluate import evaluate
from fullproof.language.parser import parse_expression
from fullproof.language.printer import to_text
from fullproof.language.residual import residual
from fullproof.language.traversal import free_names

VALUES = {"i": 2, "r": Fraction(1, 2)}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("s == k + (r - i) / 2", "s == 2.25"),
        ("third <= s <= r", "1/3 <= s <= 0.5"),
        ("s == -i", "s == -2"),
        ("i > 1 and s == j", "s == j"),
        ("i > 5 or s == j", "s == j"),
        ("i > 5 -> s == j", "true"),
        ("if i > 1 then p else X", "p"),
        ("light == W", "light == W"),
        ("s ** 2 == i ** 2", "s ** 2 == 4"),
        ("i == 2", "true"),
        ("min(s, i + 1) == abs(j)", "min(s, 3) == abs(j)"),
    ],
)
def test_what_is_left(text, left):
    assert to_text(residual(parse_expression(text), SCOPE, VALUES)).replace(" / ", "/") == left


@given(conditions(), valuations, st.sets(st.sampled_from(["p", "X", "i", "j", "r", "s"])))
def test_what_is_left_means_the_same_and_speaks_of_nothing_known(expression, values, names):
    known = {name: values[name] for name in names}
    left = residual(expression, SCOPE, known)
    assert not free_names(left) & known.keys()
    try:
        meaning = evaluate(left, SCOPE, values)
    except UserError:
        return  # the value of an enum variable may be of several types
    assert meaning == evaluate(expression, SCOPE, values)
