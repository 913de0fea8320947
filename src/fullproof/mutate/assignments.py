"""Typical mistakes in what is assigned to variables, and in the signals that are sent."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from fullproof.core.errors import UserError
from fullproof.language.formulas import compared, in_bounds
from fullproof.language.printer import to_text
from fullproof.language.syntax import Boolean
from fullproof.language.type_inference import expect_type
from fullproof.model.sts import Assignment
from fullproof.mutate.rewrites import Rewriter
from fullproof.smt import Solver, Unsat

MOST = 4
"""How many faults of one assignment are made, the most typical ones."""


class WrongRow(NamedTuple):
    """What is wrong about one of several actions or signals, all of them with the fault, and what is there instead."""

    what: str
    row: tuple[Any, ...]
    replaced: tuple[str, str] | None = None


def with_wrong_assignment(
    row: Sequence[Any], others: Callable[[Assignment], Iterable[Assignment]]
) -> Iterator[WrongRow]:
    """Each assignment among some actions in another way, then missing."""
    for place, action in enumerate(row):
        if not isinstance(action, Assignment):
            continue
        old, before, after = _said(action), row[:place], row[place + 1 :]
        for new in others(action):
            yield WrongRow(f"{_said(new)} instead of {old}", (*before, new, *after), (_said(new), old))
        yield WrongRow(f"{old} missing", (*before, *after))


def with_wrong_signal(row: Sequence[str], known: Iterable[str]) -> Iterator[WrongRow]:
    """Each signal not sent, and another one sent instead."""
    signals = tuple(known)
    for place, signal in enumerate(row):
        before, after = row[:place], row[place + 1 :]
        yield WrongRow(f"signal {signal} not sent", (*before, *after))
        for other in signals:
            if other != signal:
                what = f"signal {other} sent instead of {signal}"
                yield WrongRow(what, (*before, other, *after), (other, signal))


def _said(assignment: Assignment) -> str:
    return f"{assignment.variable} = {to_text(assignment.expression)}"


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
