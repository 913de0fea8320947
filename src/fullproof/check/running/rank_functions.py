"""Termination by rank functions (Turing 1949): a bounded measure that decreases with every turn."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from fullproof.check.running.paths import Path, cyclic
from fullproof.check.solving.questions import Questions
from fullproof.core.errors import UserError
from fullproof.language.formulas import atoms, compared, negation
from fullproof.language.substitute import literal, substitute
from fullproof.language.syntax import Binary, Comparison, Expression, Integer, Name
from fullproof.language.type_inference import infer
from fullproof.language.types import IntType, RealType
from fullproof.smt.answers import Unsat

MEASURES = 12
STEPS = 20
LEAST = Fraction(1, 100)
"""By how much a real measure must decrease."""


def terminates(steps: Sequence[Path], questions: Questions) -> bool:
    """Whether it is proven that no infinite sequence of these steps exists, from any values.

    Guarantee: steps are removed only where a measure decreases on them by a fixed amount, is not negative before them,
    and increases on none of the steps that are left; a sequence takes each of those only finitely often.
    """
    remaining = list(steps)
    while remaining:
        if len(remaining) > STEPS:
            return False
        measures = _measures(remaining, questions)
        finite = next((found for found in (_finite(remaining, m, questions) for m in measures) if found), None)
        if finite is None:
            return False
        kept = [step for step in remaining if step not in finite]
        remaining = cyclic(kept, lambda step: (step.transitions[0].source, step.transitions[-1].target))
    return True


def _measures(steps: Sequence[Path], questions: Questions) -> list[Expression]:
    """The distances between the sides of the comparisons in guards."""
    found: dict[Expression, None] = {}
    for step in steps:
        for atom in (atom for guard in step.conditions for atom in atoms(guard)):
            if isinstance(atom, Comparison):
                left, right = atom.operands
                found.update({Binary("-", right, left): None, Binary("-", left, right): None})
    return [measure for measure in found if _is_number(measure, questions)][:MEASURES]


def _is_number(measure: Expression, questions: Questions) -> bool:
    try:
        return isinstance(infer(measure, questions.scope), IntType | RealType)
    except UserError:
        return False


def _finite(steps: Sequence[Path], measure: Expression, questions: Questions) -> list[Path]:
    """The steps on which the measure decreases, if it increases on none."""
    whole = isinstance(infer(measure, questions.scope), IntType)
    least = Integer(1) if whole else literal(LEAST)
    decreasing = []
    for step in steps:
        after = substitute(measure, {old: Name(new) for old, new in step.names.items()})
        if not _always(step, compared(after, "<=", measure), questions):
            return []
        falls = compared(after, "<=", Binary("-", measure, least))
        bounded = compared(Integer(0), "<=", measure)
        if _always(step, falls, questions) and _always(step, bounded, questions):
            decreasing.append(step)
    return decreasing


def _always(step: Path, formula: Expression, questions: Questions) -> bool:
    return isinstance(questions.attempt(*step.formulas, negation(formula)), Unsat)
