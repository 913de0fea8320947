"""Titles: what was seen last, in words."""

import pytest

from fullproof.artefacts.run import StepRow
from fullproof.explain.titles import title_of


def row(given: str, allowed: str, observed: str) -> StepRow:
    return StepRow(input=given, allowed=(allowed,), observed=observed, ok=False)


@pytest.mark.parametrize(
    ("last", "title"),
    [
        (("ring(2)", "silence"), "after `press`, the system stays silent instead of ring(2)"),
        (("silence", "ring(2)"), "after `press`, the system answers ring(2) instead of silence"),
    ],
)
def test_silence_is_no_answer_of_a_reactive_system(last, title):
    assert title_of([row("press", "", ""), row("", *last)], "") == title


def test_an_output_may_have_that_name():
    assert title_of([row("b", "loud", "silence")], "") == "`b` answers silence instead of loud"
