"""Mutants: models with typical faults, inside the fault domain that a suite claims to cover."""

from __future__ import annotations

from fullproof.mutate.faults import Operator
from fullproof.mutate.fsm import Mutant, mutants

__all__ = ["Mutant", "Operator", "mutants"]
