"""Trees that no one wrote: the language's own, under the name that this stage knows."""

from __future__ import annotations

from fullproof.language.formulas import (
    FALSE,
    atoms,
    compared,
    conjunction,
    conjuncts,
    disjunction,
    has_values,
    in_bounds,
    links,
    negation,
)

__all__ = [
    "FALSE",
    "atoms",
    "compared",
    "conjunction",
    "conjuncts",
    "disjunction",
    "has_values",
    "in_bounds",
    "links",
    "negation",
]
