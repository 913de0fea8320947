"""Tests that took long when they were last measured; they count as slow, beside those that say so themselves.

The list is made from what pytest prints about all tests on an idle machine:

    python -m pytest -n 2 --dist worksteal --durations=0 --durations-min=0.2 -vv tests | python -m tests.long_tests
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

LIST = Path(__file__).with_suffix(".txt")
LONG = 1.5
"""Seconds; all shorter tests together take about five minutes on two cores."""


def listed() -> frozenset[str]:
    """The ids of the tests on the list."""
    return frozenset(LIST.read_text(encoding="utf-8").splitlines())


def long_tests(lines: Iterable[str]) -> list[str]:
    """Those that a report of durations gives at least ``LONG`` seconds, set-up included."""
    seconds: dict[str, float] = {}
    for line in lines:
        found = re.match(r"([0-9.]+)s (?:setup|call|teardown) +(tests/.+?)\s*$", line)
        if found:
            seconds[found[2]] = seconds.get(found[2], 0.0) + float(found[1])
    return sorted(test for test, duration in seconds.items() if duration >= LONG)


if __name__ == "__main__":
    LIST.write_text("".join(f"{test}\n" for test in long_tests(sys.stdin)), encoding="utf-8")
