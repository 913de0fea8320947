"""Stage 6, judge: model and trace -> verdict; pure, so that old logs can be judged again."""

from __future__ import annotations

from fullproof.judge.oracle import Oracle
from fullproof.judge.summary import Summary

__all__ = ["Oracle", "Summary"]
