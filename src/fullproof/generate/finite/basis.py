"""The common basis of all methods for deterministic machines, computed once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fullproof.analysis.covers import StateCover, state_cover
from fullproof.analysis.defined_words import is_complete
from fullproof.analysis.inner_words import NodeIdentifiers, cover_edges
from fullproof.analysis.kernels.responses import ResponseTable
from fullproof.analysis.separation import Separation, separation
from fullproof.analysis.table import Table
from fullproof.core.errors import Bug, UserError
from fullproof.generate.finite.composition import Composition


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Basis:
    """A connected machine with pairwise separable states, its cover and its separating words.

    ``base`` is what reset and access cost a test on average, ``weight`` how often each state has to be identified,
    on average once.
    """

    table: Table
    extra_states: int
    cover: StateCover
    separation: Separation
    base: float
    weight: NDArray[np.float64]
    responses: ResponseTable
    complete: bool

    def composed(self, identifiers: NodeIdentifiers) -> Composition:
        """The suite with these identifiers."""
        return Composition(table=self.table, cover=self.cover, identifiers=identifiers, extra_states=self.extra_states)

    def tries(self, effort: int) -> int:
        """How many variants to try: fewer for larger machines, the same on every computer."""
        return max(1, min(200, effort // (self.table.states * self.table.inputs)))


def basis_of(table: Table, *, extra_states: int) -> Basis:
    """Prepare a machine for any method.

    Needs: deterministic, connected, complete and minimal (``prepare`` establishes that); or partial with pairwise
    separable states, for the methods that are ``partial``.
    """
    if extra_states < 0:
        raise UserError(f"the number of extra states must be >= 0, got {extra_states}")
    if bool((table.target.reshape(table.states, -1) < 0).all(axis=1).any()):
        raise Bug("the methods for deterministic machines need an input in every state")
    cover = state_cover(table)
    words = separation(table)
    if len(cover.order) < table.states or not words.total:
        raise Bug("the methods for deterministic machines need a connected machine of separable states")
    return Basis(
        table=table,
        extra_states=extra_states,
        cover=cover,
        separation=words,
        base=float(cover.depth.mean()) + extra_states + 2,
        weight=_weights(table, cover, extra_states),
        responses=ResponseTable(table.target, table.output, table.inputs),
        complete=is_complete(table),
    )


def _weights(table: Table, cover: StateCover, extra_states: int) -> NDArray[np.float64]:
    """Count the nodes of the tree {v.x : |x| <= extra + 1} by state, scaled to 1 on average."""
    defined = table.target >= 0
    leaving = table.target[(cover_edges(table, cover) == 0) & defined]
    level = np.bincount(leaving, minlength=table.states).astype(np.float64)
    total = 1.0 + level
    for _ in range(extra_states):
        spread = np.repeat(level, table.inputs)[defined]
        after = np.bincount(table.target[defined], weights=spread, minlength=table.states)
        level = after.astype(np.float64)
        total += level
        scale = float(total.mean())  # only ratios matter: keep the numbers small
        level, total = level / scale, total / scale
    return total / float(total.mean())
