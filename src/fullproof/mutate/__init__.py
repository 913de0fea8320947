"""Mutants: models with typical faults, inside the fault domain that a suite claims to cover."""

from __future__ import annotations

from fullproof.mutate.fsm import Mutant, Operator, mutants

__all__ = ["Mutant", "Operator", "mutants"]
