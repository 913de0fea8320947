"""Progress of long work."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Progress callback: items done, items in all where that is known, and steps done in all."""

    def __call__(self, done: int, total: int | None, /, steps: int = 0) -> None:
        """Report progress."""


def unheard(_done: int, _total: int | None, /, steps: int = 0) -> None:
    """A progress callback that does nothing."""
