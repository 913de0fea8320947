"""I/O equivalence classes of symbolic machines (paper 000, sections 2.4 and 5.2)."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.abstract.alphabet import scope_of
from fullproof.abstract.budget import PathSolver, SolverBudget, steps_for
from fullproof.abstract.enumeration import sign_vectors
from fullproof.abstract.input_cover import CoverSetting, smallest_cover
from fullproof.abstract.points import BoundaryPoints
from fullproof.abstract.signature import ExpressionSigns, Valuation
from fullproof.artefacts.abstraction import IoClass, IoClasses, SymbolicAlphabet
from fullproof.model import Sfsm

EVALUATIONS = 60_000
"""How many expressions are evaluated before a solver is asked: about a tenth of a second."""


def io_classes(
    model: Sfsm, alphabet: SymbolicAlphabet, *, timeout: float | None = 60.0, budget: SolverBudget | None = None
) -> IoClasses:
    """The satisfiable sign vectors over an alphabet, and a smallest set of inputs that covers them.

    Classes are numbered in the order of their signs, those where the first expressions hold first, so that the same
    model gives the same classes. ``timeout`` is the budget of all queries to the solver together, in seconds that stand
    for steps; open cases are ``undecided``. A ``budget`` in its place also counts the queries.
    """
    budget = (SolverBudget(None) if timeout is None else steps_for(timeout)) if budget is None else budget
    scope = scope_of(model)
    distinct = list(dict.fromkeys(alphabet.expressions))
    signature = ExpressionSigns(distinct, scope, model.inputs)
    points = BoundaryPoints(distinct, scope, model.inputs, model.outputs)

    def beside(valuation: Valuation) -> Iterator[Valuation]:
        for given in points.near(valuation):
            yield from points.completed(given)
        yield from points.completed(valuation)

    vectors = sign_vectors(
        signature, scope, budget, seeds=points.all(most=EVALUATIONS // max(1, len(distinct))), beside=beside
    )
    order = sorted(vectors.found, reverse=True)
    setting = CoverSetting(model, scope, signature, points, budget, PathSolver(scope, budget))
    cover = smallest_cover(setting, order)
    place = {expression: k for k, expression in enumerate(distinct)}
    classes = tuple(
        IoClass(
            id=f"io{number}",
            guards=tuple(signs[place[e]] for e in alphabet.guards),
            outputs=tuple(signs[place[e]] for e in alphabet.outputs),
            propositions=tuple(signs[place[e]] for e in alphabet.propositions),
            witness=vectors.found[signs],
        )
        for number, signs in enumerate(order, start=1)
    )
    return IoClasses(
        alphabet=alphabet,
        classes=classes,
        representatives=cover.representatives,
        undecided=tuple(vectors.undecided),
        smallest=cover.smallest,
    )
