"""Mutants: models with typical faults, inside the fault domain that a suite claims to cover."""

from __future__ import annotations

from fullproof.mutate.engine import Fault, Faults, Mutant, Mutants, mutants_of

__all__ = ["Fault", "Faults", "Mutant", "Mutants", "mutants_of"]
