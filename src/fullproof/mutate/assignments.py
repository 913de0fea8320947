"""Typical mistakes in what is assigned to a variable."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from fullproof.core.errors import UserError
from fullproof.language.formulas import compared, in_bounds
from fullproof.language.syntax import Boolean
from fullproof.language.type_inference import expect_type
from fullproof.model.sts import Assignment
from fullproof.mutate.rewrites import Rewriter
from fullproof.smt import Solver, Unsat

MOST = 4
"""How many faults of one assignment are made, the most typical ones."""


def wrong_assignments(assignment: Assignment, rewriter: Rewriter, solver: Solver) -> Iterator[Assignment]:
    """Assignments to the same variable of values in its range that may differ."""
    scope = rewriter.scope
    type_ = scope.variable(assignment.variable).type
    variants = sorted(rewriter.variants(assignment.expression), key=lambda variant: variant[0])
    listed = [e for _, e in variants]
    if isinstance(assignment.expression, Boolean):
        listed = [Boolean(not assignment.expression.value)]
    made = 0
    for expression in dict.fromkeys(listed):
        if made >= MOST:
            return
        try:
            expect_type(expression, scope, type_, what=assignment.variable)
            differs = solver.check_assuming(
                compared(expression, "!=", assignment.expression), *in_bounds(expression, type_)
            )
        except UserError:
            continue  # not well typed
        if not isinstance(differs, Unsat):
            made += 1
            yield dataclasses.replace(assignment, expression=expression)
