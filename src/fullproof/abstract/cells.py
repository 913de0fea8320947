"""The cells of guards: the satisfiable sign vectors of all guards, regardless of outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from fullproof.abstract.budget import SolverBudget, steps_for
from fullproof.abstract.enumeration import sign_vectors
from fullproof.abstract.numbers import is_exact
from fullproof.abstract.points import BoundaryPoints
from fullproof.abstract.signature import ExpressionSigns, Signs, Valuation
from fullproof.artefacts.abstraction import GuardCells, SymbolicAlphabet
from fullproof.language.syntax import Expression
from fullproof.language.types import Value
from fullproof.model import Sfsm

_POINTS = 8
"""How many inputs of each cell are kept."""


def guard_cells(
    model: Sfsm, alphabet: SymbolicAlphabet, *, timeout: float | None = 60.0, budget: SolverBudget | None = None
) -> GuardCells:
    """The satisfiable sign vectors of the guards: the refined input alphabet of paper 000, section 8.3, restriction 2.

    Cells are sorted by their signs, those where the first guards hold first. The cost grows with the cells alone, so
    that output expressions cost nothing here.
    """
    budget = (SolverBudget(None) if timeout is None else steps_for(timeout)) if budget is None else budget
    scope = model.input_scope
    signature = ExpressionSigns(alphabet.guards, scope, model.inputs)
    points = BoundaryPoints(alphabet.guards, scope, model.inputs, ())
    inputs = points.inputs()

    def beside(valuation: Valuation) -> Iterator[Valuation]:
        yield from points.near(valuation)

    vectors = sign_vectors(signature, scope, budget, seeds=inputs, beside=beside)
    order = sorted(vectors.found, reverse=True)
    inside: dict[Signs, list[dict[str, Value]]] = {signs: [] for signs in order}
    for given in inputs:
        inside[signature(given)].append(given)
    return GuardCells(
        alphabet=alphabet,
        cells=tuple(order),
        points=tuple(_some(inside[signs], vectors.found[signs]) for signs in order),
        undecided=tuple(vectors.undecided),
    )


def candidate_inputs(model: Sfsm, guards: Sequence[Expression], *, most: int = 400) -> list[Mapping[str, Value]]:
    """Inputs with round numbers on, beside and between the thresholds of guards; correctness does not depend on
    them.
    """
    scope = model.input_scope
    found = BoundaryPoints(guards, scope, model.inputs, ()).inputs()
    return [found[k * len(found) // most] for k in range(most)] if len(found) > most else list(found)


def rounder_inputs(model: Sfsm) -> Callable[[Valuation], Iterator[Valuation]]:
    """A function that proposes inputs with rounder numbers near given ones; correctness does not depend on them."""
    points = BoundaryPoints((), model.input_scope, model.inputs, ())
    return points.near


def _some(listed: list[dict[str, Value]], witness: Valuation) -> tuple[Valuation, ...]:
    """A few, from the edges inwards: inputs on a boundary show more of the faults that no fault domain names.

    Numbers that floats do not represent exactly come last: a correct system would receive another number.
    """
    order = sorted(range(len(listed)), key=lambda k: (min(k, len(listed) - 1 - k), k))
    step = max(1, len(order) // _POINTS)
    some = [listed[k] for k in order[::step][:_POINTS]]
    exact = [all(is_exact(value) for value in given.values()) for given in some]
    return tuple(some[k] for k in sorted(range(len(some)), key=lambda k: not exact[k])) or (witness,)
