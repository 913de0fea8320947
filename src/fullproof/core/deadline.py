"""A point in time after which work must end, measured by a monotonic clock."""

from __future__ import annotations

import math
import time
from collections.abc import Callable


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

    def passed(self) -> bool:
        """Whether the time is up."""
        return self.left() == 0.0
