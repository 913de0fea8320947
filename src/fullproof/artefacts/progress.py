"""How far long work has come."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Progress callback: items done, items in all where that is known, and steps done in all."""

    def __call__(self, done: int, total: int | None, /, steps: int = 0) -> None:
        """Take note."""


def unheard(_done: int, _total: int | None, /, steps: int = 0) -> None:
    """Progress that nobody watches."""
