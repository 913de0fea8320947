"""Stage 1, check: model -> findings."""

from fullproof.check.kinds import check, may_have_errors

__all__ = ["check", "may_have_errors"]
