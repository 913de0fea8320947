"""The exit codes of the commands, which are part of the contract."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The meaning of each exit code."""

    DONE = 0
    NO = 1
    INTERRUPTED = 2
    BUG = 3
    USAGE = 4
    NOTHING_TO_DO = 5
    INCONCLUSIVE = 6
