"""Files <-> models, suites and runs; one module per format."""

from __future__ import annotations

from fullproof.formats.endings import read_model, write_model

__all__ = ["read_model", "write_model"]
