"""Outputs of timers: one sees their sequence, in which those of one instant may come in any order.

A system has no reason to prefer one, and a tester accepts each. So two machines may look alike where some order of each
instant gives the same sequence, and a test distinguishes them only where none
does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, permutations
from typing import TypeAlias

Outputs: TypeAlias = tuple[str, ...]
Instant: TypeAlias = tuple[Outputs, ...]
"""What each expiry of one instant emits, sorted, without those that emit nothing."""
Ahead: TypeAlias = frozenset[tuple[Outputs, Outputs]]
"""What one of two machines may have emitted more than the other, for each way to order instants by which they are
alike so far; of each pair one is empty. No pair: they are not alike, whatever comes."""

LEVEL: Ahead = frozenset({((), ())})
"""Both have emitted the same."""


def instant(parts: Iterable[Outputs]) -> Instant:
    """What comes at one instant."""
    return tuple(sorted(filter(None, parts)))


def flat(instants: Iterable[Instant]) -> Outputs:
    """One sequence in which they may come."""
    return tuple(output for parts in instants for part in parts for output in part)


def further(ahead: Ahead, mine: Instant, own: Instant) -> Ahead:
    """After one more instant of each, at which perhaps nothing comes."""
    if not mine and not own:
        return ahead
    pairs = (
        _rest(left + one, right + other) for left, right in ahead for one in _orders(mine) for other in _orders(own)
    )
    return frozenset(pair for pair in pairs if not (pair[0] and pair[1]))


def longest(ahead: Ahead) -> int:
    """How many outputs of one machine the other lacks."""
    return max((len(left) + len(right) for left, right in ahead), default=0)


def may_be_alike(mine: Sequence[Instant], own: Sequence[Instant]) -> bool:
    """Whether both may come as the same sequence."""
    return mine == own or _followed(mine, own, to_the_end=True) >= LEVEL


def may_begin(mine: Sequence[Instant], own: Sequence[Instant]) -> bool:
    """Whether the first may come as a beginning of the second."""
    return any(not left for left, _ in _followed(mine, own, to_the_end=False))


def _followed(mine: Sequence[Instant], own: Sequence[Instant], *, to_the_end: bool) -> Ahead:
    """The machine that has emitted less goes on, so that few ways are open at once."""
    ahead, at, other_at = LEVEL, 0, 0
    lead = 0  # how many more outputs of the first have come
    while ahead and (at < len(mine) or (other_at < len(own) and (to_the_end or lead > 0))):
        if at < len(mine) and (lead <= 0 or other_at == len(own)):
            ahead = further(ahead, mine[at], ())
            lead += sum(map(len, mine[at]))
            at += 1
        else:
            ahead = further(ahead, (), own[other_at])
            lead -= sum(map(len, own[other_at]))
            other_at += 1
    return ahead


@lru_cache(maxsize=4096)
def _orders(parts: Instant) -> frozenset[Outputs]:
    return frozenset(tuple(chain(*order)) for order in permutations(parts))


def _rest(one: Outputs, other: Outputs) -> tuple[Outputs, Outputs]:
    """Two sequences without their common beginning."""
    same = 0
    while same < len(one) and same < len(other) and one[same] == other[same]:
        same += 1
    return one[same:], other[same:]
