"""Titles: what was seen last, in words."""

import pytest

from fullproof.artefacts.run import StepRow
from fullproof.explain.titles import title_of


def row(given: str, allowed: str, observed: str) -> StepRow:
    return StepRow(input=given, allowed=(allowed,), observed=observed, ok=False)


@pytest.mark.parametrize(
    ("rows", "title"),
    [
        ([row("press", "", ""), row("", "ring(2)", "silence")], "after `press`, the system stays silent instead of ring(2)"),
        ([row("press", "", ""), row("", "silence", "ring(2)")], "after `press`, the system answers ring(2) instead of silence"),
        ([row("a", "x", "x"), row("b", "loud", "silence")], "after `a`, `b` answers silence instead of loud"),
    ],
)  # fmt: skip
def test_silence_is_no_answer_of_a_reactive_system(rows, title):
    assert title_of(rows, "") == title
