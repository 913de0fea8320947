"""How a command ends: part of the contract."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What the number means."""

    DONE = 0
    NO = 1
    INTERRUPTED = 2
    BUG = 3
    USAGE = 4
    NOTHING_TO_DO = 5
    INCONCLUSIVE = 6
