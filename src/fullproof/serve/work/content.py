"""The input of a worker: the content of the question, and the progress callback."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Content: TypeAlias = Mapping[str, Any]
"""What the browser sent, checked by the server: texts, numbers and names, never paths."""
Told: TypeAlias = Callable[[int, int | None, int], None]
