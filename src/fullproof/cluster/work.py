"""Descriptions of work for many items in other processes, and of its results."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeAlias, TypeVar

from fullproof.core.errors import Bug, Place, UserError

Common = TypeVar("Common")
Item = TypeVar("Item")
Result = TypeVar("Result")


class Death(str):
    """How a process ended in the middle of an item, as text: ``died: killed by SIGSEGV``."""

    __slots__ = ("certain", "evidence", "notes")

    evidence: str
    """Further evidence, e.g. the stack of the process when it hung."""
    notes: Sequence[tuple[bytes, Any]]
    """The recorded notes of the item, where the work is recorded."""
    certain: bool
    """Whether the item was the cause: a process that is killed may have been killed from outside."""

    def __new__(
        cls, reason: str, *, evidence: str = "", notes: Sequence[tuple[bytes, Any]] = (), certain: bool = False
    ) -> Self:
        """All parts."""
        death = super().__new__(cls, reason)
        death.evidence, death.notes, death.certain = evidence, tuple(notes), certain
        return death

    def __reduce__(self) -> tuple[Any, ...]:
        return _death, (str(self), self.evidence, self.notes, self.certain)


def _death(reason: str, evidence: str, notes: Sequence[tuple[bytes, Any]], certain: object) -> Death:
    return Death(reason, evidence=evidence, notes=notes, certain=bool(certain))


@dataclass(frozen=True, slots=True, kw_only=True)
class Vigil:
    """Limits on the time without a sign of life in a record, in seconds."""

    patience: float
    """In the middle of a batch."""
    opening: float
    """Until it has begun."""
    limit: float
    """The limit to report: the one that the user gave, which the process itself enforces as far as it can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work(Generic[Common, Item, Result]):
    """A function to be applied to many items. It travels as a pickle, so its functions are functions of modules.

    ``begin`` is entered once in each process and gives the function that does a batch: one result for each item, in
    order. A UserError raised there ends the work. ``lost`` makes the result of an item that ends its process each time.
    Work that is ``recorded`` writes down what it does (``record.of_this_process``), so that none is done twice. With a
    ``vigil`` it must be recorded; a process without a sign of life is then ended.
    """

    begin: Callable[[Common], AbstractContextManager[Callable[[Sequence[Item]], Iterable[Result]]]]
    common: Common
    lost: Callable[[Item, Death], Result]
    recorded: bool = False
    vigil: Vigil | None = None


@dataclass(frozen=True, slots=True)
class Packed:
    """Pickled work for a process, and the data needed to start that process."""

    work: bytes
    recorded: bool
    vigil: Vigil | None


def packed(work: Work[Any, Any, Any]) -> Packed:
    """Pack some work."""
    return Packed(pickle.dumps(work, pickle.HIGHEST_PROTOCOL), work.recorded, work.vigil)


@dataclass(frozen=True, slots=True)
class Ready:
    """A process has begun, and waits for its first batch."""


@dataclass(frozen=True, slots=True)
class RefusedBatch:
    """An error that the user can fix."""

    message: str
    at: Place

    def error(self) -> UserError:
        """The error that was raised."""
        return UserError(self.message, at=self.at)


@dataclass(frozen=True, slots=True)
class DoneBatch:
    """The results of a batch, or of its first items where the next one was refused; how long that took."""

    results: Sequence[Any]
    seconds: float
    refused: RefusedBatch | None = None


@dataclass(frozen=True, slots=True)
class BrokenBatch:
    """A bug in the other process, with its traceback."""

    traceback: str

    def error(self) -> Bug:
        """The error to raise here."""
        return Bug(f"in another process:\n{self.traceback}")


Answer: TypeAlias = Ready | RefusedBatch | DoneBatch | BrokenBatch


class BatchSize:
    """How many items make up a batch that takes about ``seconds``: one at first, at most twice as many as before."""

    def __init__(self, *, seconds: float, largest: int) -> None:
        self._seconds = seconds
        self._largest = largest
        self.now = 1

    def learn(self, items: int, seconds: float) -> None:
        """Record the duration of a batch."""
        if items:
            wanted = int(items * self._seconds / max(seconds, 1e-6))
            self.now = max(1, min(self._largest, wanted, 2 * self.now))
