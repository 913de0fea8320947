"""The tests that must come before a failing one, for a system that a reset does not bring back to its beginning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from fullproof.core.deadline import Deadline

T = TypeVar("T")

_SINGLES = 30
"""Tests that are tried one by one, each on a fresh system."""


@dataclass(frozen=True, slots=True)
class ShortestOrder(Generic[T]):
    """Tests in the order of the run after which another one fails."""

    order: tuple[T, ...]
    is_shortest: bool
    """Whether all shorter parts of what came before were tried: none of them is enough."""


def shortest_order(
    before: Sequence[T], shows: Callable[[Sequence[T]], bool], deadline: Deadline
) -> ShortestOrder[T] | None:
    """The fewest of ``before`` that were found; None where all of them together are not enough.

    ``shows`` runs tests one after the other on a fresh system, then the failing one, and says whether it fails. The end
    of ``before`` is tried first, then each part of it is left out (delta debugging, Zeller and Hildebrandt 2002): none
    of the result can be left out where the deadline allows. The first tests are tried one by one at the end.
    """
    found = _suffix(before, shows, deadline)
    if found is None:
        return None
    found = _without_parts(found, shows, deadline)
    if len(found) <= 1:
        return ShortestOrder(tuple(found), is_shortest=True)
    for place, one in enumerate(before):
        if deadline.passed() or place == _SINGLES:
            return ShortestOrder(tuple(found), is_shortest=False)
        if shows([one]):
            return ShortestOrder((one,), is_shortest=True)
    return ShortestOrder(tuple(found), is_shortest=len(found) == 2)


def _suffix(before: Sequence[T], shows: Callable[[Sequence[T]], bool], deadline: Deadline) -> list[T] | None:
    """The last 1, 2, 4, ... tests, until they are enough."""
    size = 1
    while before and not deadline.passed():
        part = list(before[-size:])
        if shows(part):
            return part
        if size >= len(before):
            return None
        size *= 2
    return None


def _without_parts(order: list[T], shows: Callable[[Sequence[T]], bool], deadline: Deadline) -> list[T]:
    size = len(order) // 2
    while size and not deadline.passed():
        start, is_shorter = 0, False
        while start < len(order) and not deadline.passed():
            rest = order[:start] + order[start + size :]
            if rest and shows(rest):
                order, is_shorter = rest, True
            else:
                start += size
        size = size if is_shorter and size == 1 else size // 2
    return order
