"""Files <-> models, suites and runs; one folder per format."""

from __future__ import annotations

from fullproof.formats.table import read_model, write_model

__all__ = ["read_model", "write_model"]
