"""Stage 5, execute: tests -> traces, without verdicts."""

from __future__ import annotations

from fullproof.execute.runner import Enabled, Options, execute
from fullproof.execute.sut import Sut, SutError

__all__ = ["Enabled", "Options", "Sut", "SutError", "execute"]
