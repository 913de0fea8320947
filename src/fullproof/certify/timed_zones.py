"""Zones: sets of times that timers still run, given by bounds on differences (Dill 1989).

A zone is a matrix: entry (i, j) bounds ``x_i - x_j``, where ``x_0`` is 0 and the others are the times until expiry. The
bound ``<= v`` is the number 2 v + 1, and ``< v`` is 2 v, so that the smaller number is the stronger bound. Matrices are
closed: no bound follows from others that is stronger.
"""

from __future__ import annotations

from typing import TypeAlias

Zone: TypeAlias = tuple[tuple[int, ...], ...]

_ZERO = 1
"""The bound ``<= 0``."""


def at_most(value: int) -> int:
    """The bound ``<= value``."""
    return 2 * value + 1


def below(value: int) -> int:
    """The bound ``< value``."""
    return 2 * value


def point(times: tuple[int, ...]) -> Zone:
    """The zone of these times alone."""
    values = (0, *times)
    return tuple(tuple(at_most(a - b) for b in values) for a in values)


def elapsed(zone: Zone) -> Zone:
    """All that the times are later, until one of them is 0."""
    first = tuple(min((row[i] for row in zone[1:]), default=_ZERO) if i else _ZERO for i in range(len(zone)))
    return (first, *zone[1:])


def strictly_elapsed(later: Zone) -> Zone:
    """What has elapsed without its very beginning."""
    return (later[0], *((row[0] & ~1, *row[1:]) for row in later[1:]))


def bounded(zone: Zone, i: int, j: int, bound: int) -> Zone | None:
    """The part in which ``x_i - x_j`` keeps to a bound; None where that is empty."""
    if bound >= zone[i][j]:
        return zone
    back = zone[j][i]
    if back + bound - ((back | bound) & 1) < _ZERO:
        return None
    last = [bound + b - ((bound | b) & 1) for b in zone[j]]
    found = []
    for row in zone:
        a = row[i]
        found.append(tuple([min(old, a + b - ((a | b) & 1)) for old, b in zip(row, last, strict=True)]))
    return tuple(found)


def changed(zone: Zone, entries: tuple[int | None, ...], values: tuple[int, ...]) -> Zone:
    """The zone over other times: entry k is the one with a number in the old zone, or where that is None has a value.

    Numbers in the old zone begin with 1.
    """
    origin = [0, *entries]
    value = [0, *values]
    down, up = zone[0], [row[0] for row in zone]
    found = []
    for i, old_i in enumerate(origin):
        row = []
        for j, old_j in enumerate(origin):
            if old_i is not None and old_j is not None:
                row.append(zone[old_i][old_j])
            elif old_i is not None:
                row.append(up[old_i] - 2 * value[j])
            elif old_j is not None:
                row.append(down[old_j] + 2 * value[i])
            else:
                row.append(at_most(value[i] - value[j]))
        found.append(tuple(row))
    return tuple(found)


def includes(larger: Zone, smaller: Zone) -> bool:
    """Whether one zone has all of another."""
    return all(a >= b for one, other in zip(larger, smaller, strict=True) for a, b in zip(one, other, strict=True))


def are_equal(zone: Zone, i: int, j: int) -> bool:
    """Whether two times are the same everywhere."""
    return zone[i][j] == _ZERO == zone[j][i]
