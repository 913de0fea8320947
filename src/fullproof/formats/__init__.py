"""Files <-> models, suites and runs; one folder per format, one table of formats."""

from __future__ import annotations

from fullproof.formats.table import model_sha256, read_model, read_model_text, write_model

__all__ = ["model_sha256", "read_model", "read_model_text", "write_model"]
