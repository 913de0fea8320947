"""A point in time after which work must end, measured by a monotonic clock."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Deadline:
    """A deadline ``seconds`` after its creation; it never passes where ``seconds`` is None."""

    __slots__ = ("_end", "_now", "seconds")

    def __init__(self, seconds: float | None, *, now: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._now = now
        self._end = math.inf if seconds is None else now() + seconds

    def left(self) -> float:
        """The seconds left, at least 0; infinity without a limit."""
        return max(0.0, self._end - self._now()) if self._end < math.inf else math.inf

    @contextmanager
    def resting(self) -> Iterator[None]:
        """What is done meanwhile does not count: it does not pass, and the end comes as much later."""
        left, self._end = self.left(), math.inf
        try:
            yield
        finally:
            self._end = self._now() + left

    def passed(self) -> bool:
        """Whether the time is up."""
        return self.left() == 0.0
