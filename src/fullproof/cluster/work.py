"""What is done for many items in other processes, and what comes back from there."""

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
    """How a process ended in the middle of an item, in words: ``died: killed by SIGSEGV``."""

    __slots__ = ("certain", "evidence", "notes")

    evidence: str
    """What else is known, e.g. where the process was when it hung."""
    notes: Sequence[tuple[bytes, Any]]
    """What the record has of the item, where the work is recorded."""
    certain: bool
    """Whether it was the item: a process that is killed may have been killed by anybody."""

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
    """How long a process may show no sign of life in a record, in seconds."""

    patience: float
    """In the middle of a batch."""
    opening: float
    """Until it has begun."""
    limit: float
    """What to say: the limit that the user gave, which the process watches over itself as far as it can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work(Generic[Common, Item, Result]):
    """Something to be done for many items. It travels as a pickle, so its functions are functions of modules.

    ``begin`` is entered once in each process and gives the function that does a batch: one result for each item, in
    order. A UserError raised there ends the work. ``lost`` makes the result of an item that ends its process each time.
    Work that is ``recorded`` writes down what it does (``record.of_this_process``), so that none is done twice. With a
    ``vigil`` it must be; a process that then stands still is ended.
    """

    begin: Callable[[Common], AbstractContextManager[Callable[[Sequence[Item]], Iterable[Result]]]]
    common: Common
    lost: Callable[[Item, Death], Result]
    recorded: bool = False
    vigil: Vigil | None = None


@dataclass(frozen=True, slots=True)
class Packed:
    """Work on its way to a process, and what those who start that process have to know of it."""

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
    """Something the user can mend."""

    message: str
    at: Place

    def error(self) -> UserError:
        """As it was raised."""
        return UserError(self.message, at=self.at)


@dataclass(frozen=True, slots=True)
class DoneBatch:
    """The results of a batch, or of its first items where the next one was refused; how long that took."""

    results: Sequence[Any]
    seconds: float
    refused: RefusedBatch | None = None


@dataclass(frozen=True, slots=True)
class BrokenBatch:
    """A bug of ours in the other process: its traceback."""

    traceback: str

    def error(self) -> Bug:
        """To be raised here."""
        return Bug(f"in another process:\n{self.traceback}")


Answer: TypeAlias = Ready | RefusedBatch | DoneBatch | BrokenBatch


class BatchSize:
    """How many items make up a batch that takes about ``seconds``: one at first, at most twice as many as before."""

    def __init__(self, *, seconds: float, largest: int) -> None:
        self._seconds = seconds
        self._largest = largest
        self.now = 1

    def learn(self, items: int, seconds: float) -> None:
        """A batch of so many items took so long."""
        if items:
            wanted = int(items * self._seconds / max(seconds, 1e-6))
            self.now = max(1, min(self._largest, wanted, 2 * self.now))
