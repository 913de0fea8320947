"""The sign vectors of expressions under a condition, for rewriting machines: complete and pairwise disjoint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from fullproof.abstract.budget import SolverBudget
from fullproof.abstract.enumeration import sign_vectors
from fullproof.abstract.signature import ExpressionSigns, Signs
from fullproof.core.errors import UserError
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.syntax import Boolean, Expression, Unary

MOST_OPEN = 8
"""An undecided conjunction that leaves more signs open than this is an error."""


def possible_signs(
    expressions: Sequence[Expression], scope: Scope, budget: SolverBudget, *, where: tuple[Expression, ...] = ()
) -> list[Signs]:
    """All sign vectors that some valuation in ``where`` has, those with the first expressions true first.

    Undecided vectors are included: a transition that can never be taken does not change the language. Too many of them
    are a UserError. Needs: no two expressions are equal.
    """
    vectors = sign_vectors(ExpressionSigns(expressions, scope), scope, budget, where=where)
    found = set(vectors.found)
    for fixed, (formula, reason) in zip(vectors.open, vectors.undecided, strict=True):
        if len(expressions) - len(fixed) > MOST_OPEN:
            message = f"the solver could not decide whether this can hold: {to_text(formula)} ({reason})"
            raise UserError(f"{message}; give it more time, or simplify it")
        found |= set(_completed(fixed, len(expressions)))
    return sorted(found, reverse=True)


def literals(expressions: Sequence[Expression], signs: Signs) -> list[Expression]:
    """The literals of a sign vector, each once, without constant truth values."""
    signed = [e if sign else Unary("not", e) for e, sign in zip(expressions, signs, strict=True)]
    return [part for part in dict.fromkeys(signed) if part not in (Boolean(True), Unary("not", Boolean(False)))]


def _completed(fixed: Mapping[int, bool], count: int) -> Iterator[Signs]:
    yield from product(*((fixed[k],) if k in fixed else (True, False) for k in range(count)))
