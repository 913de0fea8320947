"""The outcomes of a job."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class DoneAnswer:
    """The answer, as JSON text that the server does not parse."""

    body: bytes


@dataclass(frozen=True, slots=True)
class RefusedAnswer:
    """A user's error; the body says what is wrong and where, as JSON."""

    body: bytes


class Limit(Enum):
    """Why a worker had to stop."""

    TIME = "time"
    MEMORY = "memory"
    SIZE = "size"
    DEATH = "death"
    """The worker ended without a message: out of memory, or ended by a system under test."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """A limit was reached."""

    limit: Limit


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The client cancelled the request."""


@dataclass(frozen=True, slots=True)
class Crowded:
    """No worker was free in time."""


@dataclass(frozen=True, slots=True)
class BrokenAnswer:
    """A bug of fullproof, or a worker that ended; ``report`` is for developers."""

    report: str


Outcome: TypeAlias = DoneAnswer | RefusedAnswer | Stopped | Cancelled | Crowded | BrokenAnswer

PROGRESS, DONE, REFUSED, MEMORY, SIZE, BUG, PID = b"p", b"d", b"u", b"m", b"s", b"b", b"i"
"""The first byte of a message from a worker."""
