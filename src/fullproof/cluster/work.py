"""What is done for many items in other processes, and what comes back from there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from fullproof.core.errors import Bug, Place, UserError

Common = TypeVar("Common")
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Work(Generic[Common, Item, Result]):
    """Something to be done for many items. It travels as a pickle, so its functions are functions of modules.

    ``begin`` is entered once in each process and gives the function that does a batch: one result for each item, in
    order. A UserError raised there ends the work. ``lost`` makes the result of an item that ends its process each time.
    """

    begin: Callable[[Common], AbstractContextManager[Callable[[Sequence[Item]], Iterable[Result]]]]
    common: Common
    lost: Callable[[Item, str], Result]


@dataclass(frozen=True, slots=True)
class Ready:
    """A process has begun, and waits for its first batch."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Something the user can mend."""

    message: str
    at: Place

    def error(self) -> UserError:
        """As it was raised."""
        return UserError(self.message, at=self.at)


@dataclass(frozen=True, slots=True)
class Done:
    """The results of a batch, or of its first items where the next one was refused; how long that took."""

    results: Sequence[Any]
    seconds: float
    refused: Refused | None = None


@dataclass(frozen=True, slots=True)
class Broken:
    """A bug of ours in the other process: its traceback."""

    traceback: str

    def error(self) -> Bug:
        """To be raised here."""
        return Bug(f"in another process:\n{self.traceback}")


Answer: TypeAlias = Ready | Refused | Done | Broken


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
