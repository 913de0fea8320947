"""What becomes of a job."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class DoneAnswer:
    """The answer, as JSON; nobody here needs to look into it."""

    body: bytes


@dataclass(frozen=True, slots=True)
class RefusedAnswer:
    """The user can mend it; the body says what is wrong and where, as JSON."""

    body: bytes


class Limit(Enum):
    """Why a worker had to stop."""

    TIME = "time"
    MEMORY = "memory"
    SIZE = "size"
    DEATH = "death"
    """The worker died without a word: out of memory where nobody can say so, or ended by a system under test."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """A limit was reached."""

    limit: Limit


@dataclass(frozen=True, slots=True)
class Cancelled:
    """Nobody wants the answer any more."""


@dataclass(frozen=True, slots=True)
class Crowded:
    """It has waited for a worker too long."""


@dataclass(frozen=True, slots=True)
class BrokenAnswer:
    """A bug of ours, or a worker that died; ``report`` is for its developers."""

    report: str


Outcome: TypeAlias = DoneAnswer | RefusedAnswer | Stopped | Cancelled | Crowded | BrokenAnswer

PROGRESS, DONE, REFUSED, MEMORY, SIZE, BUG, PID = b"p", b"d", b"u", b"m", b"s", b"b", b"i"
"""The first byte of a message from a worker."""
