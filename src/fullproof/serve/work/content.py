"""The input of a worker: the content of the question, and the progress callback."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from fullproof.artefacts.progress import Progress

Content: TypeAlias = Mapping[str, Any]
"""What the browser sent, checked by the server: texts, numbers and names, never paths."""
Told: TypeAlias = Callable[[int, int | None, int], None]

_OFTEN = 0.1
"""Seconds between two reports of progress."""


def now_and_then(told: Told) -> Progress:
    """A progress callback that passes on what it hears, but not too often."""
    last = 0.0

    def progress(done: int, total: int | None, /, steps: int = 0) -> None:
        nonlocal last
        if (now := time.monotonic()) - last > _OFTEN or done == total:
            last = now
            told(done, total, steps)

    return progress
