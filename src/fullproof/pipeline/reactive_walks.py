"""How many walks of which length a run of an sts holds: as many as its budget of inputs and outputs allows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice

from fullproof.artefacts.purposes import Walk
from fullproof.artefacts.request import RunRequest
from fullproof.artefacts.suite import make_test
from fullproof.pipeline.reactive_instances import Item
from fullproof.pipeline.tally import Tally

STEPS = 2000
"""Inputs and outputs of a run by default, purposes and walks together."""
_LENGTH = 1000
"""Inputs and outputs of a random walk, where neither --max-length nor --steps says."""
_LENGTHS = (100, 200, 400)
"""Of guided walks, in turn: what depends on a fresh system is met often, what lies deep at times."""
_FAILURES = 3
"""After so many guided walks that failed, more of them would show the same."""
_IDLE = 3
"""After so many walks without a single input or output, no further one will get anywhere."""


def walk_name(walk: Walk, number: int) -> str:
    """What stands in the place of letters for the ``number``-th execution of a run."""
    return f"{walk.value} walk {number}"


def is_walk(word: object, number: int) -> bool:
    """Whether the first letter of a test says that it was a walk."""
    return any(word == walk_name(walk, number) for walk in Walk)


def walks(kind: Walk, request: RunRequest, tally: Tally, numbers: Iterator[int]) -> Iterator[Item]:
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
        before = tally.steps
        left = budget - before - sum(length for k, length in promised.items() if k > tally.executed)
        if left <= 0 or idle >= _IDLE or (kind is Walk.GUIDED and tally.failed_walks >= _FAILURES):
            return
        promised[number] = min(next(lengths), left)
        yield _item(kind, number, promised[number])
        idle = idle + 1 if tally.executed >= number and tally.steps == before else 0


def budget_of(kind: Walk | None, request: RunRequest) -> int | None:
    """The inputs and outputs of the whole run, None where ``--repeat`` alone decides."""
    return STEPS if request.steps is None and kind is Walk.GUIDED else request.steps


def _item(kind: Walk, number: int, length: int) -> Item:
    return Item(number, make_test([walk_name(kind, number)]), None, walk=kind, length=length)
