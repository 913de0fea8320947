"""Stage 1, check: model -> findings."""

from fullproof.check.kinds import check

__all__ = ["check"]
