"""How much time is left."""

from __future__ import annotations

import time


class Deadline:
    """Counts down from the moment it is made."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds until the end, never negative."""
        return max(0.0, self._end - time.monotonic())

    def passed(self) -> bool:
        """Whether the time is up."""
        return self.left() == 0.0
