"""Texts that differ in blanks alone."""

import pytest

from fullproof.artefacts.steadiness import ContradictingAnswers
from fullproof.core.blanks import instead_of, visibly
from fullproof.judge.diagnosis import SingleFault


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        ("ok ", "ok", ("ok␣", "ok")),
        ("", " ", ("(empty)", "␣")),
        ("a b", "ab", ("a␣b", "ab")),
        ("ok ", "no", ("ok ", "no")),
        ("a b", "a b", ("a b", "a b")),
    ],
)
def test_blanks_are_visible_where_nothing_else_differs(one: str, other: str, shown: tuple[str, str]) -> None:
    assert visibly(one, other) == shown
    assert instead_of(one, other) == f"{shown[0]} instead of {shown[1]}"


def test_a_cause_shows_the_blanks() -> None:
    fault = SingleFault(("on", "push"), ("dark", "off"), ("dark ", "off"))
    assert str(fault) == "output dark␣ instead of dark on on --push/dark--> off"


def test_contradicting_answers_show_the_blanks_to_people_alone() -> None:
    found = ContradictingAnswers(tests=("t", "u"), executions=(1, 2), steps=(("p", "a b", "a b"), ("q", "ok", "ok\t")))
    assert found.rows == [("p", "a b", "a b"), ("q", "ok", "ok␉")]
    assert found.fields()["steps"][1] == {"input": "q", "outputs": ["ok", "ok\t"]}
