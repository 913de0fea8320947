"""The answers of a second solver."""

from __future__ import annotations

from enum import Enum


class SecondAnswer(Enum):
    """Whether a formula has a solution, by a solver that gives no model."""

    SOLVABLE = "sat"
    UNSOLVABLE = "unsat"
    UNKNOWN = "unknown"
