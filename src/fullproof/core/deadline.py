"""A point in time after which work is to end, by a clock that only goes forward."""

from __future__ import annotations

import math
import time
from collections.abc import Callable


class Deadline:
    """So many seconds from the moment it is made, or never where ``seconds`` is None."""

    __slots__ = ("_end", "_now", "seconds")

    def __init__(self, seconds: float | None, *, now: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._now = now
        self._end = math.inf if seconds is None else now() + seconds

    def left(self) -> float:
        """Seconds until then, at least 0; infinity where there is no end."""
        return max(0.0, self._end - self._now()) if self._end < math.inf else math.inf

    def passed(self) -> bool:
        """Whether the time is up."""
        return self.left() == 0.0
