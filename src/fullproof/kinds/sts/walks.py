"""The number and length of walks in a run of an sts, within its budget of inputs and outputs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice

from fullproof.artefacts.purposes import Walk
from fullproof.artefacts.request import RunRequest
from fullproof.artefacts.suite import make_test
from fullproof.kinds.sts.goal_coverage import GoalCoverage
from fullproof.kinds.sts.instances import Item
from fullproof.kinds.sts.letters import walk_name

STEPS = 2000
"""Inputs and outputs of a run by default, purposes and walks together."""
_LENGTH = 1000
"""Inputs and outputs of a random walk, where neither --max-length nor --steps says."""
_LENGTHS = (100, 200, 400)
"""Lengths of guided walks, in turn: short ones find faults of a fresh system, long ones deep faults."""
_FAILURES = 3
"""After this many failed guided walks, further ones would show the same."""
_IDLE = 3
"""After this many walks without an input or output, further ones are pointless."""


def walks(kind: Walk, request: RunRequest, coverage: GoalCoverage, numbers: Iterator[int]) -> Iterator[Item]:
    """Walks until the budget is used up; without one, ``--repeat`` random walks."""
    longest, budget = request.suite.max_length, budget_of(kind, request)
    if budget is None:
        for number in islice(numbers, request.repeat):
            yield _item(kind, number, longest or _LENGTH)
        return
    lengths = cycle(_LENGTHS) if longest is None and kind is Walk.GUIDED else cycle((longest or _LENGTH,))
    promised: dict[int, int] = {}
    idle = 0
    for number in numbers:
        before = coverage.steps
        left = budget - before - sum(length for k, length in promised.items() if k > coverage.executed)
        if left <= 0 or idle >= _IDLE or (kind is Walk.GUIDED and coverage.failed_walks >= _FAILURES):
            return
        promised[number] = min(next(lengths), left)
        yield _item(kind, number, promised[number])
        idle = idle + 1 if coverage.executed >= number and coverage.steps == before else 0


def budget_of(kind: Walk | None, request: RunRequest) -> int | None:
    """The inputs and outputs of the whole run, None where ``--repeat`` alone decides."""
    return STEPS if request.steps is None and kind is Walk.GUIDED else request.steps


def _item(kind: Walk, number: int, length: int) -> Item:
    return Item(number, make_test([walk_name(kind, number)]), None, walk=kind, length=length)
